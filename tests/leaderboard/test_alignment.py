"""Sentences tied to their nearest, where they stand in a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leaderboard.tables.alignment import Sentence, alignment, pieces
from leaderboard.tables.reading import options, reference_spans, said_spans
from leaderboard.tables.video import player

SEEN = {
    "candidate": ["A.", "B."],
    "reference": ["X.", "Y.", "Z."],
    "candidate_best": [[2, 0.5], [0, 0.9]],
    "reference_best": [[1, 0.9], [0, 0.1], [0, 0.5]],
    "reference_used": 1,
    "cosines": [[300, 100, 500], [900, 50, 250]],
}


def test_missed_and_unsupported() -> None:
    """What no sentence of the other side has as its nearest."""
    made = alignment(SEEN)
    assert made is not None
    assert [one.text for one in made.missed] == ["Y."]
    assert made.unsupported == ()
    assert [one.step for one in made.candidate] == [2, 4]
    assert made.grid == ((0.3, 0.1, 0.5), (0.9, 0.05, 0.25))


def test_an_empty_description_misses_everything() -> None:
    """Nothing is near, so all of the reference is alone."""
    empty = {"candidate": [], "reference": ["X."], "candidate_best": [], "reference_best": []}
    made = alignment(empty)
    assert made is not None
    assert [one.text for one in made.missed] == ["X."]
    assert alignment(None) is None


@given(st.text(alphabet="ab. \n", max_size=60), st.lists(st.text(alphabet="ab.", min_size=1)))
def test_pieces_are_the_text(text: str, found: list[str]) -> None:
    """Nothing of a text is lost or told twice, whatever sentences are looked for."""
    sentences = [Sentence(place, one) for place, one in enumerate(found)]
    made = list(pieces(text, sentences))
    assert "".join(piece.text for piece in made) == text
    places = [piece.sentence.place for piece in made if piece.sentence]
    assert places == sorted(set(places))


def test_spans_lead_to_each_other() -> None:
    """The keys of partners are those of the other side; the nearest of all systems counts."""
    made = alignment(SEEN)
    said = said_spans("A. B.", made, 4)
    assert [(s.key, s.partners) for s in said if s.key] == [
        ("s4-0", ("r1-2",)),
        ("s4-1", ("r1-0",)),
    ]
    reference = reference_spans("X. Y. Z.", 1, {4: made, 5: None})
    keyed = [span for span in reference if span.key]
    assert [(s.key, s.partners, s.alone) for s in keyed] == [
        ("r1-0", ("s4-1",), False),
        ("r1-1", ("s4-0",), True),
        ("r1-2", ("s4-0",), False),
    ]
    assert [span.text for span in reference_spans("X. Y.", 0, {4: made})] == ["X. Y."]


def test_which_references_a_track_reads() -> None:
    """Places count those that it reads."""

    class Text:
        def __init__(self, language: str) -> None:
            self.language = language

    texts = [Text("de"), Text("en"), Text("de"), Text("en")]
    assert options(texts, {"language": "en"}) == [None, 0, None, 1]
    assert options(texts, {}) == [0, 1, 2, 3]


def test_players_of_known_hosts() -> None:
    """Only ids are taken from a link; anything else stays a link."""
    expected = {
        "https://youtu.be/aqz-KE-bpKQ": "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ",
        "https://www.youtube.com/shorts/aqz-KE-bpKQ?t=7s": (
            "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?start=7"
        ),
        "https://vimeo.com/76979871": "https://player.vimeo.com/video/76979871",
    }
    for link, address in expected.items():
        found = player(link)
        assert found is not None
        assert found.address == address
    for link in (
        "https://www.youtube.com/watch?v=%22onload=alert(1)",
        "https://youtube.com.example.org/watch?v=aqz-KE-bpKQ",
        "https://vimeo.com/../x",
        "https://[bad",
        "javascript:alert(1)",
        "",
    ):
        assert player(link) is None

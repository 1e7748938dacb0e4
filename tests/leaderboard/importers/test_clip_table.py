"""The site's own table of clips and references."""

from __future__ import annotations

import json

import pytest

from leaderboard.importers.clip_table import read_clip_table
from scoring.types import Reference

GOOD = """clip,duration,category,title,link,language,kind,reference,excluded
c1,93.5,sport,A match,https://example.org/c1,en,long,"A girl laces her boots.",
c1,,,,,de,long,"Ein Kind läuft.",
c1,,,,,en,short,A girl runs.,
c2,12,,,,,,A dog barks.,The video is gone.
"""


def codes(text: str, name: str = "clips.csv") -> list[tuple[str, str]]:
    """Code and place of every problem."""
    return [(p.code, p.where) for p in read_clip_table(text.encode(), name)[1]]


def test_rows_of_a_clip_are_its_references() -> None:
    """The first row says what the clip is; empty fields of further rows say nothing."""
    (first, second), problems = read_clip_table(GOOD.encode(), "clips.csv")
    assert problems == ()
    assert (first.key, first.duration, first.category, first.title) == (
        "c1",
        93.5,
        "sport",
        "A match",
    )
    assert first.references == (
        Reference("A girl laces her boots.", "en", "long"),
        Reference("Ein Kind läuft.", "de", "long"),
        Reference("A girl runs.", "en", "short"),
    )
    assert second.exclusion_reason == "The video is gone."


def test_json_lines_and_lists_hold_the_same() -> None:
    """With numbers as numbers, and several references at once."""
    rows = [
        {"clip_id": "c1", "duration": 93.5, "reference": ["One.", "Two."]},
        {"clip_id": "c2", "reference": "Three."},
    ]
    lines = "\n".join(map(json.dumps, rows)).encode()
    listed = json.dumps(rows).encode()
    clips, problems = read_clip_table(lines, "clips.jsonl")
    assert problems == ()
    assert [len(clip.references) for clip in clips] == [2, 1]
    assert read_clip_table(listed, "clips.json")[0] == clips


def test_every_fault_is_told_with_its_line() -> None:
    """All at once."""
    bad = (
        "clip,duration,link,language,kind,reference,colour\n"
        "c1,fast,,en,long,One.,red\n"
        ",1,,en,long,Two.,\n"
        "c2,5,nowhere,fr,huge,Three.,\n"
        "c2,6,,en,long,Four.,\n"
        "c2,,,en,long,Four.,\n"
    )
    assert codes(bad) == [
        ("bad-duration", "clips.csv, line 2"),
        ("bad-clip-id", "clips.csv, line 3"),
        ("bad-link", "clips.csv, line 4"),
        ("bad-language", "clips.csv, line 4"),
        ("bad-kind", "clips.csv, line 4"),
        ("contradiction", "clips.csv, line 5"),
        ("repeated-reference", "clips.csv, line 6"),
        ("unread-column", "clips.csv"),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty-file"),
        ("a,b\n1,2\n", "no-header"),
        ("clip,reference\n", "no-rows"),
        ('clip,reference\nc1,"open\n', "unclosed-quote"),
        ('[{"clip": ["c1"], "reference": "x"}]', "bad-clip-id"),
        ('[{"clip": "c1", "reference": {"a": 1}}]', "bad-reference"),
        ('[{"clip": "c1", "duration": true, "reference": "x"}]', "bad-duration"),
    ],
)
def test_what_is_no_table_is_refused(text: str, code: str) -> None:
    """Never an exception."""
    assert code in [found for found, _ in codes(text)]


def test_a_clip_without_a_reference_is_remarked_on() -> None:
    """Keypoints or pairs may be all that a release has."""
    ((_, problem),) = [read_clip_table(b"clip,reference\nc1,One.\nc2,\n", "t.csv")]
    assert [(p.code, p.severity) for p in problem] == [("no-reference", "warning")]
    left_out = b"clip,reference,excluded\nc1,One.,\nc2,,The video is gone.\n"
    assert read_clip_table(left_out, "t.csv")[1] == ()

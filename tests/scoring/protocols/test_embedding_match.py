"""CosPar and CosSent: definitions, invariants over the embedded judges, degenerate input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scoring.judges import catalogue
from scoring.judges.base import EmbeddingJudge
from scoring.protocols import embedding_match
from scoring.protocols.embedding_match import cos_sent, greedy_pairs
from scoring.types import Reference, ScoringError

REFERENCES = {
    "a": [Reference("A man walks his dog in the park. It rains. He opens an umbrella.")],
    "b": [Reference("A chef cuts vegetables in a kitchen. She talks to a guest.")],
    "c": [Reference("Two boats cross a lake at sunset.")],
}
JUDGES = ("use-multilingual-v3", "char-tfidf")


@pytest.fixture(params=JUDGES)
def judge(request: pytest.FixtureRequest) -> EmbeddingJudge:
    """The embedded judges without torch."""
    return catalogue.load(request.param)


def test_pairs_are_matched_greedily_one_to_one() -> None:
    """Not the best assignment: the highest goes first, whatever it leaves to the others."""
    cosines = np.array([[0.9, 0.8], [0.85, 0.1], [0.2, 0.3]])
    assert greedy_pairs(cosines) == [(0, 0, 0.9), (2, 1, 0.3)]
    assert greedy_pairs(cosines.T) == [(0, 0, 0.9), (1, 2, 0.3)]
    assert cos_sent(cosines) == pytest.approx(0.6)


def test_the_median_is_over_the_matched_pairs() -> None:
    """Sentences without a partner do not count; ties go to the first."""
    cosines = np.array([[0.9, 0.0, 0.0, 0.0], [0.0, 0.7, 0.0, 0.0], [0.0, 0.0, 0.1, 0.0]])
    assert cos_sent(cosines) == pytest.approx(0.7)
    assert greedy_pairs(np.full((2, 2), 0.5)) == [(0, 0, 0.5), (1, 1, 0.5)]
    assert cos_sent(np.array([[-0.4]])) == pytest.approx(-0.4)


def test_a_plain_loop_finds_the_same_pairs() -> None:
    """On random cosines, with ties."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        cosines = rng.integers(0, 8, size=rng.integers(1, 7, size=2)) / 8
        left, expected = cosines.copy(), []
        for _ in range(min(cosines.shape)):
            row, column = np.unravel_index(left.argmax(), left.shape)
            expected.append((int(row), int(column), float(cosines[row, column])))
            left[row, :] = left[:, column] = -2
        assert greedy_pairs(cosines) == expected


def test_a_text_is_closest_to_itself(judge: EmbeddingJudge) -> None:
    """Both metrics are 1 for the reference itself, and lower for anything else."""
    own = {clip: options[0].text for clip, options in REFERENCES.items()}
    result = embedding_match.score(judge, own, REFERENCES)
    for metric in embedding_match.METRICS:
        assert result.metrics[metric] == pytest.approx([1, 1, 1], abs=1e-5)
    other = embedding_match.score(judge, dict.fromkeys(own, own["b"]), REFERENCES)
    for metric in embedding_match.METRICS:
        assert (other.metrics[metric][[0, 2]] < 0.9).all()


def test_one_sentence_gives_the_same_for_both(judge: EmbeddingJudge) -> None:
    """As in table 4 of FM-V2T."""
    result = embedding_match.score(
        judge, {"c": "Boats on a lake."}, {"c": REFERENCES["c"]} | REFERENCES
    )
    assert result.metrics["cos_par"][0] == pytest.approx(result.metrics["cos_sent"][0], abs=1e-6)


def test_the_order_of_clips_does_not_matter(judge: EmbeddingJudge) -> None:
    """Values, evidence and signature."""
    texts = {"a": "A dog in the rain. A man.", "b": "Cooking.", "c": "A lake. Boats."}
    forward = embedding_match.score(judge, texts, REFERENCES)
    backward = embedding_match.score(judge, texts, dict(reversed(list(REFERENCES.items()))))
    assert backward.clips == forward.clips[::-1]
    for metric in embedding_match.METRICS:
        assert forward.metrics[metric] == pytest.approx(backward.metrics[metric][::-1], abs=1e-6)
    assert forward.signature == backward.signature


def test_blank_is_0_and_counted(judge: EmbeddingJudge) -> None:
    """Missing or invisible."""
    result = embedding_match.score(judge, {"a": "\u200b ", "c": "Boats."}, REFERENCES)
    assert [list(result.metrics[m][:2]) for m in embedding_match.METRICS] == [[0, 0], [0, 0]]
    assert result.counts["empty"] == 2
    assert result.evidence["a"]["pairs"] == []


def test_evidence_and_references() -> None:
    """The best reference of the chosen kind per metric; pairs name sentences by place."""
    references: dict[str, Any] = {
        "a": [
            Reference("Ein Hund bellt.", "de"),
            Reference("Clouds drift over a mountain."),
            Reference("A dog barks. A man laughs."),
        ]
    }
    judge = catalogue.load("use-multilingual-v3")
    result = embedding_match.score(judge, {"a": "A man laughs. A dog barks."}, references)
    seen = result.evidence["a"]
    assert seen["references_used"] == {"cos_par": 2, "cos_sent": 2}
    assert seen["reference"] == ["A dog barks.", "A man laughs."]
    assert [pair[:2] for pair in sorted(seen["pairs"])] == [[0, 1], [1, 0]]
    assert result.metrics["cos_sent"][0] == pytest.approx(1, abs=1e-5)
    assert "|refs:long-en|" in result.signature
    german = embedding_match.score(judge, {"a": "Ein Hund bellt."}, references, language="de")
    assert german.metrics["cos_par"][0] == pytest.approx(1, abs=1e-5)
    with pytest.raises(ScoringError, match="no short text"):
        embedding_match.score(judge, {}, references, kind="short")

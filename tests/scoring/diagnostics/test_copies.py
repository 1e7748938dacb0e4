"""Near-copies between submissions: found by sketches, quickly, and no one else."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.diagnostics import copies


def _text(seed: int, words: int = 200) -> str:
    draw = np.random.default_rng(seed)
    return " ".join(f"w{number}" for number in draw.integers(0, 5000, words))


def _edited(text: str, every: int) -> str:
    """The text with every so-manyth word replaced."""
    words = text.split()
    words[::every] = [f"new{n}" for n in range(len(words[::every]))]
    return " ".join(words)


@pytest.mark.parametrize("every", [200, 50, 20, 10])
def test_a_sketch_estimates_the_share_of_common_runs(every: int) -> None:
    """Within three deviations of an estimate from 64 bytes, over many texts."""
    texts = [_text(seed) for seed in range(40)]
    others = [_edited(text, every) for text in texts]
    exact = np.array([copies.overlap(a, b) for a, b in zip(texts, others, strict=True)])
    estimated = copies.alike(copies.sketch(texts), copies.sketch(others))
    assert abs(estimated - exact).max() < 0.25
    assert abs(estimated.mean() - exact.mean()) < 0.04


def test_different_texts_and_short_ones_are_not_alike() -> None:
    """A text of a few words is no evidence."""
    texts = [_text(seed) for seed in range(100)]
    others = [_text(seed) for seed in range(100, 200)]
    assert copies.alike(copies.sketch(texts), copies.sketch(others)).max() < copies.SUSPECT
    short = copies.sketch(["A man walks.", ""])
    assert not short.any()
    assert copies.alike(short, short).tolist() == [0.0, 0.0]


def test_a_sketch_stays_the_same() -> None:
    """It is stored: a change asks for a new version. Case and punctuation do not matter."""
    text = "One two three four five six seven eight nine ten eleven twelve thirteen fourteen."
    first, second = copies.sketch([text, text.upper().replace(" ", ", ")])
    assert first.tolist() == second.tolist()
    assert first[:8].tolist() == PINNED, first[:8].tolist()
    assert copies.sketch([]).shape == (0, copies.HASHES)


PINNED = [222, 86, 34, 143, 133, 175, 209, 218]


def test_all_submissions_are_compared_at_once() -> None:
    """Shape (submissions, clips) from one call."""
    mine = copies.sketch([_text(1), _text(2)])
    others = np.stack([copies.sketch([_text(1), _text(9)]), copies.sketch([_text(8), _text(2)])])
    assert (copies.alike(mine, others) > 0.9).tolist() == [[True, False], [False, True]]

"""What is said of two systems."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.ranking import Claim, claim, rank_sets


def test_a_claim_in_words() -> None:
    said = Claim("A", "B", 0.971, separable=True, level=0.95).text
    assert said == "A is above B in 97% of resamples; by mean score they are separable at 95%."


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (1.0, "100%"),
        (0.9999, "more than 99%"),
        (0.99, "99%"),
        (0.004, "less than 1%"),
        (0.0, "0%"),
    ],
)
def test_certainty_is_not_made_by_rounding(share: float, words: str) -> None:
    assert f"in {words} of resamples" in Claim("A", "B", share, separable=False, level=0.95).text


def test_separable_is_what_the_sets_say() -> None:
    rng = np.random.default_rng(0)
    scores = np.array([0.9, 0.5, 0.5])[:, None] + 0.02 * rng.standard_normal((3, 40))
    scores[2] = scores[1]
    sets = rank_sets(scores)
    assert sets is not None
    above = np.full((3, 3), 0.5)
    assert claim(["A", "B", "C"], (0, 1), above, sets).separable
    assert not claim(["A", "B", "C"], (1, 2), above, sets).separable
    assert "are not separable" in claim(["A", "B", "C"], (1, 2), above, sets).text

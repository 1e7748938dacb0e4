"""Likeness of profiles: against a plain recomputation, and where nothing can be said."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.ranking import similarity


def test_it_is_pearson_after_the_clip_means_are_gone() -> None:
    scores = np.random.default_rng(0).random((5, 30))
    found = similarity(scores, 2)
    left = scores - scores.mean(axis=0, keepdims=True)
    expected = np.corrcoef(left)[2]
    assert found == pytest.approx(tuple(expected))
    assert found[2] == pytest.approx(1.0)


def test_hard_clips_make_nobody_alike() -> None:
    """Raw scores correlate almost fully; what is left beside the clips' means does not."""
    rng = np.random.default_rng(1)
    scores = np.linspace(0, 1, 400) + 0.01 * rng.standard_normal((6, 400))
    assert np.corrcoef(scores)[0, 1] > 0.99
    others = similarity(scores, 0)[1:]
    assert max(abs(one) for one in others if one is not None) < 0.4


def test_two_systems_say_nothing() -> None:
    assert similarity(np.random.default_rng(2).random((2, 9)), 0) == (None, None)


def test_a_flat_profile_is_like_nobody() -> None:
    """A system that lies on the mean of every clip."""
    scores = np.array([[0.2, 0.6, 0.1], [0.4, 0.2, 0.3], [0.3, 0.4, 0.2]])
    assert similarity(scores, 2) == (None, None, None)

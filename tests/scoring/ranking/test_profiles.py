"""Likeness of profiles: against a plain recomputation, and where nothing can be said."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.ranking import nearest, similarity


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


@pytest.mark.parametrize("systems", [3, 7, 300])
def test_the_nearest_are_those_of_the_similarities(systems: int) -> None:
    """For all at once: the same systems and numbers as one by one, flat ones left out."""
    scores = np.random.default_rng(systems).random((systems, 12))
    if systems > 3:
        scores[1] = scores[0]  # equally alike to everybody: the first comes first
        scores[2] = np.delete(scores, 2, axis=0).mean(axis=0)
    found, alike = nearest(scores, 4)
    for one in range(systems):
        others = [(r, at) for at, r in enumerate(similarity(scores, one)) if at != one]
        best = sorted(
            ((-round(r, 12), at, r) for r, at in others if r is not None), key=lambda it: it[:2]
        )[:4]
        assert list(found[one][: len(best)]) == [at for _, at, _ in best]
        assert alike[one][: len(best)] == pytest.approx([r for *_, r in best], abs=1e-11)
        assert set(found[one][len(best) :]) <= {-1}
    assert systems <= 3 or (found[2] == -1).all()


def test_of_too_few_nobody_is_near() -> None:
    for scores in (np.zeros((2, 9)), np.zeros((0, 9)), np.zeros((5, 1))):
        found, alike = nearest(scores, 3)
        assert found.shape == alike.shape == (len(scores), 3)
        assert (found == -1).all()
        assert np.isnan(alike).all()

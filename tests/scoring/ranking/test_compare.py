"""Pairwise differences, Holm, power: against scipy, by hand and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scoring.ranking import bootstrap, compare, detectable, resampled_differences
from scoring.ranking.bootstrap import draws
from scoring.ranking.compare import holm


@pytest.fixture
def scores() -> np.ndarray:
    rng = np.random.default_rng(0)
    return np.array([0.5, 0.52, 0.6])[:, None] + 0.1 * rng.standard_normal((3, 50))


def test_differences_intervals_and_p_are_those_of_the_paired_t(scores: np.ndarray) -> None:
    found = compare(scores)
    for a in range(3):
        for b in range(3):
            if a == b:
                continue
            test = stats.ttest_rel(scores[a], scores[b])
            interval = test.confidence_interval(0.95)
            assert found.difference[a, b] == pytest.approx((scores[a] - scores[b]).mean())
            assert found.p[a, b] == pytest.approx(test.pvalue)
            assert (found.low[a, b], found.high[a, b]) == pytest.approx(tuple(interval))


def test_a_pair_turned_round_says_the_same(scores: np.ndarray) -> None:
    found = compare(scores)
    np.testing.assert_array_equal(found.difference, -found.difference.T)
    np.testing.assert_array_equal(found.low, -found.high.T)
    for matrix in (found.p, found.p_holm, found.detectable, found.ties):
        np.testing.assert_array_equal(matrix, matrix.T)


def test_wins_ties_and_losses_are_counted() -> None:
    found = compare(np.array([[0.1, 0.5, 0.1 + 0.7, 0.2], [0.2, 0.3, 0.8, 0.2]]))
    assert (found.wins[0, 1], found.ties[0, 1], found.losses[0, 1]) == (0.25, 0.5, 0.25)
    assert found.ties[0, 0] == 1.0


def test_holm_by_hand() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005])
    np.testing.assert_allclose(holm(p), [0.03, 0.06, 0.06, 0.02])


def test_holm_is_monotone_and_at_most_one() -> None:
    p = np.random.default_rng(1).uniform(0, 1, 40)
    adjusted = holm(p)
    assert (adjusted >= p).all()
    assert adjusted.max() <= 1.0
    assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()
    assert holm(np.array([])).size == 0


def test_holm_keeps_the_familywise_error() -> None:
    """Six equal systems: some pair is called different in at most 5% of trials."""
    rng = np.random.default_rng(2)
    false = sum(
        bool((compare(rng.standard_normal((6, 40))).p_holm < 0.05).any()) for _ in range(400)
    )
    assert false <= stats.binom.ppf(0.999, 400, 0.05)


def test_the_detectable_difference_is_detected_with_its_power() -> None:
    rng = np.random.default_rng(3)
    clips, deviation = 60, 0.2
    least = float(detectable(np.array([deviation]), clips)[0])
    gaps = least + deviation * rng.standard_normal((3000, clips))
    share = float((stats.ttest_1samp(gaps, 0.0, axis=1).pvalue < 0.05).mean())
    assert share == pytest.approx(0.8, abs=0.03)


def test_more_clips_detect_less() -> None:
    few, many = (float(detectable(np.array([0.1]), clips)[0]) for clips in (50, 200))
    assert few == pytest.approx(2 * many, rel=0.03)
    assert np.isnan(detectable(np.array([0.1]), 1)).all()


def test_all_equal_systems_do_not_differ() -> None:
    found = compare(np.full((3, 8), 0.5))
    assert (found.p == 1.0).all()
    assert (found.difference == 0.0).all()
    assert (found.detectable == 0.0).all()


def test_a_constant_gap_is_certain() -> None:
    base = np.random.default_rng(4).uniform(0, 0.5, 9)
    found = compare(np.vstack([base, base + 0.25]))
    assert found.p[0, 1] == 0.0
    assert found.low[0, 1] == found.high[0, 1] == pytest.approx(-0.25)


@pytest.mark.parametrize("clips", [0, 1])
def test_one_clip_has_a_difference_only(clips: int) -> None:
    found = compare(np.array([[0.2], [0.5]])[:, :clips])
    assert np.isnan(found.p).all()
    assert np.isnan(found.low).all()
    if clips:
        assert found.difference[1, 0] == pytest.approx(0.3)
        assert found.wins[1, 0] == 1.0


def test_nobody_to_compare() -> None:
    assert compare(np.zeros((0, 4))).p.shape == (0, 0)
    assert compare(np.zeros((1, 4))).p.tolist() == [[1.0]]


def test_resampled_differences_are_percentiles_of_paired_means() -> None:
    """The same resamples for both systems: a loop over the very same draws says the same."""
    rng = np.random.default_rng(4)
    scores = rng.random((3, 20))
    made = bootstrap(scores[:, None, :], replicates=200, seed=7).means
    low, high = resampled_differences(made)
    counts = np.vstack(list(draws(20, 200, 7).counts(64)))
    for a, b in ((0, 1), (2, 0)):
        plain = [row @ (scores[a] - scores[b]) / 20 for row in counts]
        expected = np.quantile(plain, [0.025, 0.975])
        np.testing.assert_allclose([low[a, b], high[a, b]], expected, atol=1e-9)
    assert (np.diag(low) == 0).all()


def test_without_resamples_there_is_no_interval() -> None:
    low, high = resampled_differences(np.zeros((0, 2)))
    assert np.isnan(low).all()
    assert np.isnan(high).all()

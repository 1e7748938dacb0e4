"""Confidence sets of ranks: what they cover, and what becomes of ties and constant gaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import binom, ttest_rel
from threadpoolctl import threadpool_limits

from scoring.ranking import bootstrap, rank_sets
from scoring.ranking.intervals import differences
from scoring.types import ScoringError

TRIALS = 300
CLIPS = 199
RESAMPLES = 500

NEAR_TIES = np.array([0.700, 0.698, 0.696, 0.65, 0.60, 0.55, 0.50, 0.45])
EXACT_TIES = np.array([0.60, 0.60, 0.60, 0.60, 0.60, 0.50, 0.45, 0.40])
ALMOST_ONE = np.linspace(0.599, 0.600, 8)


@dataclass(frozen=True)
class Coverage:
    """Shares of trials in which all ranks were covered at once, and of single sets that held."""

    simultaneous: float
    percentile: float
    marginal: float


def simulate(theta: np.ndarray, seed: int) -> Coverage:
    """Paired data: each clip is easy or hard for all systems, and each system has its own luck.

    The luck is skewed (an exponential), as scores near their ceiling are. With ties a rank is
    anything from the best to the worst place that the tied systems share; the confidence sets
    must hold all of it, the percentile intervals are only asked for the best of it.
    """
    rng = np.random.default_rng(seed)
    best = 1 + (theta[None, :] > theta[:, None]).sum(axis=1)
    worst = len(theta) - (theta[None, :] < theta[:, None]).sum(axis=1)
    simultaneous = percentile = 0
    marginal = 0.0
    for trial in range(TRIALS):
        clip = 0.08 * rng.standard_normal(CLIPS)
        luck = 0.06 * (1.0 - rng.standard_exponential((len(theta), CLIPS)))
        scores = theta[:, None] + clip + luck
        sets = rank_sets(scores, replicates=RESAMPLES, seed=trial)
        assert sets is not None
        simultaneous += bool(((sets.low <= best) & (worst <= sets.high)).all())
        marginal += float(((sets.marginal_low <= best) & (worst <= sets.marginal_high)).mean())
        low, high = bootstrap(scores[:, None], replicates=RESAMPLES, seed=trial).rank_interval()
        percentile += bool(((low <= best) & (best <= high)).all())
    return Coverage(simultaneous / TRIALS, percentile / TRIALS, marginal / TRIALS)


@pytest.mark.parametrize(
    ("name", "theta"),
    [("near ties", NEAR_TIES), ("exact ties", EXACT_TIES), ("almost one", ALMOST_ONE)],
)
def test_simultaneous_sets_cover_all_ranks_at_once(name: str, theta: np.ndarray) -> None:
    """8 systems on 199 paired clips. Were the true coverage 0.95, fewer hits than the bound below
    would be seen in one of a thousand runs; were it 0.90, the bound would be missed nearly surely.
    """
    found = simulate(theta, seed=1)
    print(  # noqa: T201 - the figures are part of what this test is for
        f"{name}: simultaneous {found.simultaneous:.3f}, percentile {found.percentile:.3f}, "
        f"marginal {found.marginal:.3f} ({TRIALS} trials)"
    )
    bound = binom.ppf(0.001, TRIALS, 0.95) / TRIALS
    assert binom.cdf(bound * TRIALS, TRIALS, 0.90) > 0.5
    assert found.simultaneous >= bound
    assert found.marginal >= 0.93
    if name != "near ties":
        assert found.percentile < 0.6


def scores_of(theta: list[float], clips: int = 60, noise: float = 0.05) -> np.ndarray:
    rng = np.random.default_rng(0)
    return np.array(theta)[:, None] + noise * rng.standard_normal((len(theta), clips))


def test_clear_gaps_are_separated() -> None:
    sets = rank_sets(scores_of([0.9, 0.7, 0.5, 0.3]))
    assert sets is not None
    assert sets.low.tolist() == sets.high.tolist() == [1, 2, 3, 4]
    assert sets.best == (0,)
    assert sets.above.sum() == 6
    assert sets.marginal_low.tolist() == [1, 2, 3, 4]


def test_equal_systems_are_tied_with_the_best() -> None:
    scores = scores_of([0.9, 0.5, 0.3])
    sets = rank_sets(np.vstack([scores[:1], scores]))
    assert sets is not None
    assert sets.best == (0, 1)
    assert sets.low.tolist() == [1, 1, 3, 4]
    assert sets.high.tolist() == [2, 2, 3, 4]
    assert not sets.above[0, 1]
    assert not sets.above[1, 0]


def test_all_equal() -> None:
    sets = rank_sets(np.full((3, 10), 0.5))
    assert sets is not None
    assert sets.low.tolist() == [1, 1, 1]
    assert sets.high.tolist() == [3, 3, 3]


def test_a_constant_gap_is_certain() -> None:
    base = np.random.default_rng(1).uniform(0.2, 0.6, 12)
    sets = rank_sets(np.vstack([base, base + 0.25]))
    assert sets is not None
    assert sets.low.tolist() == sets.high.tolist() == [2, 1]


def test_gaps_of_float_noise_are_none() -> None:
    base = np.random.default_rng(1).uniform(0.2, 0.6, 12)
    sets = rank_sets(np.vstack([base, base + 1e-16]))
    assert sets is not None
    assert sets.best == (0, 1)


def test_t_is_that_of_the_paired_test() -> None:
    scores = scores_of([0.5, 0.52, 0.54])
    gaps = differences(scores)
    expected = [
        ttest_rel(scores[a], scores[b]).statistic
        for a, b in zip(gaps.first, gaps.second, strict=True)
    ]
    np.testing.assert_allclose(gaps.t, expected)


def test_stepping_down_only_adds_separations() -> None:
    """With most pairs far apart, the rest are tested against fewer rivals than at first."""
    theta = [0.5, 0.5, *np.linspace(5.0, 9.0, 8)]
    scores = scores_of(theta, clips=60, noise=0.05)
    gap = scores[1] - scores[0]
    spread = gap.std(ddof=1) / np.sqrt(60)
    found = []
    for t in np.linspace(2.0, 4.5, 26):
        moved = scores.copy()
        moved[1] += t * spread - gap.mean()
        sets = rank_sets(moved)
        assert sets is not None
        found.append(bool(sets.above[1, 0]))
    needed = np.linspace(2.0, 4.5, 26)[found.index(True)]
    # Bonferroni over 45 pairs needs 3.5; one pair alone 2.0.
    assert found == sorted(found)
    assert 2.0 < needed < 3.3


def test_few_clips_need_more() -> None:
    """With 4 clips the normal quantile would separate what t with 3 degrees of freedom does not."""
    gap = np.array([1.0, -1.0, 1.0, -1.0]) * 0.1
    gap += 2.5 * gap.std(ddof=1) / 2.0
    sets = rank_sets(np.vstack([gap, np.zeros(4)]))
    assert sets is not None
    assert not sets.above.any()


def test_the_seed_decides_and_chunks_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = scores_of([0.5, 0.51, 0.52, 0.53, 0.54])
    whole = rank_sets(scores)
    monkeypatch.setattr("scoring.ranking.intervals._CHUNK_CELLS", 1500)
    cut = rank_sets(scores)
    assert whole is not None
    assert cut is not None
    for field in ("low", "high", "marginal_low", "marginal_high", "above"):
        np.testing.assert_array_equal(getattr(whole, field), getattr(cut, field))


@pytest.mark.parametrize("clips", [0, 1])
def test_one_clip_says_nothing(clips: int) -> None:
    assert rank_sets(np.full((3, clips), 0.5)) is None


@pytest.mark.parametrize("systems", [0, 1])
def test_nobody_to_compare_with(systems: int) -> None:
    sets = rank_sets(np.random.default_rng(0).random((systems, 5)))
    assert sets is not None
    assert sets.low.tolist() == sets.high.tolist() == [1] * systems
    assert sets.best == tuple(range(systems))


def test_threads_change_nothing() -> None:
    scores = scores_of(list(np.linspace(0.5, 0.6, 30)), clips=199)
    with threadpool_limits(1):
        one = rank_sets(scores)
    with threadpool_limits(4):
        four = rank_sets(scores)
    assert one is not None
    assert four is not None
    np.testing.assert_array_equal(one.above, four.above)
    np.testing.assert_array_equal(one.marginal_low, four.marginal_low)


def test_without_resamples_there_are_no_sets() -> None:
    with pytest.raises(ScoringError, match="need resamples"):
        rank_sets(scores_of([0.5, 0.6]), replicates=0)

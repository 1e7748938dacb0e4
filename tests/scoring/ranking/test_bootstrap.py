"""The paired bootstrap: equal to a plain loop, and the same however it is cut up."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata
from threadpoolctl import threadpool_limits

from scoring.ranking import bootstrap
from scoring.ranking.bootstrap import Replicates, draws
from scoring.types import ScoringError


def made_up(systems: int = 6, judges: int = 3, clips: int = 40, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    level = np.linspace(0.5, 0.56, systems)[:, None, None]
    return np.clip(level + 0.08 * rng.standard_normal((systems, judges, clips)), 0.0, 1.0)


def plain(scores: np.ndarray, replicates: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Places and means by a loop over replicates."""
    systems, judges, clips = scores.shape
    all_places, all_means = [], []
    for counts in draws(clips, replicates, seed).counts(1):
        drawn = np.repeat(np.arange(clips), counts[0].astype(int))
        means = scores[:, :, drawn].mean(axis=2)
        total = sum(systems - rankdata(-np.round(means[:, j], 12)) for j in range(judges))
        keys = list(zip(total, np.round(means.mean(axis=1), 12), strict=True))
        all_places.append([1 + sum(other > key for other in keys) for key in keys])
        all_means.append(means.mean(axis=1))
    return np.array(all_places), np.array(all_means)


def test_equal_to_a_plain_loop() -> None:
    scores = made_up()
    found = bootstrap(scores, replicates=200, seed=3)
    places, means = plain(scores, 200, 3)
    np.testing.assert_array_equal(found.places, places)
    np.testing.assert_allclose(found.means, means, atol=1e-12)


def test_equal_to_a_plain_loop_with_equal_systems() -> None:
    scores = made_up(systems=5)
    scores[3] = scores[1]
    scores[4, 0] = scores[0, 0]
    found = bootstrap(scores, replicates=200, seed=0)
    np.testing.assert_array_equal(found.places, plain(scores, 200, 0)[0])
    np.testing.assert_array_equal(found.places[:, 1], found.places[:, 3])


@pytest.mark.parametrize("chunk", [1, 7, 64, 500])
def test_chunks_change_no_bit(chunk: int) -> None:
    scores = made_up(systems=17, judges=5, clips=199)
    whole, cut = bootstrap(scores, replicates=150), bootstrap(scores, replicates=150, chunk=chunk)
    np.testing.assert_array_equal(whole.places, cut.places)
    np.testing.assert_array_equal(whole.means, cut.means)


def test_threads_change_no_bit() -> None:
    scores = made_up(systems=40, judges=5, clips=199)
    with threadpool_limits(1):
        one = bootstrap(scores, replicates=400)
    with threadpool_limits(4):
        four = bootstrap(scores, replicates=400)
    np.testing.assert_array_equal(one.places, four.places)
    np.testing.assert_array_equal(one.means, four.means)


def test_order_of_clips_and_kernels_cannot_break_a_tie() -> None:
    """Two systems with the same values, one noisy in the last bit, tie in every replicate."""
    scores = made_up(systems=20, judges=4, clips=100)
    scores[7] = scores[2] * (1.0 + 1e-15)
    found = bootstrap(scores, replicates=300)
    np.testing.assert_array_equal(found.places[:, 7], found.places[:, 2])


def test_the_seed_decides_and_the_first_replicates_stay() -> None:
    scores = made_up()
    long, short = (
        bootstrap(scores, replicates=300, seed=5),
        bootstrap(scores, replicates=50, seed=5),
    )
    np.testing.assert_array_equal(long.places[:50], short.places)
    assert (bootstrap(scores, replicates=50, seed=6).means != short.means).any()


def test_draws_are_pinned() -> None:
    """The stream must not change with a release of numpy or of this library."""
    counts = next(draws(8, 3, 0).counts(3))
    assert counts.astype(int).tolist() == [
        [3, 2, 1, 0, 2, 0, 0, 0],
        [0, 0, 1, 1, 2, 1, 0, 3],
        [0, 2, 1, 1, 0, 1, 1, 2],
    ]
    assert next(draws(8, 3, 1).counts(3)).tolist() != counts.tolist()


def test_draws_are_uniform_and_sum_to_the_size() -> None:
    counts = next(draws(7, 4000, 1, size=5).counts(4000))
    assert set(counts.sum(axis=1)) == {5.0}
    expected = 4000 * 5 / 7
    assert np.abs(counts.sum(axis=0) - expected).max() < 5 * np.sqrt(expected)


def test_more_clips_than_there_are() -> None:
    wide = bootstrap(made_up(), replicates=300, size=10).means.std(axis=0)
    narrow = bootstrap(made_up(), replicates=300, size=1000).means.std(axis=0)
    assert (narrow < wide / 5).all()


def test_a_missing_judge_ranks_last_in_every_replicate() -> None:
    scores = made_up(systems=3, judges=2)
    scores[0, 1] = np.nan
    scores[0, 0] += 0.4
    found = bootstrap(scores, replicates=50, break_ties=False)
    # First by judge 0 (2 points), last by judge 1 (0): never alone on place 1.
    assert found.places[:, 0].min() >= 1
    assert np.isfinite(found.means[:, 1:]).all()
    others = bootstrap(scores[1:], replicates=50, break_ties=False)
    np.testing.assert_allclose(found.means[:, 1:], others.means, atol=1e-12)


def test_rk_04_all_equal() -> None:
    found = bootstrap(np.full((1, 1, 5), 0.5), replicates=100)
    low, high = found.mean_interval()
    assert (low[0], high[0]) == (0.5, 0.5)


def test_rank_interval_is_the_percentile_of_places() -> None:
    places = np.array([[1]] * 10 + [[2]] * 85 + [[3]] * 5, dtype=np.int32)
    found = Replicates(places, np.zeros((100, 1)), 9)
    assert [end.tolist() for end in found.rank_interval()] == [[1], [3]]
    assert [end.tolist() for end in found.rank_interval(0.85)] == [[1], [2]]
    assert found.first().tolist() == [0.1]


def test_distribution_counts_places() -> None:
    found = Replicates(np.array([[1, 2], [1, 1], [2, 1]], dtype=np.int32), np.zeros((3, 2)), 4)
    np.testing.assert_allclose(found.distribution(), [[2 / 3, 1 / 3], [2 / 3, 1 / 3]])


@pytest.mark.parametrize("shape", [(0, 2, 3), (2, 0, 3), (2, 2, 0)])
def test_nothing_to_resample(shape: tuple[int, int, int]) -> None:
    assert len(bootstrap(np.zeros(shape)).places) == 0


@pytest.mark.parametrize(("replicates", "seed"), [(-1, 0), (10, -1)])
def test_senseless_options_are_refused(replicates: int, seed: int) -> None:
    with pytest.raises(ScoringError, match="not"):
        bootstrap(made_up(), replicates=replicates, seed=seed)


def test_large_scores_stay_exact() -> None:
    scores = made_up() * 1000.0
    whole, cut = bootstrap(scores, replicates=100), bootstrap(scores, replicates=100, chunk=3)
    np.testing.assert_array_equal(whole.means, cut.means)
    np.testing.assert_array_equal(whole.places, plain(scores, 100, 0)[0])

"""The curve of rank stability against the number of clips."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.ranking import bootstrap, head_to_head, stability
from scoring.ranking.borda import standing


def made_up(systems: int = 8, clips: int = 100) -> np.ndarray:
    rng = np.random.default_rng(0)
    level = np.linspace(0.5, 0.6, systems)[:, None, None]
    return level + 0.1 * rng.standard_normal((systems, 2, clips))


def test_more_clips_hold_the_ranking_better() -> None:
    curve = stability(made_up(), sizes=[5, 20, 100, 1000])
    taus = [point.tau for point in curve]
    assert taus == sorted(taus)
    assert taus[-1] - taus[0] > 0.2
    firsts = [point.same_first for point in curve]
    assert firsts[-1] > firsts[0]
    assert all(point.tau_low <= point.tau <= point.tau_high for point in curve)


def test_at_the_clips_at_hand_it_is_the_bootstrap() -> None:
    scores = made_up()
    full = standing(scores.mean(axis=2)).places
    drawn = bootstrap(scores, replicates=200, seed=4)
    (point,) = stability(scores, sizes=[100], seed=4)
    assert point.tau == pytest.approx(head_to_head(drawn, full).tau.mean())
    first = int(np.argmin(full))
    assert point.same_first == pytest.approx(drawn.first()[first])


def test_default_sizes_run_from_few_to_twice_as_many() -> None:
    sizes = [point.clips for point in stability(made_up(clips=199))]
    assert sizes == [10, 20, 40, 70, 100, 149, 199, 298, 398]
    assert [point.clips for point in stability(made_up(clips=3))] == [2, 3, 4, 6]


def test_without_order_tau_is_open() -> None:
    curve = stability(np.full((3, 2, 10), 0.5), sizes=[4])
    assert curve[0].tau is curve[0].tau_low is None
    assert curve[0].same_first == 1.0


@pytest.mark.parametrize("shape", [(3, 2, 1), (0, 2, 5), (3, 0, 5)])
def test_nothing_to_vary(shape: tuple[int, int, int]) -> None:
    assert stability(np.ones(shape)) == ()

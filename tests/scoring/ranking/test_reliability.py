"""Everything about a ranking in one value."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from scoring.ranking import (
    Reliability,
    bootstrap,
    compare,
    influence,
    rank_scores,
    rank_sets,
    statistics,
)

JUDGES = ["x", "y", "z"]


def made_up(systems: int = 6, clips: int = 50) -> np.ndarray:
    rng = np.random.default_rng(0)
    # The best system is not the first, so that an order mixed up shows.
    level = np.roll(np.linspace(0.7, 0.5, systems), 2)[:, None, None]
    noise = rng.standard_normal((systems, 1, clips)) + 0.3 * rng.standard_normal(
        (systems, 3, clips)
    )
    return level + 0.15 * noise


@pytest.fixture(scope="module")
def found() -> Reliability:
    return statistics(list("ABCDEF"), JUDGES, made_up(), replicates=300, seed=2)


def test_everything_follows_the_order_of_the_table(found: Reliability) -> None:
    scores = made_up()
    table = rank_scores(list("ABCDEF"), JUDGES, {"hm_cf": scores}, replicates=300, seed=2)
    assert found.table == table
    assert found.systems == tuple(row.system for row in table.rows)
    order = ["ABCDEF".index(name) for name in found.systems]
    assert order != sorted(order)
    assert found.places.tolist() == [row.rank for row in table.rows]
    drawn = bootstrap(scores[order], replicates=300, seed=2)
    np.testing.assert_allclose(found.resampled.first, drawn.first())
    np.testing.assert_allclose(found.resampled.distribution, drawn.distribution())
    assert found.resampled.low.tolist() == [row.rank_low for row in table.rows]
    assert found.resampled.high.tolist() == [row.rank_high for row in table.rows]
    over_judges = scores[order].mean(axis=1)
    np.testing.assert_allclose(found.comparison.p, compare(over_judges).p)
    np.testing.assert_allclose(found.over_judges.means, over_judges.mean(axis=1))
    sets = rank_sets(over_judges, replicates=300, seed=2)
    np.testing.assert_array_equal(found.over_judges.sets.low, sets.low)
    assert found.leaving == influence(found.systems, scores[order].mean(axis=2))


def test_each_judge_has_its_own_sets(found: Reliability) -> None:
    order = ["ABCDEF".index(name) for name in found.systems]
    assert [ranks.basis for ranks in found.by_judge] == JUDGES
    for j, ranks in enumerate(found.by_judge):
        own = made_up()[order][:, j]
        np.testing.assert_allclose(ranks.means, own.mean(axis=1))
        np.testing.assert_array_equal(ranks.sets.high, rank_sets(own, replicates=300, seed=2).high)
        assert set(ranks.best) >= {found.systems[int(np.argmax(ranks.means))]}


def test_probabilities_add_up(found: Reliability) -> None:
    resampled = found.resampled
    np.testing.assert_allclose(resampled.distribution.sum(axis=1), 1.0)
    np.testing.assert_allclose(resampled.distribution[:, 0], resampled.first)
    both = resampled.above + resampled.above.T
    assert both[~np.eye(6, dtype=bool)].max() <= 1.0 + 1e-12
    assert resampled.tau_low < resampled.tau < resampled.tau_high <= 1.0


def test_panels_without_a_judge_and_of_every_subset(found: Reliability) -> None:
    assert len(found.without_judge) == 3
    assert len(found.judge_subsets) == 7
    assert found.judge_subsets[-1].places.tolist() == found.places.tolist()


def test_claims_are_about_neighbours(found: Reliability) -> None:
    pairs = [(claim.first, claim.second) for claim in found.claims]
    assert pairs == list(zip(found.systems, found.systems[1:], strict=False))
    sets = found.over_judges.sets
    for n, claim in enumerate(found.claims):
        assert claim.above == found.resampled.above[n, n + 1]
        assert claim.separable == bool(sets.above[n, n + 1])


def test_detectable_is_the_median_over_pairs(found: Reliability) -> None:
    pairs = found.comparison.detectable[np.triu_indices(6, 1)]
    assert found.detectable == pytest.approx(float(np.median(pairs)))


def strict(value: Reliability) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(json.dumps(value.to_json(), allow_nan=False))
    return loaded


def test_json_holds_it_all(found: Reliability) -> None:
    data = strict(found)
    assert data["signature"] == found.table.signature
    assert data["table"]["rows"][0]["system"] == found.systems[0]
    assert data["resampled"]["above"] == found.resampled.above.tolist()
    assert data["over_judges"]["sets"]["low"] == found.over_judges.sets.low.tolist()
    assert data["claims"][0]["text"] == found.claims[0].text
    assert len(data["stability"]) == 9


def test_ap_02_systems_that_miss_a_judge_are_named_and_left_out() -> None:
    scores = made_up()
    scores[1, 2, 7] = np.nan
    scores[:, :, 11] = np.nan
    found = statistics(list("ABCDEF"), JUDGES, scores, replicates=50)
    assert found.unranked == ("B",)
    assert len(found.systems) == 5
    assert np.isfinite(found.comparison.p).all()
    kept = np.delete(np.delete(scores, 1, axis=0), 11, axis=2)
    alone = statistics(list("ACDEF"), JUDGES, kept, replicates=50)
    np.testing.assert_array_equal(found.resampled.above, alone.resampled.above)
    strict(found)


@pytest.mark.parametrize(
    "scores",
    [
        np.zeros((0, 3, 5)),
        np.zeros((2, 3, 0)),
        np.full((2, 3, 1), 0.5),
        np.full((1, 3, 9), 0.5),
        np.full((4, 3, 9), 0.5),
        np.full((2, 3, 9), np.nan),
    ],
    ids=["no system", "no clip", "one clip", "one system", "all equal", "nothing scored"],
)
def test_degenerate_data_has_defined_answers(scores: np.ndarray) -> None:
    found = statistics(list("ABCD")[: len(scores)], JUDGES, scores, replicates=40)
    data = strict(found)
    if scores.size == 0 or scores.shape[2] < 2 or np.isnan(scores).all():
        assert found.resampled is None
        assert data["claims"] == []
    if scores.shape == (4, 3, 9):
        assert found.places.tolist() == [1, 1, 1, 1]
        assert found.over_judges.best == tuple("ABCD")
        assert found.resampled.tau is None
        assert (found.comparison.p == 1.0).all()


def test_one_clip_is_not_applicable() -> None:
    found = statistics(["A", "B"], JUDGES, np.random.default_rng(0).random((2, 3, 1)))
    assert found.resampled is found.over_judges.sets is found.detectable is None
    assert found.stability == ()


def test_no_judges() -> None:
    found = statistics(["A"], [], np.zeros((1, 0, 4)))
    assert found.unranked == ("A",)
    strict(found)


def test_without_replicates_nothing_is_resampled() -> None:
    found = statistics(["A", "B"], JUDGES, made_up(2), replicates=0)
    assert found.resampled is None
    assert found.over_judges.sets is None
    assert np.isfinite(found.comparison.p).all()

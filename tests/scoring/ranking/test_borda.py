"""Borda: points, ties, missing judges, float noise, and the paper's per-clip count."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from scoring.ranking import per_clip_borda
from scoring.ranking.borda import average_ranks, places, points, standing

NAN = float("nan")
RK02 = np.array([[0.8, 0.8, 0.5], [0.8, 0.7, 0.9], [0.1, NAN, 0.95]])


def test_points_count_the_systems_below() -> None:
    assert points(np.array([[0.9], [0.5], [0.7]])).T.tolist() == [[2.0, 0.0, 1.0]]


def test_ties_share_the_average_rank() -> None:
    assert points(np.array([[0.9], [0.5], [0.9], [0.1]])).T.tolist() == [[2.5, 1.0, 2.5, 0.0]]


@given(
    arrays(
        np.float64,
        st.tuples(st.integers(1, 7), st.integers(1, 4)),
        elements=st.sampled_from([0.0, 0.25, 0.5, 0.75, NAN]),
    )
)
def test_every_judge_hands_out_the_same_sum(means: np.ndarray) -> None:
    systems = len(means)
    np.testing.assert_allclose(points(means).sum(axis=0), systems * (systems - 1) / 2)


@given(
    arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 9)), elements=st.floats(-1, 1))
)
def test_average_ranks_are_those_of_scipy(values: np.ndarray) -> None:
    # Scipy tells values apart that differ by noise, so the inputs are made coarse first.
    coarse = np.round(values, 3)
    np.testing.assert_array_equal(average_ranks(coarse), rankdata(-coarse, axis=-1))


def test_places_are_shared_and_leave_a_gap() -> None:
    assert places(np.array([5.0, 7.0, 5.0, 1.0])).tolist() == [2, 1, 2, 4]


def test_equal_totals_are_ordered_by_the_mean() -> None:
    totals, means = np.array([67.0, 67.0, 42.0]), np.array([0.6383, 0.6396, 0.59])
    assert places(totals, means).tolist() == [2, 1, 3]


def test_a_gap_of_four_in_ten_million_is_a_gap() -> None:
    totals, means = np.array([42.0, 42.0]), np.array([0.5997710, 0.5997714])
    assert places(totals, means).tolist() == [2, 1]


def test_rk_02_totals_when_missing_ranks_last() -> None:
    found = standing(RK02, "last")
    assert found.totals.tolist() == [3.5, 3.5, 2.0]
    assert found.totals.sum() == 9.0
    assert found.places.tolist() == [1, 1, 3]


def test_rk_02_float_noise_changes_nothing() -> None:
    noisy = RK02.copy()
    noisy[0, 0] = 0.1 + 0.7
    assert noisy[0, 0] != RK02[0, 0]
    assert standing(noisy, "last").totals.tolist() == [3.5, 3.5, 2.0]
    assert standing(noisy, "last").places.tolist() == [1, 1, 3]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_rk_02_submission_order_changes_nothing(order: tuple[int, ...]) -> None:
    found = standing(RK02[list(order)], "last")
    expected = standing(RK02, "last")
    np.testing.assert_array_equal(found.totals, expected.totals[list(order)])
    np.testing.assert_array_equal(found.places, expected.places[list(order)])


def test_a_missing_judge_leaves_a_system_unranked_by_default() -> None:
    found = standing(RK02)
    assert found.counted.tolist() == [0, 1]
    # Points are counted among the two that remain: a tie, one win each; the mean decides.
    assert found.totals.tolist() == [1.5, 1.5]
    assert found.places.tolist() == [2, 1]


def test_several_missing_systems_share_the_last_ranks() -> None:
    means = np.array([[0.5, 0.5], [0.4, NAN], [0.6, NAN]])
    assert points(means)[:, 1].tolist() == [2.0, 0.5, 0.5]


def test_a_system_without_any_judge_is_never_ranked() -> None:
    assert standing(np.array([[0.5], [NAN]]), "last").counted.tolist() == [0]


@given(
    arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 3)), elements=st.floats(0, 1))
)
def test_both_rules_agree_on_complete_data(means: np.ndarray) -> None:
    first, second = standing(means), standing(means, "last")
    np.testing.assert_array_equal(first.totals, second.totals)
    np.testing.assert_array_equal(first.places, second.places)


def test_noise_in_many_judges_does_not_split_a_tie_of_means() -> None:
    # 0.1 + 0.2 is not 0.3 in floats, and neither are the means over judges then.
    means = np.array([[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]])
    assert standing(means).places.tolist() == [1, 1]


def test_nothing_to_rank() -> None:
    empty = standing(np.zeros((0, 3)))
    assert (empty.counted.size, empty.totals.size, empty.places.size) == (0, 0, 0)
    assert standing(np.zeros((2, 0))).counted.size == 0


def test_per_clip_borda_counts_one_more_per_judge() -> None:
    scores = np.array([[0.9, 0.9], [0.5, 0.6], [0.7, 0.5]])
    assert per_clip_borda(scores).tolist() == [6.0, 3.0, 3.0]


@pytest.mark.parametrize("clip", ["112", "053"])
def test_published_tables_8_and_9(published_clip_cc: Path, clip: str) -> None:
    rows = json.loads(published_clip_cc.read_text())["per_clip"]["clips"][clip]
    judges = [key for key in rows[0] if key not in {"slug", "borda"}]
    scores = np.array([[row[judge] for judge in judges] for row in rows])
    found = per_clip_borda(scores)
    # The table is printed to three decimals. Whom rounding made equal, full precision may have
    # told apart: each tie with another system shifts a judge's points by half a point at most.
    ties = np.array(
        [[(scores[:, j] == value).sum() - 1 for j, value in enumerate(row)] for row in scores]
    )
    published = np.array([row["borda"] for row in rows])
    assert (np.abs(found - published) <= 0.5 * ties.sum(axis=1)).all()
    exact = ties.sum(axis=1) == 0
    assert exact.sum() >= 8
    np.testing.assert_array_equal(found[exact], published[exact])
    assert found.sum() == published.sum()

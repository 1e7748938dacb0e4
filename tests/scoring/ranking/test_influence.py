"""Ranks without a judge, by subsets of judges, and without a system: against ranking again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scoring.ranking import influence, judge_subsets, leave_one_judge_out
from scoring.ranking.borda import standing


@pytest.fixture
def means() -> np.ndarray:
    return np.random.default_rng(0).uniform(0, 1, (6, 4))


def test_leaving_out_a_judge_is_ranking_by_the_others(means: np.ndarray) -> None:
    found = leave_one_judge_out("abcd", means)
    assert [panel.judges for panel in found] == [
        tuple("abc"),
        tuple("abd"),
        tuple("acd"),
        tuple("bcd"),
    ]
    for panel in found:
        kept = ["abcd".index(judge) for judge in panel.judges]
        np.testing.assert_array_equal(panel.places, standing(means[:, kept]).places)
    assert len({tuple(panel.places) for panel in found}) > 1


def test_every_subset_is_ranked(means: np.ndarray) -> None:
    found = judge_subsets("abcd", means)
    assert len(found) == 15
    assert found[-1].judges == tuple("abcd")
    np.testing.assert_array_equal(found[-1].places, standing(means).places)
    np.testing.assert_array_equal(found[1].places, standing(means[:, [1]]).places)


def test_a_large_panel_is_not_taken_apart_whole() -> None:
    means = np.random.default_rng(1).uniform(0, 1, (3, 9))
    found = judge_subsets("abcdefghi", means)
    assert [len(panel.judges) for panel in found] == [1] * 9 + [8] * 9 + [9]


def test_one_judge_cannot_be_left_out() -> None:
    assert leave_one_judge_out("a", np.ones((2, 1))) == ()
    assert leave_one_judge_out("", np.ones((2, 0))) == ()


@given(arrays(np.float64, (5, 3), elements=st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5])))
def test_influence_is_ranking_again_without_the_system(means: np.ndarray) -> None:
    names = list("ABCDE")
    found = influence(names, means)
    full = standing(means)
    for gone, name in enumerate(names):
        kept = [v for v in range(5) if v != gone]
        after = standing(means[kept]).places
        # Places of the full table closed up: how many of the kept are placed before.
        before = [1 + int((full.places[kept] < full.places[v]).sum()) for v in kept]
        expected = {
            names[v]: (was, int(now))
            for v, was, now in zip(kept, before, after, strict=True)
            if was != now
        }
        assert {move.system: (move.before, move.after) for move in found[name]} == expected


def test_a_third_system_turns_two_others_round() -> None:
    """One judge puts A above C above B, the other B above both: C earns A its lead."""
    means = np.array([[0.9, 0.5], [0.8, 0.9], [0.85, 0.1]])
    full = standing(means)
    assert (full.totals.tolist(), full.places.tolist()) == ([3.0, 2.0, 1.0], [1, 2, 3])
    found = influence(["A", "B", "C"], means)
    moves = [(move.system, move.before, move.after) for move in found["C"]]
    assert moves == [("A", 1, 2), ("B", 2, 1)]
    assert found["A"] == found["B"] == ()


@pytest.mark.parametrize("systems", [0, 1])
def test_nobody_left(systems: int) -> None:
    names = list("A"[:systems])
    assert influence(names, np.ones((systems, 2))) == dict.fromkeys(names, ())

"""Correlations of judges, against scipy, and where they are not defined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from scoring.ranking import agreement
from scoring.ranking.agreement import kendall, pearson, spearman

COARSE = arrays(np.float64, 9, elements=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))


@given(COARSE, COARSE)
def test_rank_correlations_are_those_of_scipy(x: np.ndarray, y: np.ndarray) -> None:
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        assert spearman(x, y) is kendall(x, y) is pearson(x, y) is None
        return
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-12)


def test_kendall_counts_each_pair_once() -> None:
    """Against a loop over pairs, with many ties and with none."""
    rng = np.random.default_rng(4)
    for x, y in ((rng.integers(0, 5, 60), rng.integers(0, 9, 60)), rng.uniform(size=(2, 60))):
        signs = [(np.sign(x[a] - x[b]), np.sign(y[a] - y[b])) for a in range(60) for b in range(60)]
        agreed = sum(s * t for s, t in signs)
        untied = sum(s != 0 for s, _ in signs) * sum(t != 0 for _, t in signs)
        assert kendall(x.astype(float), y.astype(float)) == agreed / np.sqrt(untied)


def test_pearson_is_over_all_pairs_of_system_and_clip() -> None:
    scores = np.random.default_rng(0).uniform(0, 1, (4, 3, 7))
    found = agreement(["a", "b", "c"], scores.mean(axis=2), scores)["pearson"]
    by_hand = np.corrcoef([scores[:, j].ravel() for j in range(3)])
    np.testing.assert_allclose(np.array(found["matrix"]), by_hand)
    pairs = by_hand[np.triu_indices(3, 1)]
    assert found["min"] == pytest.approx(pairs.min())
    assert found["max"] == pytest.approx(pairs.max())
    assert found["mean"] == pytest.approx(pairs.mean())


def test_what_one_judge_lacks_is_left_out_of_its_pairs_only() -> None:
    means = np.random.default_rng(1).uniform(0, 1, (6, 3))
    gaps = means.copy()
    gaps[2, 1] = np.nan
    full, holed = (agreement(list("abc"), table)["spearman"]["matrix"] for table in (means, gaps))
    assert holed[0][2] == full[0][2]
    assert holed[0][1] == pytest.approx(spearman(*np.delete(means, 2, axis=0)[:, :2].T))


def test_noise_is_no_opinion() -> None:
    flat = 0.3 + np.array([0.0, 1e-16, -1e-16, 5e-17])
    assert pearson(flat, np.arange(4.0)) is kendall(flat, np.arange(4.0)) is None


def test_tiny_spreads_do_not_underflow() -> None:
    x = np.array([0.0, 1.0, 2.0]) * 1e-170
    assert pearson(x, np.array([0.0, 1.0, 2.0]) * 1e-170) == pytest.approx(1.0)


@pytest.mark.parametrize("systems", [0, 1])
def test_fewer_than_two_systems(systems: int) -> None:
    found = agreement(["a", "b"], np.zeros((systems, 2)), np.zeros((systems, 2, 1)))
    assert found["judges"] == ["a", "b"]
    for measure in ("spearman", "kendall", "pearson"):
        assert found[measure]["mean"] is None
        assert found[measure]["matrix"] == [[None, None], [None, None]]


def test_one_judge_has_nobody_to_agree_with() -> None:
    found = agreement(["a"], np.array([[0.1], [0.2]]))
    assert found["kendall"] == {"min": None, "max": None, "mean": None, "matrix": [[1.0]]}

"""P(a above b) and Kendall's tau of replicates, against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from scoring.ranking import Replicates, head_to_head, headtohead


def replicates(places: object) -> Replicates:
    array = np.array(places, dtype=np.int32)
    return Replicates(array, np.zeros(array.shape), 10)


@pytest.fixture
def noisy() -> tuple[Replicates, np.ndarray]:
    rng = np.random.default_rng(0)
    full = np.array([1, 3, 3, 2, 5, 6, 6])
    return replicates(rng.integers(1, 6, (50, 7))), full


def test_shares_are_counted(noisy: tuple[Replicates, np.ndarray]) -> None:
    drawn, full = noisy
    found = head_to_head(drawn, full)
    for a in range(7):
        for b in range(7):
            above = (drawn.places[:, a] < drawn.places[:, b]).mean()
            tied = (drawn.places[:, a] == drawn.places[:, b]).mean()
            assert found.above[a, b] == pytest.approx(above)
            assert found.tied[a, b] == pytest.approx(tied)


def test_tau_is_that_of_scipy(noisy: tuple[Replicates, np.ndarray]) -> None:
    drawn, full = noisy
    expected = [kendalltau(row, full).statistic for row in drawn.places]
    np.testing.assert_allclose(head_to_head(drawn, full).tau, expected, atol=1e-12)


def test_many_systems_use_the_first_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headtohead, "_MOST_COMPARISONS", 3 * 20)
    places = np.argsort(np.random.default_rng(1).random((50, 3)), axis=1) + 1
    full = np.array([1, 2, 3])
    found = head_to_head(replicates(places), full)
    assert len(found.tau) == 20
    np.testing.assert_allclose(found.above, head_to_head(replicates(places[:20]), full).above)


def test_more_places_than_a_byte_holds() -> None:
    order = np.random.default_rng(2).permutation(300) + 1
    found = head_to_head(replicates([order, order[::-1]]), order)
    assert found.tau[0] == pytest.approx(1.0)
    assert found.tau[1] == pytest.approx(kendalltau(order[::-1], order).statistic)


def test_ties_all_over_leave_tau_open() -> None:
    found = head_to_head(replicates([[1, 1], [1, 2]]), np.array([1, 2]))
    assert np.isnan(found.tau[0])
    assert found.tau[1] == 1.0
    assert np.isnan(head_to_head(replicates([[1, 2]]), np.array([1, 1])).tau[0])


def test_one_system_and_none() -> None:
    one = head_to_head(replicates([[1], [1]]), np.array([1]))
    assert one.above.tolist() == [[0.0]]
    assert np.isnan(one.tau).all()
    none = head_to_head(
        Replicates(np.zeros((3, 0), np.int32), np.zeros((3, 0)), 2), np.array([], int)
    )
    assert none.above.shape == (0, 0)

"""Points on a plane against the plain way: components of the vectors themselves."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.projection import principal_coordinates


def unit(seed: int, n: int, d: int) -> np.ndarray:
    """Random unit vectors."""
    made = np.random.default_rng(seed).normal(size=(n, d))
    return made / np.linalg.norm(made, axis=1, keepdims=True)


@pytest.mark.parametrize(("n", "d"), [(5, 3), (40, 16), (199, 8)])
def test_the_components_of_the_vectors(n: int, d: int) -> None:
    """Up to the sign of an axis, and with their share of the variance."""
    vectors = unit(n, n, d)
    points, share = principal_coordinates(vectors @ vectors.T)
    centred = vectors - vectors.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    expected = left[:, :2] * sizes[:2]
    np.testing.assert_allclose(np.abs(points), np.abs(expected), atol=1e-9)
    assert share == pytest.approx((sizes[:2] ** 2).sum() / (sizes**2).sum())
    assert (points[np.abs(points).argmax(axis=0), [0, 1]] > 0).all()


def test_what_has_no_plane() -> None:
    """One text, equal texts, two texts, no square."""
    assert principal_coordinates(np.ones((1, 1)))[0].tolist() == [[0.0, 0.0]]
    points, share = principal_coordinates(np.ones((4, 4)))
    assert (points == 0).all()
    assert share == 1.0
    points, share = principal_coordinates(np.eye(2))
    assert points[:, 0].tolist() == pytest.approx([2**-0.5, -(2**-0.5)]) or points[
        :, 0
    ].tolist() == pytest.approx([-(2**-0.5), 2**-0.5])
    assert share == pytest.approx(1.0)
    with pytest.raises(ValueError, match="square"):
        principal_coordinates(np.ones((2, 3)))

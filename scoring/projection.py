"""Points on a plane for texts whose cosines are known."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from scoring.types import FloatArray


def principal_coordinates(cosines: FloatArray) -> tuple[FloatArray, float]:
    """Coordinates of n unit vectors on their two main axes, shape (n, 2), and the share of all
    variance that the two hold, in [0, 1].

    ``cosines`` (n x n) is their Gram matrix; centred twice, its leading eigenvectors scaled by the
    roots of their eigenvalues are the principal components of the vectors (Gower 1966). The sign
    of an axis is free: here the coordinate that is largest in size is positive, so that the same
    cosines give the same picture. Fewer than two dimensions leave zeros.
    """
    gram = np.asarray(cosines, dtype=np.float64)
    if gram.ndim != 2 or gram.shape[0] != gram.shape[1]:
        raise ValueError(f"cosines must be square, not of shape {gram.shape}")
    n = len(gram)
    points = np.zeros((n, 2))
    if n < 2:
        return points, 1.0
    means = gram.mean(axis=0)
    centred = gram - means - means[:, None] + gram.mean()
    total = float(np.trace(centred))
    if total <= n * np.finfo(np.float64).eps:
        return points, 1.0
    axes = min(2, n - 1)
    values, vectors = eigh(centred, subset_by_index=[n - axes, n - 1])
    values = np.clip(values, 0.0, None)[::-1]
    found = vectors[:, ::-1] * np.sqrt(values)
    largest = np.abs(found).argmax(axis=0)
    found *= np.where(found[largest, np.arange(axes)] < 0, -1.0, 1.0)
    points[:, :axes] = found
    return points, min(1.0, float(values.sum()) / total)

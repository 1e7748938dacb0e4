"""Which systems do well and badly on the same clips."""

from __future__ import annotations

import numpy as np

from scoring.ranking.agreement import pearson
from scoring.ranking.borda import TIE, IntArray, tie_tolerance
from scoring.types import FloatArray

_BLOCK = 256
_DIGITS, _NOISE = 12, 2e-12
"""Of a correlation that comes from a matrix product: what lies beyond is noise."""


def similarity(scores: FloatArray, system: int) -> tuple[float | None, ...]:
    """How alike the profile of one system is to that of every other.

    Args:
        scores: (V, C) values of V systems on the same C clips, no NaN.
        system: the row that the others are compared with.

    Returns:
        For each system Pearson's correlation, over clips, of the two rows after the mean of each
        clip over systems has been taken away: that a clip is hard for everybody makes nobody
        alike. In [-1, 1], 1 for the system itself; None where a profile is flat, and for all with
        fewer than three systems, whose profiles mirror each other whatever the scores.
    """
    if len(scores) < 3:
        return (None,) * len(scores)
    profiles = _profiles(scores)
    return tuple(pearson(profiles[system], other) for other in profiles)


def nearest(scores: FloatArray, count: int) -> tuple[IntArray, FloatArray]:
    """For each system the ``count`` others that are most alike, and how alike, most alike first.

    ``scores`` as in ``similarity``, which gives the same numbers one system at a time; of equal
    ones the first in the order given. Both results are (V, count); -1 and NaN stand where nobody,
    or nobody else, has a profile that can be compared.
    """
    systems = len(scores)
    found, alike = np.full((systems, count), -1), np.full((systems, count), np.nan)
    if systems < 3 or not count or scores.shape[1] < 2:
        return found, alike
    unit, flat = _unit(_profiles(scores))
    for start in range(0, systems, _BLOCK):
        block = unit[start : start + _BLOCK] @ unit.T
        block[:, flat] = block[flat[start : start + _BLOCK]] = -np.inf
        np.fill_diagonal(block[:, start:], -np.inf)
        least = np.partition(block, max(0, systems - count), axis=1)[:, max(0, systems - count)]
        for row, (values, at_least) in enumerate(zip(block, least, strict=True), start):
            near = np.flatnonzero((values >= at_least - _NOISE) & np.isfinite(values))
            likeness = np.clip(np.round(values[near], _DIGITS), -1.0, 1.0)
            best = np.argsort(-likeness, kind="stable")[:count]
            found[row, : best.size], alike[row, : best.size] = near[best], likeness[best]
    return found, alike


def _profiles(scores: FloatArray) -> FloatArray:
    """Without what every system has on a clip; what is left of noise is nothing."""
    profiles: FloatArray = scores - scores.mean(axis=0)
    profiles[np.abs(profiles) <= tie_tolerance(scores)] = 0.0
    return profiles


def _unit(profiles: FloatArray) -> tuple[FloatArray, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Rows whose products are Pearson's correlations, and which of them are flat."""
    noise = TIE * np.abs(profiles).max(axis=1)
    unit = profiles - profiles.mean(axis=1, keepdims=True)
    flat: np.ndarray[tuple[int], np.dtype[np.bool_]] = np.ptp(unit, axis=1) <= noise
    # Brought to the scale of 1, squares of tiny spreads do not underflow.
    unit /= np.where(flat, 1.0, np.abs(unit).max(axis=1))[:, None]
    unit /= np.where(flat, 1.0, np.sqrt((unit * unit).sum(axis=1)))[:, None]
    return unit, flat

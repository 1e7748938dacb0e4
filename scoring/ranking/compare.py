"""Two systems at a time: differences, p-values that allow for how many are looked at, power."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from scoring.ranking.bootstrap import LEVEL
from scoring.ranking.borda import tie_tolerance
from scoring.ranking.intervals import Differences, differences
from scoring.types import FloatArray

POWER = 0.8


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every pair of V systems on the same C clips; all arrays are (V, V), row less column.

    ``difference``: mean over clips. ``low``, ``high``: its 95% t interval, for one pair looked at
    alone. ``p``: two-sided paired t; ``p_holm``: the same after Holm's step-down correction over
    all V(V-1)/2 pairs. ``wins``, ``ties``: share of clips on which the row is better, or equal.
    ``detectable``: the least true difference that a test of this pair at this number of clips
    would find with power 0.8 (see ``detectable``). With one clip only ``difference``, ``wins`` and
    ``ties`` are defined; the rest is NaN.
    """

    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    p_holm: FloatArray
    wins: FloatArray
    ties: FloatArray
    detectable: FloatArray
    clips: int

    @property
    def losses(self) -> FloatArray:
        """Share of clips on which the row is worse."""
        return self.wins.T


def compare(scores: FloatArray, *, level: float = LEVEL) -> Comparison:
    """Compare every two systems by their (V, C) per-clip values, higher is better, no NaN."""
    systems, clips = scores.shape
    wins, ties = _wins(scores)
    if clips < 2:
        undefined = np.full((systems, systems), np.nan)
        mean = scores.sum(axis=1) if clips else np.full(systems, np.nan)
        gap = mean[:, None] - mean[None, :]
        return Comparison(gap, *(undefined,) * 4, wins, ties, undefined, clips)
    gaps = differences(scores)
    half = -stdtrit(clips - 1, (1.0 - level) / 2.0) * gaps.error
    p = p_values(gaps)
    return Comparison(
        difference=_square(systems, gaps, gaps.mean, -gaps.mean, 0.0),
        low=_square(systems, gaps, gaps.mean - half, -gaps.mean - half, 0.0),
        high=_square(systems, gaps, gaps.mean + half, half - gaps.mean, 0.0),
        p=_square(systems, gaps, p, p, 1.0),
        p_holm=_square(systems, gaps, holm(p), holm(p), 1.0),
        wins=wins,
        ties=ties,
        detectable=_square(
            systems,
            gaps,
            *(detectable(gaps.deviation, clips, alpha=1.0 - level),) * 2,
            0.0,
        ),
        clips=clips,
    )


def resampled_differences(
    means: FloatArray, *, level: float = LEVEL
) -> tuple[FloatArray, FloatArray]:
    """Percentile intervals of the paired differences, from resampled means.

    ``means``: (B, V), the means of all systems in the same B resamples (``bootstrap(...).means``).
    Returns the lower and the upper ends, (V, V), row less column; NaN without resamples.
    """
    replicates, systems = means.shape
    if not replicates:
        return np.full((systems, systems), np.nan), np.full((systems, systems), np.nan)
    tail = (1.0 - level) / 2.0
    low, high = np.zeros((2, systems, systems))
    for a in range(systems):
        for b in range(a + 1, systems):
            low[a, b], high[a, b] = np.quantile(means[:, a] - means[:, b], [tail, 1.0 - tail])
            low[b, a], high[b, a] = -high[a, b], -low[a, b]
    return low, high


def p_values(gaps: Differences) -> FloatArray:
    """Two-sided p of the paired t test, C - 1 degrees of freedom, for each pair.

    Two systems equal on every clip have p = 1; a gap that is the same on every clip has p = 0.
    """
    return np.asarray(2.0 * stdtr(gaps.clips - 1, -np.abs(gaps.t)))


def holm(p: FloatArray) -> FloatArray:
    """Holm's adjusted p-values: the k-th smallest of m times (m - k + 1), made monotone, at most 1.

    Rejecting where the adjusted value is at most alpha keeps the probability of any false
    rejection within the family at most alpha, whatever the dependence.
    """
    order = np.argsort(p, kind="stable")
    raised = p[order] * np.arange(p.size, 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return adjusted


def detectable(
    deviation: FloatArray, clips: int, *, alpha: float = 0.05, power: float = POWER
) -> FloatArray:
    """Minimum detectable difference of a paired two-sided t test.

    (t[1 - alpha/2, C - 1] + t[power, C - 1]) · s / sqrt(C), with s the standard deviation over
    clips of the paired difference: a true difference of this size is found significant with
    probability ``power``. Same units as ``deviation``; NaN with fewer than two clips.
    """
    if clips < 2:
        return np.full_like(deviation, np.nan)
    reach = -stdtrit(clips - 1, alpha / 2.0) + stdtrit(clips - 1, power)
    return np.asarray(reach * deviation / np.sqrt(clips))


def _wins(scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Share of clips on which each row beats, and equals, each column."""
    systems, clips = scores.shape
    noise = tie_tolerance(scores)
    wins, ties = np.zeros((2, systems, systems))
    for system in range(systems if clips else 0):
        gaps = scores[system] - scores
        wins[system] = (gaps > noise).mean(axis=1)
        ties[system] = (np.abs(gaps) <= noise).mean(axis=1)
    return wins, ties


def _square(
    systems: int, gaps: Differences, upper: FloatArray, lower: FloatArray, diagonal: float
) -> FloatArray:
    """A (V, V) matrix from the values of pairs a < b and those of the pairs turned round."""
    matrix = np.full((systems, systems), diagonal)
    matrix[gaps.first, gaps.second] = upper
    matrix[gaps.second, gaps.first] = lower
    return matrix

"""How far the judges agree: correlations over systems and over clips."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from scoring.ranking.borda import IntArray, average_ranks, tie_tolerance
from scoring.types import FloatArray

Correlate = Callable[[FloatArray, FloatArray], float | None]


def agreement(
    judges: Sequence[str], means: FloatArray, scores: FloatArray | None = None
) -> dict[str, Any]:
    """Correlation of every two judges, JSON-ready.

    ``means``: (V, J) mean primary metric; ``scores``: (V, J, C), where they are at hand. Returns
    ``judges`` and, for ``spearman`` and ``kendall`` (over systems, tau-b) and ``pearson`` (over
    all pairs of system and clip), a J x J ``matrix`` and the ``min``, ``max`` and ``mean`` of the
    pairs of different judges. None stands where a correlation is not defined: a constant judge,
    fewer than two systems. Pairs that either judge has not scored are left out.
    """
    result: dict[str, Any] = {"judges": list(judges)}
    result["spearman"] = _summary(_pairwise(means, spearman))
    result["kendall"] = _summary(_pairwise(means, kendall))
    if scores is not None:
        systems, count, clips = scores.shape
        cells = scores.transpose(0, 2, 1).reshape(systems * clips, count)
        result["pearson"] = _summary(_pairwise(cells, pearson))
    return result


def pearson(first: FloatArray, second: FloatArray) -> float | None:
    """Pearson correlation of two vectors, None if either is constant (within float noise)."""
    if len(first) < 2:
        return None
    x, y = first - first.mean(), second - second.mean()
    if np.ptp(x) <= tie_tolerance(first) or np.ptp(y) <= tie_tolerance(second):
        return None
    # Brought to the scale of 1, squares of tiny spreads do not underflow.
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    return _bounded(float(x @ y / np.sqrt((x @ x) * (y @ y))))


def spearman(first: FloatArray, second: FloatArray) -> float | None:
    """Spearman's rho: Pearson's correlation of the average ranks."""
    return pearson(average_ranks(first), average_ranks(second))


def kendall(first: FloatArray, second: FloatArray) -> float | None:
    """Kendall's tau-b: concordant less discordant pairs over the root of the untied pairs."""
    x, y = _order(average_ranks(first)), _order(average_ranks(second))
    pairs = len(x) * (len(x) - 1) // 2
    untied_x, untied_y = pairs - _ties(x), pairs - _ties(y)
    # Sorted by x, and within ties of x by y, what is out of order in y is discordant.
    discordant = _inversions(y[np.lexsort((y, x))])
    tied = _ties(x * len(x) + y)
    concordant = untied_x + untied_y - pairs + tied - discordant
    # Each pair is counted from both of its ends.
    untied = math.sqrt(2 * untied_x * 2 * untied_y)
    return _bounded(2 * (concordant - discordant) / untied) if untied else None


def _order(ranks: FloatArray) -> IntArray:
    """Ranks as whole numbers from 0 in the same order, equal where they are equal."""
    return np.unique(ranks, return_inverse=True)[1].astype(np.int64)


def _ties(values: IntArray) -> int:
    """How many pairs of equal values there are."""
    sizes = np.unique(values, return_counts=True)[1].astype(np.int64)
    return int((sizes * (sizes - 1) // 2).sum())


def _inversions(values: IntArray) -> int:
    """Pairs of which the first is greater, of whole numbers from 0: counted bit by bit.

    With the values grouped by their higher bits, each group in its order, a pair is out of order by
    its highest differing bit where one with that bit set stands before one without it.
    """
    found, bits = 0, int(values.max(initial=0)).bit_length()
    for bit in reversed(range(bits)):
        group, is_set = values >> (bit + 1), (values >> bit) & 1
        before = np.cumsum(is_set) - is_set
        starts = np.searchsorted(group, group, side="left")
        found += int(((before - before[starts]) * (1 - is_set)).sum())
        values = values[np.argsort(values >> bit, kind="stable")]
    return found


def _bounded(value: float) -> float:
    return min(1.0, max(-1.0, value))


def _pairwise(columns: FloatArray, correlate: Correlate) -> list[list[float | None]]:
    """The symmetric matrix of ``correlate`` over the columns of an (n, J) array."""
    judges = columns.shape[1]
    matrix: list[list[float | None]] = [[None] * judges for _ in range(judges)]
    known = np.isfinite(columns)
    for a in range(judges):
        for b in range(a, judges):
            both = known[:, a] & known[:, b]
            x, y = columns[:, a], columns[:, b]
            matrix[a][b] = matrix[b][a] = (
                correlate(x, y) if both.all() else correlate(x[both], y[both])
            )
    return matrix


def _summary(matrix: list[list[float | None]]) -> dict[str, Any]:
    pairs = [value for a, row in enumerate(matrix) for value in row[a + 1 :] if value is not None]
    return {
        "min": min(pairs, default=None),
        "max": max(pairs, default=None),
        "mean": float(np.mean(pairs)) if pairs else None,
        "matrix": matrix,
    }

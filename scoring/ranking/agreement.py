"""How far the judges agree: correlations over systems and over clips."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from scoring.ranking.borda import average_ranks, tie_tolerance
from scoring.types import FloatArray

Correlate = Callable[[FloatArray, FloatArray], float | None]
_BLOCK = 256


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
    x, y = average_ranks(first), average_ranks(second)
    untied_x = untied_y = agreed = 0
    # A block at a time: the signs of ten thousand systems against each other fill gigabytes.
    for start in range(0, len(x), _BLOCK):
        block = slice(start, start + _BLOCK)
        of_x, of_y = _signs(x[block], x), _signs(y[block], y)
        untied_x += int(np.count_nonzero(of_x))
        untied_y += int(np.count_nonzero(of_y))
        agreed += int(np.sum(of_x * of_y, dtype=np.int64))
    untied = math.sqrt(untied_x * untied_y)
    return _bounded(agreed / untied) if untied else None


def _signs(some: FloatArray, ranks: FloatArray) -> np.ndarray[Any, np.dtype[np.int8]]:
    behind, before = some[:, None] > ranks, some[:, None] < ranks
    return behind.view(np.int8) - before.view(np.int8)


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

"""Borda over judges: the one place where scores become ranks, points, totals and places.

*Per judge* a system earns as many points as there are systems below it: ``V - rank``, where
rank is 1 for the highest mean primary metric and exact ties share their average rank, so that a
judge always hands out V(V-1)/2 points. *The table* is ordered by the total over judges, then by
the full-precision mean of the primary metric over judges. Systems equal in both share a place
and leave the places behind it empty: 1, 2, 2, 4.

A system that a judge has not scored is *unranked* by default: it is listed last, without a place
or points, and takes no part in anybody's points. Under ``missing="last"`` it is ranked behind
everybody on that judge instead (several such systems share the average rank), so that points
still sum to J·V(V-1)/2. Means over different judges cannot be compared, so a table that holds an
incomplete system under this rule is ordered by the totals alone.

Equality. Two values are equal when, sorted, no step between them exceeds ``TIE`` times the
largest magnitude in sight (0.1 + 0.7 ties with 0.8, two systems 4e-7 apart do not). Steps are
compared rather than rounded digits, because rounding splits a pair that straddles an edge.

All functions work along the last axis, so that a table and ten thousand bootstrap replicates of
it go through the same lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from scoring.types import FloatArray

Missing = Literal["unranked", "last"]
IntArray = NDArray[np.int64]
_Number = TypeVar("_Number", bound=np.generic)

TIE = 1e-12
"""Relative size of a difference that counts as float noise."""


def tie_tolerance(values: FloatArray) -> float:
    """The absolute step below which two of ``values`` are equal; NaN are passed over."""
    # Arrays of a large board are gigabytes: copied only where there is something to leave out.
    least, most = values.min(initial=np.inf), values.max(initial=-np.inf)
    if np.isfinite(least) and np.isfinite(most):
        return TIE * max(abs(float(least)), abs(float(most)))
    finite = np.abs(values[np.isfinite(values)])
    return TIE * float(finite.max()) if finite.size else 0.0


def average_ranks(values: FloatArray, tolerance: float | None = None) -> FloatArray:
    """Ranks along the last axis, 1 for the highest; ties share the average of their ranks.

    ``values`` has shape (..., V) and is finite; so has the result, whose rows sum to V(V+1)/2.
    """
    if not values.size:
        return np.zeros(values.shape)
    noise = tie_tolerance(values) if tolerance is None else tolerance
    falling = -values
    order = _flat(np.argsort(falling, axis=-1))
    ranked = falling.take(order)
    steps = ranked[..., 1:] - ranked[..., :-1] > noise
    ranks = _first_of_group(steps).astype(np.float64)
    if not steps.all():
        # The last of a group is the first one seen from behind.
        ranks += values.shape[-1] - 1 - _first_of_group(steps[..., ::-1])[..., ::-1]
        ranks /= 2.0
    return _unsorted(order, ranks + 1.0)


def points(means: FloatArray) -> FloatArray:
    """Borda points of each system from each judge.

    ``means``: (V, J) mean primary metric, higher is better; NaN where a judge is missing, which
    ranks behind every number. Returns (V, J) with V - average rank, so each column sums to
    V(V-1)/2.
    """
    ranks = average_ranks(fill_missing(means).T, tie_tolerance(means))
    earned: FloatArray = (means.shape[0] - ranks).T
    return earned


def fill_missing(values: FloatArray) -> FloatArray:
    """``values`` with NaN replaced by one constant that lies well below every number."""
    present = values[np.isfinite(values)]
    if present.size == 0:
        return np.zeros_like(values)
    floor = float(present.min()) - max(1.0, float(np.abs(present).max()))
    return np.where(np.isfinite(values), values, floor)


def places(
    totals: FloatArray, means: FloatArray | None = None, tolerance: float | None = None
) -> IntArray:
    """Shared places (1, 2, 2, 4) along the last axis, by ``totals``, then by ``means``.

    Both have shape (..., V) and are finite, higher is better. Totals are sums of half points and
    therefore exact; ``tolerance`` is the noise allowed between means (default: see ``TIE``).
    """
    if totals.shape[-1] == 0:
        return np.zeros(totals.shape, dtype=np.int64)
    if means is None:
        means = np.zeros_like(totals)
    noise = tie_tolerance(means) if tolerance is None else tolerance
    order = _flat(np.lexsort((-means, -totals), axis=-1))
    total, mean = totals.take(order), means.take(order)
    steps = (total[..., :-1] != total[..., 1:]) | (mean[..., :-1] - mean[..., 1:] > noise)
    return _unsorted(order, _first_of_group(steps) + 1)


@dataclass(frozen=True, slots=True)
class Standing:
    """Who takes part in a table and where each one stands.

    ``counted``: indices (n,) of the systems ranked; ``totals`` and ``places``: (n,) their Borda
    totals and places; ``comparable``: whether each of them has every judge, so that means over
    judges may order equal totals.
    """

    counted: IntArray
    totals: FloatArray
    places: IntArray
    comparable: bool


def standing(means: FloatArray, missing: Missing = "unranked") -> Standing:
    """Borda totals and places from (V, J) mean primary metrics, NaN where a judge is missing."""
    present = np.isfinite(means)
    takes_part = present.any(axis=1) if missing == "last" else present.all(axis=1)
    counted = np.flatnonzero(takes_part & (means.shape[1] > 0))
    table = means[counted]
    totals = points(table).sum(axis=1)
    comparable = bool(np.isfinite(table).all())
    over_judges = table.mean(axis=1) if comparable and counted.size else None
    return Standing(counted, totals, places(totals, over_judges), comparable)


def per_clip_borda(scores: FloatArray) -> FloatArray:
    """Borda of one clip as the paper's tables 8 and 9 count it: V - rank + 1, summed over judges.

    ``scores``: (V, J) values of one clip. Returns (V,), between J and J·V. The leaderboard's own
    Borda counts V - rank instead.
    """
    totals: FloatArray = (points(scores) + 1.0).sum(axis=1)
    return totals


def _first_of_group(steps: NDArray[np.bool_]) -> IntArray:
    """0-based position of the first member of each group of ties, sorted, from the steps between
    neighbours: (..., V - 1) to (..., V).
    """
    first = np.zeros((*steps.shape[:-1], steps.shape[-1] + 1), dtype=np.int64)
    np.multiply(np.arange(1, first.shape[-1]), steps, out=first[..., 1:])
    return first if steps.all() else np.maximum.accumulate(first, axis=-1)


def _flat(order: IntArray) -> IntArray:
    """Positions along the last axis as positions in the whole array (which index much faster)."""
    count = order.shape[-1]
    rows = order.reshape(-1, count)
    return (rows + np.arange(0, rows.size, count)[:, None]).reshape(order.shape)


def _unsorted(order: IntArray, ranked: NDArray[_Number]) -> NDArray[_Number]:
    """Bring values given in sorted order back to the systems' own order."""
    result = np.empty_like(ranked)
    result.reshape(-1)[order.reshape(-1)] = ranked.reshape(-1)
    return result

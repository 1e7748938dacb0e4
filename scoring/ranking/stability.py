"""How the ranking would hold with fewer clips, or with more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.ranking.bootstrap import LEVEL, bootstrap
from scoring.ranking.borda import standing
from scoring.ranking.headtohead import head_to_head
from scoring.types import FloatArray

SHARES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Default sizes, as shares of the clips at hand."""


@dataclass(frozen=True, slots=True)
class StabilityPoint:
    """Rankings by ``clips`` clips against the full one.

    ``tau`` is the mean of Kendall's tau-b with the full ranking, ``tau_low`` and ``tau_high`` its
    95% percentile interval; None where tau is not defined (one system, all equal).
    ``same_first`` is the share of rankings with the same set of systems on place 1.
    """

    clips: int
    tau: float | None
    tau_low: float | None
    tau_high: float | None
    same_first: float


def stability(
    scores: FloatArray,
    *,
    sizes: Sequence[int] | None = None,
    replicates: int = 200,
    seed: int = 0,
) -> tuple[StabilityPoint, ...]:
    """The curve of rank stability against the number of clips.

    ``scores``: (V, J, C) primary metric, higher is better, no NaN. For each size n, n clips are
    drawn *with* replacement: at n = C that is the bootstrap, and n may exceed C, which answers
    what more clips of the same kind would settle. (Drawing without replacement would say that all
    C clips settle everything.) Empty with fewer than two clips or no system.
    """
    systems, judges, clips = scores.shape
    if clips < 2 or not systems or not judges:
        return ()
    full = standing(scores.mean(axis=2)).places
    chosen = sizes or sorted({max(2, round(share * clips)) for share in SHARES})
    tail = (1.0 - LEVEL) / 2.0
    points = []
    for size in chosen:
        drawn = bootstrap(scores, replicates=replicates, seed=seed, size=size)
        tau = head_to_head(drawn, full).tau
        tau = tau[np.isfinite(tau)]
        low, mean, high = (
            (float(np.quantile(tau, tail)), float(tau.mean()), float(np.quantile(tau, 1.0 - tail)))
            if tau.size
            else (None, None, None)
        )
        same = ((drawn.places == 1) == (full == 1)).all(axis=1)
        points.append(StabilityPoint(size, mean, low, high, float(same.mean())))
    return tuple(points)

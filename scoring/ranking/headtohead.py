"""Replicates of a ranking, taken two systems at a time: who is above whom, and Kendall's tau."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.ranking.bootstrap import Replicates
from scoring.ranking.borda import IntArray
from scoring.types import FloatArray

_MOST_COMPARISONS = 1_000_000_000
"""Pairs of systems times replicates looked at: some seconds' work."""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """``above[a, b]`` is the share of replicates with a above b and ``tied[a, b]`` that with both
    on one place (0 on the diagonal of ``above``, 1 on that of ``tied``); ``tau`` is Kendall's tau-b
    of each replicate with the full ranking, NaN where either is one single tie.
    """

    above: FloatArray
    tied: FloatArray
    tau: FloatArray


def head_to_head(replicates: Replicates, full: IntArray) -> HeadToHead:
    """Compare every two systems in every replicate, and each replicate with the places ``full``.

    Exact over all replicates up to a billion comparisons (V(V-1)/2 times B); beyond that the first
    replicates only, as many as fit (about 2000 for 1000 systems): they are a random sample, so a
    probability is then known to 0.011 (one standard error) at worst.
    """
    systems = full.size
    pairs = systems * (systems - 1) // 2
    kept = min(len(replicates.places), _MOST_COMPARISONS // max(pairs, 1))
    order = np.argsort(full, kind="stable")
    # One row a system, best first in the full ranking, in the smallest type that holds a place.
    small = np.uint8 if systems < 256 else np.uint16 if systems < 65_536 else np.uint32
    places = np.ascontiguousarray(replicates.places[:kept, order].T.astype(small))
    ranked = full[order]
    above, below = np.zeros((2, systems, systems))
    agreeing, untied = np.zeros((2, kept), dtype=np.int64)
    for a in range(systems - 1):
        wins, losses = places[a] < places[a + 1 :], places[a] > places[a + 1 :]
        above[a, a + 1 :], below[a, a + 1 :] = wins.sum(axis=1), losses.sum(axis=1)
        untied += wins.sum(axis=0) + losses.sum(axis=0)
        apart = int(np.searchsorted(ranked[a + 1 :], ranked[a], side="right"))
        agreeing += wins[apart:].sum(axis=0) - losses[apart:].sum(axis=0)
    share = (above + below.T) / max(kept, 1)
    back = np.argsort(order)
    share = share[np.ix_(back, back)]
    _, sizes = np.unique(full, return_counts=True)
    distinct = pairs - int((sizes * (sizes - 1) // 2).sum())
    with np.errstate(invalid="ignore"):
        tau = agreeing / np.sqrt(distinct * untied)
    return HeadToHead(share, 1.0 - share - share.T, tau)

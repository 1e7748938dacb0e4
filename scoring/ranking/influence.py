"""What the table owes to its judges and to who takes part: rank again without some of them.

Borda counts the systems below one, so it is not independent of who takes part: a system that
beats one rival and not another, on some judges only, moves their totals apart by merely being
there. ``influence`` shows by how much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scoring.ranking.borda import IntArray, average_ranks, places, standing, tie_tolerance
from scoring.types import FloatArray

_Number = TypeVar("_Number", bound=np.generic)

MOST_JUDGES = 8
"""Panels beyond this size are not taken apart into all their subsets (255 for eight judges)."""


@dataclass(frozen=True, slots=True)
class PanelRanks:
    """Places of all systems, (V,), when only ``judges`` judge."""

    judges: tuple[str, ...]
    places: IntArray


@dataclass(frozen=True, slots=True)
class Move:
    """One system's place among the others, before and after somebody leaves the table."""

    system: str
    before: int
    after: int


def leave_one_judge_out(judges: Sequence[str], means: FloatArray) -> tuple[PanelRanks, ...]:
    """Places by all judges but one, for each judge left out; empty with fewer than two judges.

    ``means``: (V, J) mean primary metrics without NaN.
    """
    count = len(judges)
    return _panels(judges, means, combinations(range(count), count - 1)) if count > 1 else ()


def judge_subsets(judges: Sequence[str], means: FloatArray) -> tuple[PanelRanks, ...]:
    """Places by every non-empty subset of the judges, small subsets first.

    A panel of more than ``MOST_JUDGES`` is judged by single judges, by all but one and by all.
    """
    count = len(judges)
    sizes = range(1, count + 1) if count <= MOST_JUDGES else (1, count - 1, count)
    chosen = [subset for size in sizes for subset in combinations(range(count), size)]
    return _panels(judges, means, chosen)


def influence(systems: Sequence[str], means: FloatArray) -> dict[str, tuple[Move, ...]]:
    """For each system: who changes place among the others when it leaves the table.

    ``means``: (V, J) without NaN. Places are counted among the remaining V - 1 on both sides, so
    that mere closing up is no move. Read backwards, the same moves are what *adding* that system
    does to a table of the others.

    Without system s, a judge's points of v fall by 1 if v is above s there and by 1/2 if they tie;
    means over judges stay, so one (V, V) matrix of totals is ordered row by row.
    """
    count, judges = means.shape
    if count < 2 or not judges:
        return dict.fromkeys(systems, ())
    ranks = average_ranks(means.T, tie_tolerance(means))
    # lost[s, v]: over the judges, 1 where v is above s and 1/2 where they tie.
    lost = sum(0.5 * (np.sign(own[:, None] - own[None, :]) + 1.0) for own in ranks)
    totals = np.broadcast_to((count - ranks).sum(axis=0), (count, count))
    noise = tie_tolerance(means)
    over_judges = _others(np.broadcast_to(means.mean(axis=1), (count, count)))
    before = places(_others(totals), over_judges, noise)
    after = places(_others(totals - lost), over_judges, noise)
    who = _others(np.broadcast_to(np.arange(count), (count, count)))
    return {
        leaver: tuple(
            Move(systems[who[s, n]], int(before[s, n]), int(after[s, n]))
            for n in np.flatnonzero(before[s] != after[s])
        )
        for s, leaver in enumerate(systems)
    }


def _others(matrix: NDArray[_Number]) -> NDArray[_Number]:
    """A (V, V) matrix without its diagonal, (V, V - 1)."""
    count = len(matrix)
    return matrix[~np.eye(count, dtype=bool)].reshape(count, count - 1)


def _panels(
    judges: Sequence[str], means: FloatArray, chosen: Iterable[tuple[int, ...]]
) -> tuple[PanelRanks, ...]:
    return tuple(
        PanelRanks(tuple(judges[j] for j in subset), standing(means[:, list(subset)]).places)
        for subset in chosen
    )

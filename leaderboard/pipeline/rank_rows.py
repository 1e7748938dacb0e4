"""Rows of a ranking as they are stored, whichever protocol they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leaderboard.models import Track
from leaderboard.pipeline.clip_numbers import ClipNumbers
from scoring.protocols import GAPPED
from scoring.ranking import rank_scores
from scoring.types import FloatArray

Row = dict[str, Any]
BESIDE = ("withdrawn", "reference")
"""Marks of rows that are shown without a place: what was taken back; people and chance."""
UNPLACED: Row = {
    "rank": None,
    "borda": None,
    "rank_low": None,
    "rank_high": None,
    "p_first": None,
}


@dataclass(frozen=True, slots=True)
class Table:
    """What is stored of a table: JSON-ready rows, best first, and what it follows from.

    ``numbers`` is what the scores of single clips say of the systems named with it.
    """

    rows: Sequence[Row]
    signature: str
    agreement: Mapping[str, Any] | None = None
    numbers: tuple[Sequence[str], ClipNumbers] | None = None

    def beside(self, others: Sequence[Row], mark: str = "reference") -> Table:
        """With rows behind it that are shown without a place: their numbers, marked."""
        marked = [row | UNPLACED | {mark: True} for row in others]
        return replace(self, rows=[*self.rows, *marked])


def mark_of(row: Mapping[str, Any]) -> str:
    """Why a row, or an entry of a ranking's inputs, has no place; empty when it competes."""
    return next((mark for mark in BESIDE if row.get(mark)), "")


def ranked(
    track: Track,
    systems: Sequence[str],
    judges: Sequence[str],
    arrays: Mapping[str, FloatArray],
    signatures: Iterable[str],
) -> Table:
    """By values per clip, metric to (systems, judges, clips), under the track's rules."""
    made = rank_scores(
        systems,
        judges,
        arrays,
        primary=track.primary_metric,
        replicates=track.bootstrap_replicates,
        seed=track.bootstrap_seed,
        gapped=GAPPED,
        signatures=signatures,
    ).to_json()
    return Table(made["rows"], made["signature"], made["agreement"])

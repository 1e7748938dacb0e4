"""Rows of a ranking as they are stored, whichever protocol they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.types import FloatArray

Row = dict[str, Any]
Numbers = Mapping[str, Mapping[str, Mapping[str, float]]]
"""System, judge, metric to a mean."""

UNPLACED: Row = {
    "rank": None,
    "borda": None,
    "rank_low": None,
    "rank_high": None,
    "p_first": None,
}


@dataclass(frozen=True, slots=True)
class Table:
    """What is stored of a table: JSON-ready rows, best first, and what it follows from."""

    rows: Sequence[Row]
    signature: str
    agreement: Mapping[str, Any] | None = None

    def beside(self, others: Sequence[Row]) -> Table:
        """With rows of people or chance behind it: their numbers, marked, and no place."""
        marked = [row | UNPLACED | {"reference": True} for row in others]
        return Table([*self.rows, *marked], self.signature, self.agreement)


def fill_gaps(
    rows: Sequence[Row],
    systems: Sequence[str],
    judges: Sequence[str],
    gapped: Mapping[str, FloatArray],
) -> None:
    """Put metrics that some clips do not have into rows: means over the clips that have them.

    ``gapped``: metric to values, shape (systems, judges, clips). A row has the metric of those
    judges that it has at all, and their mean when it has all judges.
    """
    for row in rows:
        v = systems.index(row["system"])
        for metric, values in gapped.items():
            found = {
                judge: _mean(values[v, j])
                for j, judge in enumerate(judges)
                if judge in row["judges"]
            }
            for judge, mean in found.items():
                row["judges"][judge][metric] = mean
            known = [mean for mean in found.values() if mean is not None]
            row["mean"][metric] = sum(known) / len(known) if len(known) == len(judges) else None


def _mean(values: FloatArray) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None

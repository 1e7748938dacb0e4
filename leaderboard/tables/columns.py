"""The columns of scores: their titles, their ends, and the groups that they stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.tables.labels import LOWER_IS_BETTER, judge_title, metric_title

MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of scores: its name, its title, and the ends of what stands in it.

    ``best`` is one of the ends. ``kind`` says how it sorts at first: a ``score`` from the highest,
    a ``rate`` of errors from the lowest. ``judge`` is empty for a mean over judges.
    """

    key: str
    title: str
    low: float | None
    high: float | None
    best: float | None = None
    kind: str = "score"
    judge: str = ""
    metric: str = ""

    @classmethod
    def of(
        cls, key: str, title: str, metric: str, values: Sequence[float | None], judge: str = ""
    ) -> Column:
        """The column of a metric's ``values``, which may be missing."""
        known = [value for value in values if value is not None]
        low, high = min(known, default=None), max(known, default=None)
        if metric in LOWER_IS_BETTER:
            return cls(key, title, low, high, low, "rate", judge, metric)
        return cls(key, title, low, high, high, "score", judge, metric)

    def value(self, row: Mapping[str, Any]) -> float | None:
        """What stands in the column, of a ranking's stored row."""
        found: float | None = (
            row["judges"].get(self.judge, {}).get(self.metric)
            if self.judge
            else row["mean"].get(self.metric)
        )
        return found


@dataclass(frozen=True, slots=True)
class Group:
    """Columns that belong together: a judge's, or the means over judges (``mean``)."""

    key: str
    title: str
    columns: tuple[Column, ...]

    @classmethod
    def of(
        cls,
        key: str,
        metrics: Sequence[str],
        rows: Sequence[Mapping[str, Any]],
        mean_title: str = "Mean over judges",
    ) -> Group:
        """The group of a judge, or of the means; of its columns the first is named after it."""
        judge = "" if key == MEAN else key
        title = judge_title(judge) if judge else mean_title
        single = len(metrics) == 1

        def column(metric: str, name: str) -> Column:
            said = metric_title(metric)
            if single:
                said = title if judge else f"Mean {said}"
            values = [
                row["judges"].get(judge, {}).get(metric) if judge else row["mean"].get(metric)
                for row in rows
            ]
            return Column.of(name, said, metric, values, judge)

        first = (column(metrics[0], key), *(column(m, f"{key}.{m}") for m in metrics[1:]))
        return cls(key, title, first)

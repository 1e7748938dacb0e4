"""How a reader wants a table laid out: metrics, columns, order, page. All of it is an address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.http import QueryDict

PER_PAGE = 100
# The columns beside the scores; the last five are shown only when they are asked for.
PLAIN = {
    "interval": "Rank interval",
    "borda": "Borda",
    "organisation": "Organisation",
    "family": "Family",
    "parameters": "Parameters",
    "weights": "Weights",
    "submitted": "Submitted",
}
FACTS = ("organisation", "family", "parameters", "weights", "submitted")
ALL_METRICS = "all"
PARAMETERS = ("metric", "column", "sort", "page", "rows")


@dataclass(frozen=True, slots=True)
class Layout:
    """Empty fields give the usual table. ``metrics`` stand under the mean and under each judge;
    ``columns`` are those that are shown. ``page`` counts from 1; 0 puts all rows on one page.

    What a table does not have is left out where the table is known.
    """

    metrics: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    sort: str = ""
    page: int = 0

    @classmethod
    def parse(cls, query: QueryDict) -> Layout:
        """What an address asks for."""
        page = query.get("page", "")
        return cls(
            metrics=tuple(query.getlist("metric")),
            columns=tuple(query.getlist("column")),
            sort=query.get("sort", ""),
            page=0 if query.get("rows") == "all" else _page(page),
        )

    def metrics_of(self, known: Sequence[str], primary: str) -> tuple[str, ...]:
        """The metrics that are shown, of those that the table has; the primary one if none."""
        if ALL_METRICS in self.metrics:
            return tuple(known) or (primary,)
        return tuple(name for name in known if name in self.metrics) or (primary,)

    def columns_of(self, groups: Sequence[str]) -> frozenset[str]:
        """The keys of the columns that are shown, of the plain ones and the groups of scores."""
        known = {*PLAIN, *groups}
        return frozenset(known & set(self.columns)) or frozenset(known - set(FACTS))


def _page(text: str) -> int:
    return min(int(text), 10**6) or 1 if text.isascii() and text.isdigit() and len(text) < 9 else 1

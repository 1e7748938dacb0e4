"""The tables below a ranking as columns: parts of the benchmark, and families of pair tests."""

from __future__ import annotations

from leaderboard.exports.shown import Shown
from leaderboard.models import Ranking
from leaderboard.tables import Family, Matrix, breakdown, families
from scoring.ranking.render import Column, Sheet


def part_of(ranking: Ranking, metric: str, key: str) -> Matrix | Family | None:
    """The table of that key below the ranking; None where there is none."""
    parts = breakdown(ranking, metric)
    found: tuple[Matrix | Family, ...] = (parts.parts if parts else ()) + families(ranking, metric)
    return next((part for part in found if part.key == key), None)


def part_sheet(shown: Shown, part: Matrix | Family) -> Sheet:
    """A line a system, a column a part or a test."""
    columns = _of_matrix(part) if isinstance(part, Matrix) else _of_family(part)
    return Sheet(columns, shown.ranking.signature, shown.notes)


def _of_matrix(part: Matrix) -> tuple[Column, ...]:
    names = Column("system", "System", tuple(name for name, _ in part.rows), text=True)
    return names, *(
        Column(title, title, tuple(values[at] for _, values in part.rows), best=True, score=True)
        for at, title in enumerate(part.columns)
    )


def _of_family(part: Family) -> tuple[Column, ...]:
    """Accuracies with both ends of their intervals; chance stands in the first line."""
    names = ("Chance", *(line.name for line in part.lines))
    columns = [Column("system", "System", names, text=True)]
    for at, test in enumerate(part.tests):
        cells = [line.cells[at] for line in part.lines]
        key = f"{test.test}.{test.metric}"
        columns += [
            Column(key, test.title, (test.chance, *(c.value for c in cells)), score=True),
            Column(f"{key}.low", "from", (None, *(c.low for c in cells)), score=True),
            Column(f"{key}.high", "to", (None, *(c.high for c in cells)), score=True),
        ]
    return tuple(columns)

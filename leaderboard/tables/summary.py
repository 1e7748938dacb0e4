"""One row of a table in short: the system, its place, and every number that the table has of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leaderboard.models import Ranking, System
from leaderboard.tables.board import Row, board
from leaderboard.tables.labels import metric_title
from leaderboard.tables.layout import ALL_METRICS, Layout

LINKS = (("link", "Model"), ("paper", "Paper"), ("code", "Code"), ("outputs", "Outputs"))


@dataclass(frozen=True, slots=True)
class Summary:
    """``grid`` has a line for the mean and for each judge: its title and a number per metric."""

    row: Row
    places: int
    system: System | None
    metrics: tuple[str, ...]
    grid: tuple[tuple[str, tuple[float | None, ...]], ...]

    @property
    def facts(self) -> Iterator[tuple[str, str]]:
        """(title, text) of what its owner says of it."""
        if self.system is None:
            return
        weights = {True: "open", False: "closed", None: ""}[self.system.open_weights]
        given = (
            ("Organisation", self.system.organisation),
            ("Family", self.system.family),
            ("Parameters", self.system.parameters),
            ("Frames", self.system.frames),
            ("Weights", weights),
            ("Note", self.system.note),
        )
        yield from ((title, str(value)) for title, value in given if value)

    @property
    def links(self) -> Iterator[tuple[str, str]]:
        """(title, address) of its pages elsewhere."""
        given = ((title, getattr(self.system, name, "")) for name, title in LINKS)
        return ((title, address) for title, address in given if address)


def summary(ranking: Ranking, system: str) -> Summary | None:
    """Of a system by its slug; None where the ranking does not have it."""
    table = board(ranking, Layout(metrics=(ALL_METRICS,)), cards=False)
    row = next((row for row in table.rows if row.system == system), None)
    if row is None:
        return None
    values = iter(row.values)
    return Summary(
        row=row,
        places=table.places,
        system=System.objects.filter(slug=system).first(),
        metrics=tuple(metric_title(metric) for metric in table.shown),
        grid=tuple(
            (group.title, tuple(next(values) for _ in group.columns)) for group in table.groups
        ),
    )

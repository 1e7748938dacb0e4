"""A ranking as a table: the same rows for the page, the API and every export.

Everything comes from ``Ranking.rows``, which was computed once by a worker; no score vector is
read here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from leaderboard.models import Provenance, Ranking, ReportedResult, System, Track
from leaderboard.tables.labels import LOWER_IS_BETTER, in_order, judge_title, metric_title
from leaderboard.tables.signatures import JudgeSignatures, signatures
from leaderboard.tables.sorting import Sort, SortValue

LENGTH = ReportedResult.LENGTH
NOTHING: Mapping[str, str] = {}
VERIFIED_FIRST = (Provenance.VERIFIED, Provenance.REPORTED)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of scores: its name, its title, and the ends of what stands in it.

    ``best`` is one of the ends. ``kind`` says how it sorts at first: a ``score`` from the highest,
    a ``rate`` of errors from the lowest.
    """

    key: str
    title: str
    low: float | None
    high: float | None
    best: float | None = None
    kind: str = "score"

    @classmethod
    def of(cls, key: str, title: str, metric: str, values: Sequence[float | None]) -> Column:
        """The column of a metric's ``values``, which may be missing."""
        known = [value for value in values if value is not None]
        low, high = min(known, default=None), max(known, default=None)
        if metric in LOWER_IS_BETTER:
            return cls(key, title, low, high, low, "rate")
        return cls(key, title, low, high, high)


@dataclass(frozen=True, slots=True)
class Row:
    """One system. ``scores`` are of the table's judges in their order, of the shown metric.

    ``words`` is the mean length of its descriptions, where a paper gives it. ``own`` is the
    real name of a system whose submission is the reader's own.
    """

    system: str
    name: str
    card: System | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    p_first: float | None
    borda: float | None
    mean: float | None
    scores: tuple[float | None, ...]
    missing: tuple[str, ...]
    submission: str | None = None
    withdrawn: bool = False
    own: str = ""
    mean_rank: int | None = None
    set_low: int | None = None
    set_high: int | None = None
    words: float | None = None

    @property
    def values(self) -> tuple[float | None, ...]:
        """What stands in the score columns: the mean, then each judge's."""
        return (self.mean, *self.scores)


@dataclass(frozen=True)
class Board:
    """A ranking, arranged. ``places`` is the number of ranked systems."""

    ranking: Ranking
    metric: str
    metrics: tuple[tuple[str, str], ...]
    mean: Column
    judges: tuple[Column, ...]
    rows: tuple[Row, ...]
    sort: Sort

    @property
    def primary(self) -> str:
        """The title of the metric that makes the ranks."""
        return metric_title(self.ranking.track.primary_metric)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The score columns: the mean, then the judges."""
        return (self.mean, *self.judges)

    @cached_property
    def places(self) -> int:
        """How many systems have a rank."""
        return sum(row.rank is not None for row in self.rows)

    @property
    def has_sets(self) -> bool:
        """True where simultaneous confidence sets stand in place of percentile intervals."""
        return any(row.set_low is not None for row in self.rows)

    @property
    def is_of_pairs(self) -> bool:
        """True for pair tests: the columns are tests, and their average makes the order."""
        return self.ranking.track.protocol == Track.Protocol.PAIRS

    @cached_property
    def signatures(self) -> tuple[JudgeSignatures, ...]:
        """How the runs of each judge were made."""
        return signatures(self.ranking)

    @cached_property
    def has_intervals(self) -> bool:
        """False for reported means, from which no interval can be computed."""
        return any(row.rank_low is not None for row in self.rows)


def latest_rankings(track: Track) -> dict[str, Ranking]:
    """The newest ranking of each provenance that the track has, verified first."""
    found = {p: Ranking.objects.latest_of(track, p) for p in VERIFIED_FIRST}
    return {p.value: ranking for p, ranking in found.items() if ranking is not None}


def board(
    ranking: Ranking,
    *,
    metric: str = "",
    sort: str = "",
    cards: bool = True,
    own: Mapping[str, str] = NOTHING,
) -> Board:
    """The table of ``ranking`` for one metric, by one column; unknown wishes give the default.

    ``own`` maps the reader's own submissions to the names of their systems. ``cards=False`` leaves
    out the systems' own data and with it the only query.
    """
    raw: list[dict[str, Any]] = ranking.rows
    names = list(dict.fromkeys(judge for row in raw for judge in row["judges"]))
    names.sort(key=lambda name: _place(name, ranking.track.judges))
    metrics = in_order(m for row in raw for m in row["mean"])
    primary = ranking.track.primary_metric
    shown = metric if metric in metrics else primary
    known = {row["system"] for row in raw} if cards else set()
    systems = System.objects.in_bulk(known, field_name="slug") if known else {}
    rows = [_row(row, names, shown, systems, own) for row in raw]
    by = Sort.parse(sort, ("rank", "system", "borda", "mean", *names), "rank")
    return Board(
        ranking=ranking,
        metric=shown,
        metrics=tuple((m, metric_title(m)) for m in metrics),
        mean=Column.of("mean", f"Mean {metric_title(shown)}", shown, [row.mean for row in rows]),
        judges=tuple(
            Column.of(name, judge_title(name), shown, [row.scores[i] for row in rows])
            for i, name in enumerate(names)
        ),
        rows=by.arrange(rows, lambda row: _value(row, by.key, names)),
        sort=by,
    )


def _place(name: str, judges: Sequence[str]) -> int:
    return judges.index(name) if name in judges else len(judges)


def _row(
    raw: Mapping[str, Any],
    judges: Sequence[str],
    metric: str,
    cards: Mapping[str, System],
    own: Mapping[str, str],
) -> Row:
    return Row(
        system=raw["system"],
        name=raw["name"],
        card=cards.get(raw["system"]),
        rank=raw["rank"],
        rank_low=raw["rank_low"],
        rank_high=raw["rank_high"],
        p_first=raw["p_first"],
        borda=raw["borda"],
        mean=raw["mean"].get(metric),
        scores=tuple(raw["judges"].get(judge, {}).get(metric) for judge in judges),
        missing=tuple(judge_title(judge) for judge in raw["missing"]),
        submission=raw.get("submission"),
        withdrawn=bool(raw.get("withdrawn")),
        own=own.get(raw.get("submission") or "", ""),
        mean_rank=raw.get("mean_rank"),
        set_low=raw.get("set_low"),
        set_high=raw.get("set_high"),
        words=raw.get("other_judges", {}).get(LENGTH, {}).get(LENGTH),
    )


def _value(row: Row, key: str, judges: Sequence[str]) -> SortValue:
    if key == "system":
        return row.name.casefold()
    if key in judges:
        return row.scores[judges.index(key)]
    value: SortValue = getattr(row, key)
    return value

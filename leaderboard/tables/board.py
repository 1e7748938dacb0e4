"""A ranking as a table: the same rows for the page, the API and every export.

Everything comes from ``Ranking.rows``, which was computed once by a worker; no score vector is
read here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from leaderboard.models import Provenance, Ranking, ReportedResult, Track
from leaderboard.models.ranking import HEAVY
from leaderboard.tables.columns import MEAN, Column, Group
from leaderboard.tables.labels import in_order, judge_title, metric_title
from leaderboard.tables.layout import FACTS, PER_PAGE, PLAIN, Layout
from leaderboard.tables.signatures import JudgeSignatures, signatures
from leaderboard.tables.sorting import Sort, SortValue
from leaderboard.tables.standing import as_shown
from leaderboard.tables.system_facts import SystemFacts, facts_of

LENGTH = ReportedResult.LENGTH
NOTHING: Mapping[str, str] = {}
VERIFIED_FIRST = (Provenance.VERIFIED, Provenance.REPORTED)
Raw = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One system. ``scores`` are of the table's judges in their order, of the first metric shown;
    ``values`` are what stands in the table's score columns.

    ``words`` is the mean length of its descriptions, where a paper gives it. ``own`` is the
    real name of a system whose submission is the reader's own.
    """

    system: str
    name: str
    card: SystemFacts | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    p_first: float | None
    borda: float | None
    mean: float | None
    scores: tuple[float | None, ...]
    missing: tuple[str, ...]
    values: tuple[float | None, ...]
    submission: str | None = None
    withdrawn: bool = False
    own: str = ""
    mean_rank: int | None = None
    set_low: int | None = None
    set_high: int | None = None
    reference: bool = False
    words: float | None = None


@dataclass(frozen=True)
class Board:
    """A ranking, arranged. ``rows`` are those of the page, ``systems`` counts all of them.

    ``groups`` are the score columns that are shown, ``judges`` the first column of every judge,
    shown or not; ``metrics`` all that the ranking has, ``shown`` those under each judge.
    """

    ranking: Ranking
    metrics: tuple[tuple[str, str], ...]
    shown: tuple[str, ...]
    all_groups: tuple[Group, ...]
    visible: frozenset[str]
    rows: tuple[Row, ...]
    systems: int
    places: int
    has_intervals: bool
    has_sets: bool
    sort: Sort
    page: int = 0

    @property
    def metric(self) -> str:
        """The first of the metrics shown."""
        return self.shown[0]

    @property
    def mean(self) -> Column:
        """The mean over judges of the first metric shown."""
        return self.all_groups[0].columns[0]

    @property
    def judges(self) -> tuple[Column, ...]:
        """The first column of each judge, in the track's order."""
        return tuple(group.columns[0] for group in self.all_groups[1:])

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups of score columns that are shown: the means, then the judges."""
        return tuple(group for group in self.all_groups if group.key in self.visible)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The score columns that are shown."""
        return tuple(column for group in self.groups for column in group.columns)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """(key, title) of the columns of systems' facts that are shown."""
        return tuple((key, PLAIN[key]) for key in FACTS if key in self.visible)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """(key, title) of every column that can be shown or hidden."""
        absent = set() if self.has_intervals else {"interval"}
        absent |= {"borda"} if self.is_of_pairs else set()
        plain = ((key, title) for key, title in PLAIN.items() if key not in absent)
        return (*plain, *((group.key, group.title) for group in self.all_groups))

    @property
    def shows_interval(self) -> bool:
        """Whether there is a column of rank intervals."""
        return self.has_intervals and "interval" in self.visible

    @property
    def shows_borda(self) -> bool:
        """Whether there is a column of points: tests of pairs are not counted so."""
        return "borda" in self.visible and not self.is_of_pairs

    @property
    def pages(self) -> int:
        """How many pages of rows there are."""
        return max(1, math.ceil(self.systems / PER_PAGE)) if self.page else 1

    @property
    def previous_page(self) -> int:
        """The number of the page before."""
        return self.page - 1

    @property
    def next_page(self) -> int:
        """The number of the page after."""
        return self.page + 1

    @property
    def primary(self) -> str:
        """The title of the metric that makes the ranks."""
        return metric_title(self.ranking.track.primary_metric)

    @property
    def is_of_pairs(self) -> bool:
        """True for pair tests: the columns are tests, and their average makes the order."""
        return self.ranking.track.protocol == Track.Protocol.PAIRS

    @cached_property
    def signatures(self) -> tuple[JudgeSignatures, ...]:
        """How the runs of each judge were made."""
        return signatures(self.ranking)


def latest_rankings(track: Track) -> dict[str, Ranking]:
    """The newest ranking of each provenance that the track has, verified first, without ``HEAVY``
    fields: see ``load``.
    """
    light = Ranking.objects.defer(*HEAVY)
    found = {p: light.latest_of(track, p) for p in VERIFIED_FIRST}
    for ranking in filter(None, found.values()):
        ranking.track = track
    return {p.value: ranking for p, ranking in found.items() if ranking is not None}


def load(ranking: Ranking) -> None:
    """Read the ``HEAVY`` fields, all at once and ``as_shown``, where they are not there yet."""
    if ranking.get_deferred_fields():
        ranking.refresh_from_db(fields=HEAVY)
        as_shown([ranking])


def board(
    ranking: Ranking,
    layout: Layout | None = None,
    *,
    cards: bool = True,
    own: Mapping[str, str] = NOTHING,
) -> Board:
    """The table of ``ranking`` as ``layout`` wants it; unknown wishes give the default.

    ``own`` maps the reader's own submissions to the names of their systems. ``cards=False`` leaves
    out the systems' own data and with it the only queries.
    """
    wanted = layout or Layout()
    raw: list[Raw] = ranking.rows
    track = ranking.track
    metrics = in_order({m for row in raw for m in row["mean"]})
    shown = wanted.metrics_of(metrics, track.primary_metric)
    names = list(dict.fromkeys(judge for row in raw for judge in row["judges"]))
    names.sort(key=lambda name: _place(name, track.judges))
    of_pairs = track.protocol == Track.Protocol.PAIRS
    mean_title = "Average over tests" if of_pairs else "Mean over judges"
    groups = tuple(Group.of(key, shown, raw, mean_title) for key in (MEAN, *names))
    columns = {column.key: column for group in groups for column in group.columns}
    visible = wanted.columns_of(tuple(group.key for group in groups))
    by = Sort.parse(wanted.sort, ("rank", "system", *PLAIN, *columns), "rank")
    by_fact = by.key in FACTS
    facts = facts_of(raw, dated=by.key == "submitted") if cards and by_fact else {}
    ordered = by.arrange(raw, lambda row: _value(row, by.key, columns, facts))
    page = min(wanted.page, max(1, math.ceil(len(ordered) / PER_PAGE)))
    kept = ordered[(page - 1) * PER_PAGE : page * PER_PAGE] if page else ordered
    if cards and kept:
        facts = facts_of(kept, dated="submitted" in visible)
    stands = tuple(column for group in groups if group.key in visible for column in group.columns)
    firsts = tuple(group.columns[0] for group in groups)
    return Board(
        ranking=ranking,
        metrics=tuple((m, metric_title(m)) for m in metrics),
        shown=shown,
        all_groups=groups,
        visible=visible,
        rows=tuple(_row(row, firsts, stands, facts, own) for row in kept),
        systems=len(raw),
        places=sum(row["rank"] is not None for row in raw),
        has_intervals=any(row["rank_low"] is not None for row in raw),
        has_sets=any(row.get("set_low") is not None for row in raw),
        sort=by,
        page=page,
    )


def _place(name: str, judges: Sequence[str]) -> int:
    return judges.index(name) if name in judges else len(judges)


def _row(
    raw: Raw,
    firsts: Sequence[Column],
    stands: Sequence[Column],
    facts: Mapping[str, SystemFacts],
    own: Mapping[str, str],
) -> Row:
    """``firsts``: the first column of each group; ``stands``: the columns that are shown."""
    mean, *scores = (column.value(raw) for column in firsts)
    card = facts.get(raw["system"])
    return Row(
        system=raw["system"],
        name=raw["name"],
        card=card,
        rank=raw["rank"],
        rank_low=raw["rank_low"],
        rank_high=raw["rank_high"],
        p_first=raw["p_first"],
        borda=raw["borda"],
        mean=mean,
        scores=tuple(scores),
        missing=tuple(judge_title(judge) for judge in raw["missing"]),
        values=tuple(column.value(raw) for column in stands),
        submission=raw.get("submission"),
        withdrawn=bool(raw.get("withdrawn")),
        own=own.get(raw.get("submission") or "", ""),
        mean_rank=raw.get("mean_rank"),
        set_low=raw.get("set_low"),
        set_high=raw.get("set_high"),
        reference=bool(raw.get("reference") or (card and card.reference)),
        words=raw.get("other_judges", {}).get(LENGTH, {}).get(LENGTH),
    )


def _value(
    row: Raw, key: str, columns: Mapping[str, Column], facts: Mapping[str, SystemFacts]
) -> SortValue:
    if key == "system":
        return str(row["name"]).casefold()
    if key in columns:
        return columns[key].value(row)
    if key in FACTS:
        return _fact(facts.get(row["system"]), key)
    if key == "interval":
        low: SortValue = row.get("set_low") or row["rank_low"]
        return low
    value: SortValue = row[key]
    return value


def _fact(facts: SystemFacts | None, key: str) -> SortValue:
    if facts is None:
        return None
    if key == "parameters":
        return facts.billions
    if key == "submitted":
        return facts.day
    return str(getattr(facts, key)).casefold() or None

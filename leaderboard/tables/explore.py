"""What lies behind a ranking's means: spreads, hard clips, lengths, the order of arrival."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from leaderboard.models import Clip, ClipMap, Ranking
from leaderboard.pipeline.clip_numbers import ClipNumbers
from leaderboard.tables.board import load
from leaderboard.tables.choice import Choice
from leaderboard.tables.chosen import kept
from leaderboard.tables.digested import Digested, digested
from leaderboard.tables.labels import judge_title, metric_title
from leaderboard.tables.larger import is_large
from scoring.ranking.agreement import pearson

MOST_CLIPS = 10  # of the hardest and of the most divisive ones
MOST_SYSTEMS = 100  # that are shown one by one: more points or boxes say no more


@dataclass(frozen=True, slots=True)
class Spread:
    """A system's values over the clips."""

    name: str
    lowest: float
    lower: float
    median: float
    upper: float
    highest: float

    @property
    def quantiles(self) -> tuple[float, ...]:
        """Lowest, quartiles, highest."""
        return self.lowest, self.lower, self.median, self.upper, self.highest


@dataclass(frozen=True, slots=True)
class ClipStanding:
    """A clip with the mean of all systems on it and the standard deviation between them."""

    key: str
    title: str
    mean: float
    deviation: float
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """A system and two of its numbers."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Arrival:
    """A submission of the board: when it came, and whether nothing before it was better."""

    at: datetime
    name: str
    mean: float
    leads: bool
    best: float


@dataclass(frozen=True, slots=True)
class Explored:
    """Everything that the page shows of one metric, the mean over the chosen judges.

    ``systems`` have every judge; of them the first ``MOST_SYSTEMS`` by mean are shown one by one.
    """

    metric: str
    systems: int
    clips: int
    of_clips: int | None
    spreads: tuple[Spread, ...]
    hardest: tuple[ClipStanding, ...]
    divisive: tuple[ClipStanding, ...]
    map: tuple[ClipStanding, ...]
    map_judge: str
    map_share: float
    lengths: tuple[Point, ...]
    lengths_pearson: float | None
    halves: tuple[Point, ...]
    arrivals: tuple[Arrival, ...]

    @property
    def cut(self) -> int:
        """How many systems are shown one by one, where that is not all of them; else 0."""
        return MOST_SYSTEMS if self.systems > MOST_SYSTEMS else 0


def explored(ranking: Ranking, choice: Choice) -> Explored | None:
    """The page's numbers; None for a reported ranking, of which only means are known, and where
    the choice leaves nothing.
    """
    if not choice.narrows or is_large(ranking, choice):
        return _report(ranking, choice)
    load(ranking)
    plain = replace(choice, interval="percentile")
    return kept(ranking, plain, "explored", lambda: _report(ranking, plain))


def _report(ranking: Ranking, choice: Choice) -> Explored | None:
    found = digested(ranking, choice)
    return _explored(ranking, found) if found else None


def _explored(ranking: Ranking, found: Digested) -> Explored:
    numbers, clips = found.numbers, _clips(ranking, found.numbers)
    drawn, judge, share = _mapped(ranking, clips)
    whole = [at for at in numbers.whole.tolist() if found.systems[at]]
    named = {at: one.name for at, one in enumerate(found.systems) if one}
    whole.sort(key=lambda at: -numbers.means[at])
    first = whole[:MOST_SYSTEMS]
    sized = [at for at in whole if np.isfinite(found.lengths[at])]
    halves = numbers.halves.tolist()
    return Explored(
        metric=metric_title(ranking.track.primary_metric),
        systems=len(whole),
        clips=len(numbers.positions),
        of_clips=found.of_clips,
        spreads=tuple(Spread(named[at], *numbers.quarters[at].tolist()) for at in first),
        hardest=tuple(sorted(clips, key=lambda clip: clip.mean)[:MOST_CLIPS]),
        divisive=tuple(sorted(clips, key=lambda clip: -clip.deviation)[:MOST_CLIPS])
        if len(whole) > 1
        else (),
        map=drawn,
        map_judge=judge,
        map_share=share,
        lengths=tuple(
            Point(named[at], float(found.lengths[at]), float(numbers.means[at]))
            for at in sized[:MOST_SYSTEMS]
        ),
        lengths_pearson=pearson(found.lengths[sized], numbers.means[sized]),
        halves=tuple(Point(named[at], *halves[at]) for at in first if halves),
        arrivals=_arrivals(found, named, whole),
    )


def _clips(ranking: Ranking, numbers: ClipNumbers) -> list[ClipStanding]:
    known = Clip.objects.filter(release=ranking.track.release_id)
    titles = {p: (key, title) for p, key, title in known.values_list("position", "key", "title")}
    of_clips = (numbers.positions, numbers.everybody, numbers.deviation)
    return [
        ClipStanding(*titles[position], mean, deviation)
        for position, mean, deviation in zip(*(one.tolist() for one in of_clips), strict=True)
        if position in titles
    ]


def _mapped(
    ranking: Ranking, clips: Sequence[ClipStanding]
) -> tuple[tuple[ClipStanding, ...], str, float]:
    """The clips with their places on the map of the panel's first judge that has one."""
    maps = {found.judge: found for found in ClipMap.objects.filter(track=ranking.track)}
    judge = next((name for name in ranking.track.judges if name in maps), None)
    if judge is None:
        return (), "", 0.0
    points: Mapping[str, Sequence[float]] = maps[judge].points
    placed = tuple(
        ClipStanding(c.key, c.title, c.mean, c.deviation, *points[c.key])
        for c in clips
        if c.key in points
    )
    return placed, judge_title(judge), maps[judge].share


def _arrivals(
    found: Digested, named: Mapping[int, str], whole: Sequence[int]
) -> tuple[Arrival, ...]:
    """The board's submissions in the order in which they came, with the best until then; of a long
    table those that led, the last ones.
    """
    came = [at for at in whole if np.isfinite(found.came[at])]
    rows = sorted((found.came[at], named[at], float(found.numbers.means[at])) for at in came)
    best, arrivals = -np.inf, []
    for seconds, name, mean in rows:
        leads, best = mean > best, max(best, mean)
        moment = datetime.fromtimestamp(float(seconds), UTC)
        arrivals.append(Arrival(moment, name, mean, leads, best))
    if len(arrivals) > MOST_SYSTEMS:
        arrivals = [one for one in arrivals if one.leads][-MOST_SYSTEMS:]
    return tuple(arrivals)

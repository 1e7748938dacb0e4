"""What lies behind a ranking's means: spreads, hard clips, lengths, the order of arrival."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db.models import Avg
from django.db.models.functions import Length

from leaderboard.models import Clip, ClipMap, Description, Provenance, Ranking, Submission
from leaderboard.tables.choice import Choice
from leaderboard.tables.chosen import Scores, kept, scores_of
from leaderboard.tables.labels import judge_title, metric_title
from scoring.ranking.agreement import pearson
from scoring.types import FloatArray

MOST_CLIPS = 10  # of the hardest and of the most divisive ones


@dataclass(frozen=True, slots=True)
class Spread:
    """A system's values over the clips: lowest, quartiles, highest."""

    name: str
    quantiles: tuple[float, float, float, float, float]


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
    """Everything that the page shows of one metric, the mean over the chosen judges."""

    metric: str
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


def explored(ranking: Ranking, choice: Choice) -> Explored | None:
    """The page's numbers; None for a reported ranking, of which only means are known, and where
    the choice leaves nothing.
    """
    if ranking.provenance != Provenance.VERIFIED:
        return None
    return kept(ranking, choice, "explored", lambda: _explored(ranking, choice))


def _explored(ranking: Ranking, choice: Choice) -> Explored | None:
    scores = scores_of(ranking, choice)
    values = scores.arrays[ranking.track.primary_metric].mean(axis=1)
    complete = np.isfinite(values).all(axis=1) if values.size else np.zeros(len(values), bool)
    if not complete.any():
        return None
    names = {row["system"]: row["name"] for row in ranking.rows}
    systems = [s for s, whole in zip(scores.systems, complete, strict=True) if whole]
    named = [names.get(system, system) for system in systems]
    values = values[complete]
    best_first = np.argsort(-values.mean(axis=1), kind="stable")
    clips = _clips(ranking, scores, values)
    drawn, judge, share = _mapped(ranking, clips)
    submissions = {e["system"]: e["submission"] for e in ranking.inputs["entries"]}
    lengths = _lengths([submissions[system] for system in systems])
    means = values.mean(axis=1)
    sized = [
        (n, lengths.get(submissions[s]), m) for s, n, m in zip(systems, named, means, strict=True)
    ]
    points = tuple(Point(name, size, float(mean)) for name, size, mean in sized if size is not None)
    return Explored(
        metric=metric_title(ranking.track.primary_metric),
        clips=values.shape[1],
        of_clips=scores.of_clips,
        spreads=tuple(_spread(named[at], values[at]) for at in best_first),
        hardest=tuple(sorted(clips, key=lambda clip: clip.mean)[:MOST_CLIPS]),
        divisive=tuple(sorted(clips, key=lambda clip: -clip.deviation)[:MOST_CLIPS])
        if len(systems) > 1
        else (),
        map=drawn,
        map_judge=judge,
        map_share=share,
        lengths=points,
        lengths_pearson=pearson(np.array([p.x for p in points]), np.array([p.y for p in points])),
        halves=_halves(scores, complete, named),
        arrivals=tuple(_arrivals([submissions[s] for s in systems], named, means)),
    )


def _spread(name: str, values: FloatArray) -> Spread:
    low, lower, middle, upper, high = (
        float(v) for v in np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
    )
    return Spread(name, (low, lower, middle, upper, high))


def _clips(ranking: Ranking, scores: Scores, values: FloatArray) -> list[ClipStanding]:
    known = Clip.objects.filter(release=ranking.track.release_id, position__in=scores.positions)
    titles = {p: (key, title) for p, key, title in known.values_list("position", "key", "title")}
    means, deviations = values.mean(axis=0), values.std(axis=0)
    return [
        ClipStanding(*titles[position], float(mean), float(deviation))
        for position, mean, deviation in zip(scores.positions, means, deviations, strict=True)
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


def _lengths(submissions: Sequence[str]) -> dict[str, float]:
    """Submission to the mean number of characters of its descriptions."""
    keys = [UUID(key) for key in submissions]
    rows = Description.objects.filter(submission__in=keys, clip__excluded=False)
    counted = rows.order_by().values_list("submission").annotate(mean=Avg(Length("text")))
    return {str(pk): float(mean) for pk, mean in counted}


def _halves(
    scores: Scores, complete: np.ndarray[tuple[int], np.dtype[np.bool_]], named: Sequence[str]
) -> tuple[Point, ...]:
    """Coarse against fine, where the protocol has both."""
    if not {"coarse", "fine_f1"} <= scores.arrays.keys():
        return ()
    coarse, fine = (scores.arrays[m][complete].mean(axis=(1, 2)) for m in ("coarse", "fine_f1"))
    return tuple(
        Point(name, float(x), float(y)) for name, x, y in zip(named, coarse, fine, strict=True)
    )


def _arrivals(
    submissions: Sequence[str], named: Sequence[str], means: FloatArray
) -> Iterator[Arrival]:
    """The board's submissions in the order in which they came, with the best until then."""
    own = Submission.objects.filter(pk__in=[UUID(key) for key in submissions])
    dates = dict(own.values_list("pk", "created_at"))
    by_key = {str(pk): at for pk, at in dates.items()}
    rows = [
        (by_key[key], name, float(mean))
        for key, name, mean in zip(submissions, named, means, strict=True)
        if key in by_key
    ]
    best = -np.inf
    for at, name, mean in sorted(rows):
        leads, best = mean > best, max(best, mean)
        yield Arrival(at, name, mean, leads, best)

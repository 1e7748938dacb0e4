"""Where one system does better or worse than the others: by part, by clip, and who is like it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from leaderboard.models import Clip, Ranking, Run, Track
from leaderboard.pipeline import bridge
from leaderboard.tables.digested import Digested, digested
from leaderboard.tables.labels import metric_title
from scoring.protocols.keypoint_metrics import DURATION_BINS, duration_bin
from scoring.ranking import compare
from scoring.types import FloatArray

EXTREMES = 5
THIRDS = ("the shortest third", "the middle third", "the longest third")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the clips: the system's mean, that of all systems on the same clips, and their
    difference with its 95% t interval (None with one clip).
    """

    title: str
    clips: int
    own: float
    everybody: float
    difference: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Extreme:
    """A clip where the system is far from the mean of all systems."""

    key: str
    title: str
    own: float
    everybody: float

    @property
    def difference(self) -> float:
        """The system less everybody."""
        return self.own - self.everybody


@dataclass(frozen=True, slots=True)
class Profile:
    """All of it. ``categories`` and ``durations`` stand from the greatest strength downwards and by
    length; ``alike``: (slug, name, correlation), the most alike first; ``systems`` make the means.
    """

    metric: str
    systems: int
    clips: int
    whole: Part
    categories: tuple[Part, ...]
    durations: tuple[Part, ...]
    best: tuple[Extreme, ...]
    worst: tuple[Extreme, ...]
    alike: tuple[tuple[str, str, float], ...]


def profile(ranking: Ranking, slug: str) -> Profile | None:
    """The profile of a system of a verified ranking by clips; None where it lacks a judge, or is
    alone. Of the scores of clips only its own are read, where a worker has stored the rest.
    """
    found = digested(ranking)
    own = found.place_of(slug) if found else None
    if found is None or own is None or own not in found.numbers.whole:
        return None
    numbers = found.numbers
    if len(numbers.whole) < 2:
        return None
    known = {clip.position: clip for clip in ranking.track.release.clips.scored()}
    counts = [n for n, at in enumerate(numbers.positions.tolist()) if at in known]
    clips = [known[numbers.positions[n]] for n in counts]
    called = found.systems[own]
    positions = [clip.position for clip in clips]
    values = _values(ranking.track, called.submission, positions) if called and clips else None
    if values is None:
        return None
    pair = np.stack([values, numbers.everybody[counts]])
    lines = [Extreme(c.key, c.title, *map(float, pair[:, i])) for i, c in enumerate(clips)]
    lines.sort(key=lambda line: line.difference)
    return Profile(
        metric=metric_title(ranking.track.primary_metric),
        systems=len(numbers.whole),
        clips=len(clips),
        whole=_part("all clips", pair),
        categories=_categories(clips, pair),
        durations=_durations(clips, pair),
        best=tuple(line for line in lines[: -EXTREMES - 1 : -1] if line.difference > 0),
        worst=tuple(line for line in lines[:EXTREMES] if line.difference < 0),
        alike=_alike(found, own),
    )


def _values(track: Track, submission: str, positions: Sequence[int]) -> FloatArray | None:
    """A submission's own primary metric on the clips, mean over judges; None where one is missing
    by now.
    """
    runs = Run.objects.filter(track=track, submission=UUID(submission)).done()
    entry = dict(runs.filter(judge__in=track.judges).values_list("judge", "pk"))
    values = np.full((len(track.judges), len(positions)), np.nan)
    columns = np.array(positions, np.int64)
    found = bridge.scores_by_run(track, [entry], columns, (track.primary_metric,))
    for _, judge, _, of_clips in found:
        values[judge] = of_clips
    mean: FloatArray = values.mean(axis=0)
    return mean if np.isfinite(mean).all() else None


def _part(title: str, pair: FloatArray) -> Part:
    """``pair``: (2, clips), the system's values and everybody's means."""
    found = compare(pair)
    own, everybody = (float(mean) for mean in pair.mean(axis=1))
    known = found.clips > 1
    return Part(
        title=title,
        clips=found.clips,
        own=own,
        everybody=everybody,
        difference=float(found.difference[0, 1]),
        low=float(found.low[0, 1]) if known else None,
        high=float(found.high[0, 1]) if known else None,
    )


def _parts(names: Sequence[str], pair: FloatArray) -> list[Part]:
    """One for each name but the empty one, in the order of first appearance."""
    kinds = np.array(names)
    return [_part(name, pair[:, kinds == name]) for name in dict.fromkeys(names) if name]


def _categories(clips: Sequence[Clip], pair: FloatArray) -> tuple[Part, ...]:
    found = _parts([clip.category for clip in clips], pair)
    return tuple(sorted(found, key=lambda part: -part.difference)) if len(found) > 1 else ()


def _durations(clips: Sequence[Clip], pair: FloatArray) -> tuple[Part, ...]:
    """The bins of CapRiCorn where clips fall into several, else thirds of the clips by length."""
    names = _named(clips, lambda seconds: duration_bin(seconds) or "")
    order: Mapping[str, int] = {name: at for at, name in enumerate(DURATION_BINS)}
    if len(set(names) - {""}) < 2:
        known = [clip.duration for clip in clips if clip.duration is not None]
        if not known or min(known) == max(known):
            return ()
        edges = np.quantile(known, [1 / 3, 2 / 3])
        names = _named(clips, lambda seconds: THIRDS[int(np.searchsorted(edges, seconds))])
        order = {name: at for at, name in enumerate(THIRDS)}
    found = _parts(names, pair)
    return tuple(sorted(found, key=lambda part: order[part.title]))


def _named(clips: Sequence[Clip], name: Callable[[float], str]) -> list[str]:
    return ["" if clip.duration is None else name(clip.duration) for clip in clips]


def _alike(found: Digested, at: int) -> tuple[tuple[str, str, float], ...]:
    """Who may be shown of those nearest."""
    near = zip(found.numbers.near[at].tolist(), found.numbers.alike[at].tolist(), strict=True)
    named = [(found.systems[other], r) for other, r in near if other >= 0]
    return tuple((one.slug, one.name, r) for one, r in named if one is not None)

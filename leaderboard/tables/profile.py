"""Where one system does better or worse than the others: by part, by clip, and who is like it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from leaderboard.models import Clip, Ranking
from leaderboard.tables.choice import Choice
from leaderboard.tables.chosen import kept
from leaderboard.tables.clips import clip_scores
from leaderboard.tables.labels import metric_title
from scoring.protocols.keypoint_metrics import DURATION_BINS, duration_bin
from scoring.ranking import compare, similarity
from scoring.types import FloatArray

EXTREMES, ALIKE = 5, 5
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
    """The profile of a system of a verified ranking by clips, kept by content; None where it has
    no value of its own on the clips that count, or is alone.
    """
    found = kept(ranking, Choice(), f"profile-{slug}", lambda: (_profile(ranking, slug),))
    return found[0]


def _profile(ranking: Ranking, slug: str) -> Profile | None:
    systems, scores = clip_scores(ranking)
    slugs = [system for system, _ in systems]
    if slug not in slugs:
        return None
    clips = [
        clip
        for clip in ranking.track.release.clips.scored()
        if clip.position < scores.shape[1] and np.isfinite(scores[:, clip.position]).any()
    ]
    values = scores[:, [clip.position for clip in clips]]
    whole = np.flatnonzero(np.isfinite(values).all(axis=1))
    own = slugs.index(slug)
    if own not in whole or len(whole) < 2 or not clips:
        return None
    values, at = values[whole], int(np.flatnonzero(whole == own)[0])
    pair = np.stack([values[at], values.mean(axis=0)])
    lines = [Extreme(c.key, c.title, *map(float, pair[:, i])) for i, c in enumerate(clips)]
    lines.sort(key=lambda line: line.difference)
    return Profile(
        metric=metric_title(ranking.track.primary_metric),
        systems=len(whole),
        clips=len(clips),
        whole=_part("all clips", pair),
        categories=_categories(clips, pair),
        durations=_durations(clips, pair),
        best=tuple(line for line in lines[: -EXTREMES - 1 : -1] if line.difference > 0),
        worst=tuple(line for line in lines[:EXTREMES] if line.difference < 0),
        alike=_alike([systems[v] for v in whole], values, at),
    )


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


def _alike(
    systems: Sequence[tuple[str, str]], values: FloatArray, at: int
) -> tuple[tuple[str, str, float], ...]:
    found = [
        (*system, r)
        for v, (system, r) in enumerate(zip(systems, similarity(values, at), strict=True))
        if r is not None and v != at
    ]
    return tuple(sorted(found, key=lambda one: -one[2])[:ALIKE])

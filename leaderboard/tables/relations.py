"""How LLMFactsF1 goes with the other metrics of a release: points and correlations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from leaderboard.models import Provenance, Ranking, Track
from leaderboard.pipeline import bridge
from leaderboard.pipeline.rank_rows import mark_of
from leaderboard.tables.chosen import too_many
from leaderboard.tables.keeping import kept_by
from leaderboard.tables.labels import by_baseline, in_order, metric_title
from leaderboard.tables.standing import as_shown
from scoring.ranking.agreement import pearson, spearman
from scoring.types import FloatArray


@dataclass(frozen=True, slots=True)
class Relation:
    """Another metric beside the first one. Correlations are None where they are not defined.

    ``pearson`` and ``spearman`` are over the ``systems`` that have both means; ``over_clips`` is
    Pearson's over ``pairs`` of system and clip, of the same texts.
    """

    track: str
    title: str
    systems: int
    pearson: float | None
    spearman: float | None
    pairs: int
    over_clips: float | None


@dataclass(frozen=True, slots=True)
class Relations:
    """The track's metric beside all others. ``rows``: a system by slug and name, its value,
    and those of others.
    """

    metric: str
    rows: tuple[tuple[str, str, float, tuple[float | None, ...]], ...]
    others: tuple[Relation, ...]
    baseline: bool


@dataclass(frozen=True, slots=True)
class _Other:
    """A metric of another track: means and, where scored here, values per clip by submission."""

    track: str
    metric: str
    means: Mapping[str, float]
    clips: Mapping[str, FloatArray]


def relations(ranking: Ranking) -> Relations | None:
    """The primary metric of ``ranking`` beside every metric of the release's other tracks.

    Rankings of the same provenance and language only; pair tests are not of descriptions. None
    where there is nothing to compare.
    """
    others = list(_rankings(ranking))
    as_shown(others)
    content = [one.content for one in (ranking, *others)]
    return kept_by("relations", content, lambda: _relations(ranking, others))


def _rankings(ranking: Ranking) -> Iterator[Ranking]:
    language = ranking.track.language
    others = ranking.track.release.tracks.exclude(pk=ranking.track.pk)
    for track in others.exclude(protocol=Track.Protocol.PAIRS).select_related("release"):
        if language and track.language and track.language != language:
            continue
        found = Ranking.objects.latest_of(track, ranking.provenance)
        if found is not None:
            yield found


def _relations(ranking: Ranking, rankings: Sequence[Ranking]) -> Relations | None:
    (first,) = _metrics(ranking, [ranking.track.primary_metric])
    others = [one for other in rankings for one in _metrics(other)]
    made = [(one, _relation(first, one)) for one in others]
    kept = [(one, relation) for one, relation in made if relation.systems > 1]
    if not kept:
        return None
    names = {row["system"]: row["name"] for row in ranking.rows}
    return Relations(
        metric=metric_title(first.metric),
        rows=tuple(
            (system, names[system], value, tuple(one.means.get(system) for one, _ in kept))
            for system, value in first.means.items()
        ),
        others=tuple(relation for _, relation in kept),
        baseline=by_baseline(ranking.track),
    )


def _metrics(ranking: Ranking, wanted: Sequence[str] = ()) -> Iterator[_Other]:
    """The metrics that the ranking's rows have, means over judges; and their values per clip."""
    rows = [row for row in ranking.rows if not mark_of(row)]
    clips = _clips(ranking)
    for metric in wanted or in_order(name for row in rows for name in row["mean"]):
        means = {row["system"]: row["mean"].get(metric) for row in rows}
        yield _Other(
            ranking.track.name,
            metric,
            {system: mean for system, mean in means.items() if mean is not None},
            clips.get(metric, {}),
        )


def _clips(ranking: Ranking) -> dict[str, dict[str, FloatArray]]:
    """Metric and submission to values per clip, mean over judges, NaN where there is none; of a
    board that is too large for a page nothing.
    """
    if ranking.provenance != Provenance.VERIFIED:
        return {}
    track, entries = ranking.track, ranking.inputs["entries"]
    clips = track.release.clips.scored().count()
    if too_many(len(entries), len(track.judges), clips):
        return {}
    arrays = bridge.score_arrays(track, [entry["runs"] for entry in entries])
    return {
        metric: {
            entry["submission"]: values.mean(axis=0)
            for entry, values in zip(entries, array, strict=True)
        }
        for metric, array in arrays.items()
    }


def _relation(first: _Other, other: _Other) -> Relation:
    both = [system for system in first.means if system in other.means]
    x = np.array([first.means[system] for system in both])
    y = np.array([other.means[system] for system in both])
    shared = [key for key in first.clips if key in other.clips]
    a, b = (
        np.concatenate([side.clips[key] for key in shared]) if shared else np.empty(0)
        for side in (first, other)
    )
    known = np.isfinite(a) & np.isfinite(b)
    return Relation(
        track=other.track,
        title=metric_title(other.metric),
        systems=len(both),
        pearson=pearson(x, y),
        spearman=spearman(x, y) if len(both) > 1 else None,
        pairs=int(known.sum()),
        over_clips=pearson(a[known], b[known]),
    )

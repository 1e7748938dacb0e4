"""A release's clips with the scores that systems reach on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Max

from leaderboard.models import Clip, Provenance, Ranking, Release, ScoreVector, Track
from leaderboard.pipeline.rank_rows import mark_of
from leaderboard.tables.keeping import kept_by
from leaderboard.tables.labels import metric_title
from leaderboard.tables.sorting import Sort, SortValue
from leaderboard.tables.standing import newest_shown
from scoring.types import FloatArray

SORTS = ("position", "key", "category", "duration", "mean", "spread")


@dataclass(frozen=True, slots=True)
class ClipLine:
    """A clip; ``mean`` over systems and judges, ``spread`` from the lowest to the highest system,
    ``best`` the highest, by slug and name. None where nothing has been scored.
    """

    clip: Clip
    mean: float | None = None
    spread: float | None = None
    best_system: str = ""
    best: str = ""
    best_score: float | None = None


@dataclass(frozen=True, slots=True)
class ClipList:
    """All scored clips of a release, in the order asked for, with the ranking they refer to."""

    lines: tuple[ClipLine, ...]
    sort: Sort
    ranking: Ranking | None
    metric: str = ""


def scoring_track(release: Release, slug: str = "") -> Track | None:
    """The track whose scores clip pages show: the one asked for, else the first that scores.

    Pair tests have no score of a clip.
    """
    tracks = clip_tracks(release)
    asked = [track for track in tracks if track.slug == slug]
    return next(iter(asked or tracks), None)


def clip_tracks(release: Release) -> list[Track]:
    """The tracks that have scores of clips."""
    of_clips = release.tracks.open().exclude(protocol=Track.Protocol.PAIRS)
    return list(of_clips.select_related("release__benchmark"))


def clip_list(release: Release, track: Track | None, *, sort: str = "") -> ClipList:
    """The release's clips with what the track's newest verified ranking says of each."""
    ranking = newest_shown(track, Provenance.VERIFIED) if track else None
    clips = list(release.clips.scored())
    lines = [ClipLine(clip) for clip in clips]
    if ranking is not None and ranking.rows:
        lines = _with_scores(clips, ranking)
    by = Sort.parse(sort, SORTS, "position")
    metric = metric_title(track.primary_metric) if track else ""
    return ClipList(by.arrange(lines, lambda line: _value(line, by.key)), by, ranking, metric)


def _value(line: ClipLine, key: str) -> SortValue:
    source = line if key in {"mean", "spread"} else line.clip
    value: SortValue = getattr(source, key)
    return value


def _with_scores(clips: Sequence[Clip], ranking: Ranking) -> list[ClipLine]:
    systems, scores = clip_scores(ranking)
    lines = []
    for clip in clips:
        column = scores[:, clip.position] if clip.position < scores.shape[1] else np.empty(0)
        if not np.isfinite(column).any():
            lines.append(ClipLine(clip))
            continue
        best = int(np.nanargmax(column))
        top = float(column[best])
        spread = top - float(np.nanmin(column))
        lines.append(ClipLine(clip, float(np.nanmean(column)), spread, *systems[best], top))
    return lines


def clip_scores(ranking: Ranking) -> tuple[list[tuple[str, str]], FloatArray]:
    """Slugs and names of the ranked systems, and their primary metric averaged over judges on every
    clip, shape (systems, positions), NaN where not scored. Kept by the ranking's content.
    """
    return kept_by("clip-scores", ranking.content, lambda: _clip_scores(ranking))


def _clip_scores(ranking: Ranking) -> tuple[list[tuple[str, str]], FloatArray]:
    entries = [entry for entry in ranking.inputs["entries"] if not mark_of(entry)]
    place = {run: i for i, entry in enumerate(entries) for run in entry["runs"].values()}
    vectors = ScoreVector.objects.filter(
        run_id__in=place, metric=ranking.track.primary_metric, unit=ScoreVector.Unit.CLIP
    )
    # Not their number: a draft's clip that was deleted in the admin leaves a gap.
    last = ranking.track.release.clips.aggregate(last=Max("position"))["last"]
    positions = 0 if last is None else last + 1
    sums = np.zeros((len(entries), positions))
    counts = np.zeros(len(entries))
    for vector in vectors.iterator(chunk_size=200):
        row = place[vector.run_id]
        values = vector.values
        sums[row, : len(values)] += values
        sums[row, len(values) :] = np.nan
        counts[row] += 1
    judges = len(ranking.track.judges)
    # A system without one of the judges has no mean over judges on any clip.
    sums[counts < judges] = np.nan
    return [(entry["system"], entry["name"]) for entry in entries], sums / judges

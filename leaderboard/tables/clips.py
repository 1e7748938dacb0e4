"""A release's clips with the scores that systems reach on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.models import Clip, Provenance, Ranking, Release, Track
from leaderboard.tables.board import latest_rankings
from leaderboard.tables.digested import Digested, digested
from leaderboard.tables.labels import metric_title
from leaderboard.tables.sorting import Sort, SortValue

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
    ranking = newest_of_clips(track) if track else None
    clips = list(release.clips.scored())
    found = digested(ranking) if ranking is not None else None
    lines = _with_scores(clips, found) if found else [ClipLine(clip) for clip in clips]
    by = Sort.parse(sort, SORTS, "position")
    metric = metric_title(track.primary_metric) if track else ""
    return ClipList(by.arrange(lines, lambda line: _value(line, by.key)), by, ranking, metric)


def newest_of_clips(track: Track) -> Ranking | None:
    """The newest verified ranking, without its rows."""
    return latest_rankings(track).get(Provenance.VERIFIED)


def _value(line: ClipLine, key: str) -> SortValue:
    source = line if key in {"mean", "spread"} else line.clip
    value: SortValue = getattr(source, key)
    return value


def _with_scores(clips: Sequence[Clip], found: Digested) -> list[ClipLine]:
    """The best system of a clip is not named where it has been hidden or withdrawn since."""
    numbers = found.numbers
    at = {position: n for n, position in enumerate(numbers.positions.tolist())}
    lines = []
    for clip in clips:
        if (n := at.get(clip.position)) is None:
            lines.append(ClipLine(clip))
            continue
        top = float(numbers.highest[n])
        spread = top - float(numbers.lowest[n])
        named = found.systems[numbers.best[n]]
        best = (named.slug, named.name, top) if named else ()
        lines.append(ClipLine(clip, float(numbers.everybody[n]), spread, *best))
    return lines

"""The clip page: the reference beside what each system said, with its scores on that clip."""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import BinaryField, Q
from django.db.models.functions import Substr
from django.utils import timezone

from leaderboard.models import (
    Clip,
    Description,
    Evidence,
    Names,
    Provenance,
    Ranking,
    Reference,
    Run,
    ScoreVector,
    Subject,
    Submission,
    Track,
)
from leaderboard.tables.clips import clip_tracks
from leaderboard.tables.facts_seen import FactsSeen, facts_seen
from leaderboard.tables.keypoints_seen import KeypointsSeen, bare, keypoints_seen
from leaderboard.tables.labels import in_order, judge_title, metric_title
from leaderboard.tables.matches import Matches, matches
from leaderboard.tables.words_seen import Pairs, Words, pairs_seen, words_seen

PLAIN: Mapping[str, tuple[str, Callable[[Mapping[str, Any] | None], Any]]] = {
    Track.Protocol.SEMANTIC: ("matches", matches),
    Track.Protocol.EMBEDDING_MATCH: ("pairs", pairs_seen),
    Track.Protocol.NGRAM: ("words", words_seen),
}
"""What is made of evidence that says everything by itself: a field of ``Said``, and how."""

# So many systems are shown unless the reader chooses: a page that can still be read.
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """A submission that can be shown: its system, its rank on the board, its finished runs."""

    slug: str
    name: str
    rank: int | None
    submission: str
    runs: Mapping[str, int]
    own: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """What a system said of the clip. ``scores`` has one row per judge, one value per metric."""

    entry: Entry
    text: str
    scores: tuple[tuple[str, tuple[float | None, ...]], ...]
    mean: float | None
    place: int | None
    matches: Matches | None = None
    pairs: Pairs | None = None
    words: Words | None = None
    facts: FactsSeen | None = None
    keypoints: KeypointsSeen | None = None


@dataclass(frozen=True, slots=True)
class ClipPage:
    """Everything that the page of one clip shows."""

    clip: Clip
    references: tuple[Reference, ...]
    before: Clip | None
    after: Clip | None
    track: Track | None
    metric: str = ""
    metrics: tuple[tuple[str, str], ...] = ()
    judges: tuple[tuple[str, str], ...] = ()
    judge: str = ""
    choices: tuple[tuple[Entry, bool], ...] = ()
    said: tuple[Said, ...] = ()
    places: int = 0
    extra: Entry | None = field(default=None)
    tracks: tuple[Track, ...] = ()
    subjects: tuple[tuple[str, str], ...] = ()
    subject: str = ""


def clip_page(
    clip: Clip,
    track: Track | None,
    *,
    systems: Collection[str] = (),
    judge: str = "",
    subject: str = "",
    submission: Submission | None = None,
    names: Names | None = None,
) -> ClipPage:
    """The page of ``clip``; a fixed number of queries, whatever the number of systems.

    ``systems`` are slugs (those unknown are left out; none means the first of the board),
    ``judge`` is whose evidence is shown, ``subject`` whom of the clip's subjects it is narrowed
    to, ``submission`` stands first besides, called by ``names`` (default: as readers call it).
    """
    references = tuple(clip.references.all())
    before, after = _neighbours(clip)
    if track is None:
        return ClipPage(clip, references, before, after, None)
    entries = _entries(track)
    extra = _own(submission, track, names) if submission else None
    wanted = [entry for entry in entries if entry.slug in set(systems)] or entries[:SHOWN]
    shown = ([extra] if extra else []) + [e for e in wanted if not extra or e != extra]
    judges = tuple((name, judge_title(name)) for name in track.judges)
    seen_by = judge if judge in track.judges else track.judges[0]
    values = _values(clip, track, entries, shown)
    metrics = in_order(metric for _, metric in values)
    subjects = _subjects(clip, track)
    asked = subject if subject in map(bare, subjects) else ""
    means = _means(track, entries, values)
    texts = _texts(clip, shown)
    seen = _seen(clip, track, shown, texts, seen_by, subjects, asked)
    said = (_said(entry, track, values, metrics, means, texts) for entry in shown)
    return ClipPage(
        clip=clip,
        references=references,
        before=before,
        after=after,
        track=track,
        metric=metric_title(track.primary_metric),
        metrics=tuple((m, metric_title(m)) for m in metrics),
        judges=judges,
        judge=seen_by,
        choices=tuple((entry, entry in wanted) for entry in entries),
        said=tuple(replace(one, **seen[one.entry.submission]) for one in said),
        places=len(means),
        extra=extra,
        tracks=tuple(clip_tracks(clip.release)),
        subjects=tuple((bare(key), name) for key, name in subjects.items()),
        subject=asked,
    )


def _neighbours(clip: Clip) -> tuple[Clip | None, Clip | None]:
    others = Clip.objects.filter(release=clip.release_id, excluded=False).only("key", "title")
    before = others.filter(position__lt=clip.position).order_by("-position").first()
    return before, others.filter(position__gt=clip.position).order_by("position").first()


def _entries(track: Track) -> list[Entry]:
    """The submissions of the newest verified ranking, best first."""
    ranking = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    if ranking is None:
        return []
    inputs = {entry["system"]: entry for entry in ranking.inputs["entries"]}
    # Asked again, for a ranking follows what an owner or a curator has done only after a while.
    ids = [entry["submission"] for entry in inputs.values()]
    standing = Submission.objects.on_the_board().filter(pk__in=ids)
    there = {str(pk) for pk in standing.values_list("pk", flat=True)}
    return [
        Entry(
            slug=row["system"],
            name=row["name"],
            rank=row["rank"],
            submission=inputs[row["system"]]["submission"],
            runs=inputs[row["system"]]["runs"],
        )
        for row in ranking.rows
        if row["system"] in inputs and inputs[row["system"]]["submission"] in there
    ]


def _own(submission: Submission, track: Track, names: Names | None) -> Entry:
    """A submission that a reader may see, on the board or not, with what an incomplete run has."""
    states = (Run.State.DONE, Run.State.INCOMPLETE)
    runs = Run.objects.filter(track=track, submission=submission, state__in=states)
    called = names or submission.names(timezone.now())
    return Entry(
        slug=called.slug,
        name=called.name,
        rank=None,
        submission=str(submission.pk),
        runs=dict(runs.values_list("judge", "pk")),
        own=True,
    )


Values = dict[tuple[int, str], float]


def _values(clip: Clip, track: Track, entries: Sequence[Entry], shown: Sequence[Entry]) -> Values:
    """(run, metric) to the value on this clip: all metrics of what is shown, the primary of all.

    Only eight bytes of each vector leave the database.
    """
    everybody = [run for entry in entries for run in entry.runs.values()]
    here = [run for entry in shown for run in entry.runs.values()]
    wanted = Q(run__in=here) | Q(run__in=everybody, metric=track.primary_metric)
    piece = Substr("data", 8 * clip.position + 1, 8, output_field=BinaryField())
    vectors = ScoreVector.objects.filter(wanted, unit=ScoreVector.Unit.CLIP)
    rows = vectors.order_by().values_list("run_id", "metric", piece)
    found = {}
    for run, metric, data in rows:
        if len(data) == 8:
            (value,) = struct.unpack("<d", bytes(data))
            found[run, metric] = value
    return {key: value for key, value in found.items() if value == value}  # noqa: PLR0124 - NaN


def _mean(entry: Entry, track: Track, values: Values) -> float | None:
    """The primary metric over all judges of the track, None unless all have scored the clip."""
    known = [
        values.get((entry.runs[judge], track.primary_metric)) if judge in entry.runs else None
        for judge in track.judges
    ]
    scores = [value for value in known if value is not None]
    return sum(scores) / len(scores) if scores and len(scores) == len(track.judges) else None


def _means(track: Track, entries: Sequence[Entry], values: Values) -> list[float]:
    """The board's means on this clip, best first."""
    means = (_mean(entry, track, values) for entry in entries)
    return sorted((mean for mean in means if mean is not None), reverse=True)


def _said(
    entry: Entry,
    track: Track,
    values: Values,
    metrics: Sequence[str],
    board: Sequence[float],
    texts: Mapping[str, str],
) -> Said:
    mean = _mean(entry, track, values)
    lines = tuple(
        (judge_title(name), tuple(values.get((entry.runs.get(name, 0), m)) for m in metrics))
        for name in track.judges
    )
    # Equal means share a place; a submission that is not on the board gets the place it
    # would have.
    place = None if mean is None else sum(other > mean for other in board) + 1
    return Said(entry, texts.get(entry.submission, ""), lines, mean, place)


def _texts(clip: Clip, shown: Sequence[Entry]) -> dict[str, str]:
    texts = Description.objects.filter(clip=clip, submission__in=[e.submission for e in shown])
    return {str(pk): text for pk, text in texts.values_list("submission_id", "text")}


def _subjects(clip: Clip, track: Track) -> dict[str, str]:
    """Whom the track's keypoints of the clip are about: mark to name."""
    if track.protocol != Track.Protocol.KEYPOINTS:
        return {}
    annotation = track.settings.get("annotation", "main")
    found = Subject.objects.filter(clip=clip, annotation=annotation).order_by("pk")
    return {one.key: one.name or bare(one.key) for one in found}


def _seen(
    clip: Clip,
    track: Track,
    shown: Sequence[Entry],
    texts: Mapping[str, str],
    judge: str,
    subjects: Mapping[str, str],
    subject: str,
) -> dict[str, dict[str, Any]]:
    """What the judge saw of each submission: the field of ``Said`` that the protocol fills."""
    runs = {entry.submission: entry.runs.get(judge, 0) for entry in shown}
    evidence: dict[int, Any] = dict(
        Evidence.objects.filter(clip=clip, run__in=runs.values()).values_list("run_id", "data")
    )
    failures: dict[int, Any] = {}
    if any("failed" in data for data in evidence.values()):
        failures = dict(Run.objects.filter(pk__in=evidence).values_list("pk", "failures"))
    found: dict[str, dict[str, Any]] = {}
    for submission, run in runs.items():
        data, failure = evidence.get(run), failures.get(run, {}).get(clip.key, "")
        if track.protocol == Track.Protocol.FACTS:
            found[submission] = {"facts": facts_seen(data, failure)}
        elif track.protocol == Track.Protocol.KEYPOINTS:
            text = texts.get(submission, "")
            seen = keypoints_seen(data, text, names=subjects, subject=subject, failure=failure)
            found[submission] = {"keypoints": seen}
        else:
            name, made = PLAIN[track.protocol]
            found[submission] = {name: made(data)}
    return found

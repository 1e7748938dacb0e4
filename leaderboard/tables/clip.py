"""The clip page: the reference beside what each system said, with its scores on that clip."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from leaderboard.models import (
    Clip,
    Description,
    Evidence,
    Names,
    Reference,
    Run,
    Subject,
    Submission,
    Track,
)
from leaderboard.models.clip import READING
from leaderboard.tables.alignment import Alignment, alignment
from leaderboard.tables.clip_values import ClipValues, JudgeScores
from leaderboard.tables.clips import clip_tracks
from leaderboard.tables.entries import Entry, entries_of, own_entry
from leaderboard.tables.facts_seen import FactsSeen, facts_seen
from leaderboard.tables.keypoints_seen import KeypointsSeen, bare, keypoints_seen
from leaderboard.tables.labels import in_order, judge_title, metric_title
from leaderboard.tables.matches import Matches, matches
from leaderboard.tables.reading import Span, options, reference_spans, said_spans
from leaderboard.tables.words_seen import Pairs, Words, pairs_seen, words_seen

PLAIN: Mapping[str, Mapping[str, Callable[[Mapping[str, Any] | None], Any]]] = {
    Track.Protocol.SEMANTIC: {"matches": matches, "alignment": alignment},
    Track.Protocol.EMBEDDING_MATCH: {"pairs": pairs_seen},
    Track.Protocol.NGRAM: {"words": words_seen},
}
"""What is made of evidence that says everything by itself: fields of ``Said``, and how."""

# So many systems are shown unless the reader chooses: a page that can still be read.
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Said:
    """What a system said of the clip. ``scores`` has one row per judge; ``spans`` is the text."""

    entry: Entry
    text: str
    scores: tuple[JudgeScores, ...]
    mean: float | None
    place: int | None
    spans: tuple[Span, ...] = ()
    matches: Matches | None = None
    alignment: Alignment | None = None
    pairs: Pairs | None = None
    words: Words | None = None
    facts: FactsSeen | None = None
    keypoints: KeypointsSeen | None = None


@dataclass(frozen=True, slots=True)
class ClipPage:
    """Everything that the page of one clip shows."""

    clip: Clip
    references: tuple[tuple[Reference, tuple[Span, ...]], ...]
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

    @property
    def has_alignment(self) -> bool:
        """True where sentences are linked to their nearest."""
        return any(one.alignment is not None for one in self.said)

    @property
    def has_grids(self) -> bool:
        """True where there are cosines of all pairs of sentences."""
        return any(one.alignment is not None and one.alignment.grid for one in self.said)


def clip_page(  # noqa: PLR0913 - what an address may ask, and what its reader may see
    clip: Clip,
    track: Track | None,
    *,
    systems: Collection[str] = (),
    judge: str = "",
    subject: str = "",
    submission: Submission | None = None,
    names: Names | None = None,
    shows_references: bool = True,
    shows_others: bool = True,
) -> ClipPage:
    """The page of ``clip``; a fixed number of queries, whatever the number of systems.

    ``systems`` are slugs (those unknown are left out; none means the first of the board),
    ``judge`` is whose evidence is shown, ``subject`` whom of the clip's subjects it is narrowed
    to, ``submission`` stands first besides, called by ``names`` (default: as readers call it).
    Without ``shows_references`` there is none of them, nor of what quotes them: evidence, subjects.
    Without ``shows_others`` there is no submission but that one.
    """
    references = tuple(clip.references.all()) if shows_references else ()
    before, after = _neighbours(clip)
    if track is None:
        plain = tuple((one, (Span(one.text),)) for one in references)
        return ClipPage(clip, plain, before, after, None)
    entries, content = entries_of(track) if shows_others else ([], "")
    extra = own_entry(submission, track, names) if submission else None
    choices = _choices(entries, systems)
    shown = _shown(extra, [entry for entry, chosen in choices if chosen])
    seen_by = judge if judge in track.judges else track.judges[0]
    board, here = [e.runs for e in entries], [e.runs for e in shown]
    values = ClipValues(clip, track, board, here, content)
    metrics = in_order(values.metrics)
    subjects = _subjects(clip, track) if shows_references else {}
    asked = subject if subject in map(bare, subjects) else ""
    texts = _texts(clip, shown)
    seen: Mapping[str, dict[str, Any]] = defaultdict(dict)
    if shows_references:
        seen = _seen(clip, track, shown, texts, seen_by, subjects, asked)
    said = (_said(entry, values, metrics, texts) for entry in shown)
    filled = [replace(one, **seen[one.entry.submission]) for one in said]
    return ClipPage(
        clip=clip,
        references=_beside(references, track, filled),
        before=before,
        after=after,
        track=track,
        metric=metric_title(track.primary_metric),
        metrics=tuple((m, metric_title(m)) for m in metrics),
        judges=tuple((name, judge_title(name)) for name in track.judges),
        judge=seen_by,
        choices=choices,
        said=_with_spans(filled),
        places=len(values.means),
        extra=extra,
        tracks=tuple(clip_tracks(clip.release)),
        subjects=tuple((bare(key), name) for key, name in subjects.items()),
        subject=asked,
    )


def _choices(entries: Sequence[Entry], systems: Collection[str]) -> tuple[tuple[Entry, bool], ...]:
    """Each entry, and whether it is shown."""
    slugs = {entry.slug for entry in entries}
    chosen = slugs.intersection(systems) or {entry.slug for entry in entries[:SHOWN]}
    return tuple((entry, entry.slug in chosen) for entry in entries)


def _shown(extra: Entry | None, wanted: Sequence[Entry]) -> list[Entry]:
    """``extra`` first, and no second time among the others."""
    if extra is None:
        return list(wanted)
    return [extra, *(e for e in wanted if e.submission != extra.submission)]


def _with_spans(said: Sequence[Said]) -> tuple[Said, ...]:
    """Each with its text cut into sentences, numbered by its place on the page."""
    return tuple(
        replace(one, spans=said_spans(one.text, one.alignment, at)) for at, one in enumerate(said)
    )


def _neighbours(clip: Clip) -> tuple[Clip | None, Clip | None]:
    others = Clip.objects.filter(release=clip.release_id, excluded=False).only("key", "title")
    before = others.filter(position__lt=clip.position).order_by("-position").first()
    return before, others.filter(position__gt=clip.position).order_by("position").first()


def _said(
    entry: Entry, values: ClipValues, metrics: Sequence[str], texts: Mapping[str, str]
) -> Said:
    return Said(
        entry=entry,
        text=texts.get(entry.submission, ""),
        scores=values.scores(entry.runs, metrics),
        mean=values.mean(entry.runs),
        place=values.place(entry.runs),
    )


def _beside(
    references: Sequence[Reference], track: Track, said: Sequence[Said]
) -> tuple[tuple[Reference, tuple[Span, ...]], ...]:
    """The references, their sentences linked to what the shown systems said."""
    wanted = {name: track.settings[name] for name in READING if name in track.settings}
    aligned = {at: one.alignment for at, one in enumerate(said)}
    return tuple(
        (one, (Span(one.text),) if place is None else reference_spans(one.text, place, aligned))
        for one, place in zip(references, options(references, wanted), strict=True)
    )


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
            made = PLAIN[track.protocol].items()
            found[submission] = {name: read(data) for name, read in made}
    return found

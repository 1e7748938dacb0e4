"""Public submissions of an older release, taken in again on its correction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from leaderboard import audit
from leaderboard.curation.batches import Declined, begin
from leaderboard.curation.costs import Cost, cost_of
from leaderboard.curation.refusals import Refused
from leaderboard.intake import Contents, InvalidUpload, NotKept, receive
from leaderboard.models import Batch, Release, Submission, Track
from leaderboard.pipeline import dispatch, stored_file
from scoring.types import ScoringError

if TYPE_CHECKING:
    from django.contrib.auth.models import User

REASONS = 5
"""Faults of a file that are kept, of however many."""
KEPT = (
    "user_id",
    "team_id",
    "visibility",
    "named_from",
    "published_at",
    "created_at",
    "standing",
    "standing_reason",
)
"""What the copy has of the original, so that it is the same person's, as old and as visible."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What there is to be taken in, and what it costs; ``done`` are there already."""

    old: Release
    new: Release
    submissions: tuple[Submission, ...]
    done: int
    cost: Cost


def plan(old: Release, new: Release) -> Plan:
    """The visible submissions that ``new`` lacks, newest of each system, with their runs."""
    candidates = list(_counting(old))
    there = set(new.submissions.values_list("system_id", "kind", "language", "sha256"))
    waiting = tuple(
        one
        for one in candidates
        if (one.system_id, one.kind, one.language, one.sha256) not in there
    )
    tracks = {track.slug: track for track in new.tracks.all()}
    runs = [run for one in waiting for run in _runs(one, new, tracks)]
    return Plan(old, new, waiting, len(candidates) - len(waiting), cost_of(runs))


def rescore(*, old: Release, new: Release, actor: User) -> Batch:
    """Have them taken in on ``new`` one by one, to be scored while nothing else waits.

    Each is stored whole or not at all; a file that does not fit the corrected data is reported and
    left. Raises Refused as long as ``new`` is a draft, or while this is under way.
    """
    if not new.is_frozen:
        raise Refused("not-published", f"{new} is a draft: publish it first, then rescore.")
    todo = [one.pk for one in plan(old, new).submissions]
    with transaction.atomic():
        return begin(
            Batch.Kind.RESCORE,
            todo,
            release=new,
            older=old,
            actor=actor,
            after={"release": new.version, "submissions": len(todo)},
        )


def take_in(batch: Batch, one: Submission) -> int:
    """One of them; how many runs that queued: none when it is there already. Raises Declined."""
    there = batch.release.submissions.filter(
        system=one.system_id, kind=one.kind, language=one.language, sha256=one.sha256
    )
    if there.exists():
        return 0
    try:
        copy = _take_in(one, batch.release, batch.user)
    except InvalidUpload as invalid:
        raise Declined(list(map(str, invalid.upload.errors[:REASONS]))) from invalid
    except (NotKept, Refused, ScoringError) as error:
        raise Declined([_why(error)]) from error
    batch.to_look.append(str(copy.pk))
    return copy.runs.count()


def _counting(release: Release) -> Iterator[Submission]:
    """Of each system the newest visible submission of each kind, track and language."""
    seen = set()
    shown = release.submissions.on_the_board().filter(
        standing=Submission.Standing.CLEAR, withdrawn_at__isnull=True, cancelled_at__isnull=True
    )
    for one in shown.select_related("system", "track").order_by("-created_at", "-pk"):
        key = (one.system_id, one.kind, one.track_id, one.judged_by, one.language)
        if key not in seen:
            seen.add(key)
            yield one


def _runs(one: Submission, new: Release, tracks: dict[str, Track]) -> list[tuple[Track, str]]:
    """The runs that the submission would have on the new release."""
    track = tracks.get(one.track.slug) if one.track else None
    if one.track and track is None:
        return []
    copy = Submission(
        release=new, kind=one.kind, language=one.language, judged_by=one.judged_by, track=track
    )
    return dispatch.wanted_runs(copy)


def _take_in(one: Submission, new: Release, actor: User | None) -> Submission:
    track = new.tracks.filter(slug=one.track.slug).first() if one.track else None
    if one.track and track is None:
        raise Refused("no-track", f"The release has no track {one.track.slug}.")
    data, filename = stored_file.file_of(one)
    with transaction.atomic():
        copy = receive(
            release=new,
            user=None,
            system=one.system,
            data=data,
            filename=filename,
            contents=Contents(one.kind, track, one.judged_by, one.language),
            note=one.note,
            low_priority=True,
        )
        kept = {name: getattr(one, name) for name in KEPT}
        Submission.objects.filter(pk=copy.pk).update(**kept, taken_from=one)
        audit.record(
            actor=actor,
            action="submission.rescore",
            target=copy,
            benchmark=new.benchmark,
            before={"submission": str(one.pk), "release": one.release.version},
            after={"submission": str(copy.pk), "release": new.version},
        )
    return copy


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, Refused) else "The stored file cannot be read."

"""What a curator has asked for many submissions: begun here, worked off by ``stepping``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from leaderboard import audit, tasks
from leaderboard.curation.refusals import Refused
from leaderboard.models import Batch, Benchmark, Release, Track

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SHOWN_FOR = timedelta(days=1)
"""So long a finished batch is shown beside the button that began it."""

ACTIONS = {
    Batch.Kind.RESCORE: "release.rescore",
    Batch.Kind.LACKING: "track.queue",
    Batch.Kind.AGAIN: "track.score-again",
}
"""What the audit trail calls each kind."""


class Declined(Exception):  # noqa: N818 - named as it is spoken of
    """One submission of a batch cannot be taken; the others go on."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = list(reasons)
        super().__init__("; ".join(self.reasons))


def begin(
    kind: Batch.Kind,
    submissions: Sequence[UUID | str],
    *,
    release: Release,
    actor: User,
    older: Release | None = None,
    track: Track | None = None,
    after: dict[str, Any],
    reason: str = "",
) -> Batch:
    """A batch of these submissions, with its audit entry, in a transaction; a worker is told.

    ``after`` is what the entry says of it, of the track where there is one. Raises Refused while
    another one of the kind is under way at the same place. One without submissions is over at once,
    and no entry tells of it.
    """
    Release.objects.select_for_update().get(pk=release.pk)
    place: dict[str, Any] = {"release": release, "older": older, "track": track}
    if busy := Batch.objects.open().filter(kind=kind, **place).first():
        raise Refused("under-way", f"This is under way already: {busy.done} of {busy.total}.")
    now = timezone.now()
    made = Batch.objects.create(
        kind=kind,
        benchmark=release.benchmark,
        user=actor,
        total=len(submissions),
        todo=[str(pk) for pk in submissions],
        heard_at=now,
        finished_at=None if submissions else now,
        **place,
    )
    if submissions:
        audit.record(
            actor=actor,
            action=ACTIONS[kind],
            target=track or release,
            benchmark=release.benchmark,
            before={"release": older.version} if older else {},
            after=after,
            reason=reason,
        )
        tasks.send_batches([made.pk])
    return made


def recent(benchmark: Benchmark, now: datetime) -> QuerySet[Batch]:
    """Those under way, and those that ended lately; the newest first."""
    lately = Q(finished_at__isnull=True) | Q(finished_at__gt=now - SHOWN_FOR)
    return of(benchmark).filter(lately)


def of(benchmark: Benchmark) -> QuerySet[Batch]:
    """All of a benchmark that had something to do, the newest first."""
    rows = Batch.objects.filter(benchmark=benchmark, total__gt=0)
    return rows.select_related("release__benchmark", "older", "track", "user")

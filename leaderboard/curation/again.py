"""Runs of a track scored again where they are: after a judge or its set-up was mended."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from leaderboard.curation.batches import begin
from leaderboard.curation.costs import Cost, cost_of
from leaderboard.curation.refusals import Refused
from leaderboard.models import Batch, Kind, Run, Submission, Track
from leaderboard.pipeline import dispatch

if TYPE_CHECKING:
    from django.contrib.auth.models import User

NAMED = 50
"""Submissions that an audit entry names; of more it has the number."""


@dataclass(frozen=True, slots=True)
class Again:
    """Runs that would be queued, of how many submissions, and what they cost."""

    track: Track
    runs: tuple[Run, ...]
    cost: Cost

    @property
    def submissions(self) -> list[str]:
        """Their ids."""
        return sorted({str(run.submission_id) for run in self.runs})


def scorable(track: Track) -> QuerySet[Submission]:
    """Submissions with a run on the track that could be scored again: not those taken back."""
    runs = Run.objects.filter(track=track, state__in=Run.AGAIN)
    found = Submission.objects.filter(pk__in=runs.values("submission"))
    stand = found.filter(withdrawn_at__isnull=True, cancelled_at__isnull=True)
    return stand.select_related("system", "release__benchmark", "user")


def plan(track: Track, submissions: Collection[UUID] | None = None) -> Again:
    """What there is to do for these submissions of the track, or for all of them.

    Runs that wait or are at work already are left out; so are those that were cancelled.
    """
    wanted = scorable(track)
    if submissions is not None:
        wanted = wanted.filter(pk__in=submissions)
    runs = Run.objects.filter(track=track, state__in=Run.AGAIN, submission__in=wanted)
    found = tuple(runs.select_related("track").order_by("submission__created_at", "judge", "pk"))
    return Again(track, found, cost_of((run.track, run.judge) for run in found))


def score_again(
    *,
    track: Track,
    actor: User,
    submissions: Collection[UUID] | None = None,
    reason: str = "",
) -> Batch:
    """Have what ``plan`` says queued, to wait until nothing else does.

    The board keeps every number until the one that replaces it is there. Raises Refused for a
    track whose judges this site does not run, and while this is under way.
    """
    judged_elsewhere = track.runs.filter(submission__kind=Kind.JUDGEMENTS).exists()
    if not track.scores_uploads and not judged_elsewhere:
        raise Refused("not-scored-here", f"{track.name} scores nothing here: nothing was queued.")
    with transaction.atomic():
        found = plan(track, submissions)
        names = found.submissions
        told = names if len(names) <= NAMED else len(names)
        return begin(
            Batch.Kind.AGAIN,
            names,
            release=track.release,
            track=track,
            actor=actor,
            after={"runs": len(found.runs), "submissions": told},
            reason=reason,
        )


def queue_runs(batch: Batch, one: Submission) -> int:
    """The runs of one submission on the batch's track; how many there are.

    What was taken back or begun meanwhile is left alone.
    """
    if one.withdrawn_at or one.cancelled_at:
        return 0
    runs = one.runs.filter(track=batch.track, state__in=Run.AGAIN).order_by("judge", "pk")
    return sum(dispatch.score_again(run) for run in runs)

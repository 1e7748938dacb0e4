"""Stopping and trying again: what a submitter does about runs that are open or have no score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from leaderboard import audit, tasks
from leaderboard.intake import quota
from leaderboard.intake.visibility import NotAllowed
from leaderboard.models import Run, Submission
from leaderboard.pipeline import dispatch, notices

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def cancel(submission: Submission, *, actor: User) -> list[Run]:
    """End all open runs of a submission; those that were.

    Whoever sent it is told when somebody else did so. Raises ``NotAllowed`` when nothing is open.
    """
    now = timezone.now()
    with transaction.atomic():
        stopped = dispatch.cancel(submission, now=now)
        if not stopped:
            raise NotAllowed("Nothing of it is waiting or being scored, so nothing was cancelled.")
        _record(submission, actor, "submission.cancel", stopped, Run.State.CANCELLED)
        told = notices.tell_of_cancel(submission, by=actor, now=now)
        tasks.send_mails(told)
    return stopped


def retry(submission: Submission, *, actor: User) -> list[Run]:
    """Queue all runs that ended without a score; those that were queued.

    It costs no quota. But what was cancelled has given its place away: trying it again asks for
    one (``NotTaken``), unless staff do it. Raises ``NotAllowed`` when there is nothing to try.
    """
    with transaction.atomic():
        if submission.withdrawn_at is not None:
            raise NotAllowed("It is withdrawn; submit the file again to bring it back.")
        gave_place_away = (
            submission.cancelled_at is not None and not submission.runs.done().exists()
        )
        if gave_place_away and not actor.is_staff:
            quota.claim_place(submission.release, submission.user, submission.team)
        again = dispatch.retry_all(submission)
        if not again:
            raise NotAllowed(
                "No run of it ended without a score, so there is nothing to try again."
            )
        _record(submission, actor, "submission.retry", again, Run.State.QUEUED)
        tasks.send_runs(again)
    return again


def _record(
    submission: Submission, actor: User, action: str, runs: list[Run], state: Run.State
) -> None:
    audit.record(
        actor=actor,
        action=action,
        target=submission,
        benchmark=submission.release.benchmark,
        before={"runs": {str(run.pk): run.judge for run in runs}},
        after={"state": state.value},
    )

"""Which runs there are to be done. Every change is conditional on the state it was based on."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from leaderboard.models import Run, Submission, Track

SWEEP_AT_MOST = 200  # messages of one sweep, so that a long backlog is not sent over and over

GONE_QUIET = (
    "Scoring was begun {attempts} times and its worker went silent each time (stopped, or out of "
    "memory). The file has been accepted and is kept; staff can have it scored again."
)


def create_runs(submission: Submission) -> list[Run]:
    """A run for each judge of each track that takes the submission; those still to be sent.

    Calling it again adds only what is missing (a judge that a track has gained).
    """
    now = timezone.now()
    tracks = Track.objects.taking(submission.kind).filter(release_id=submission.release_id)
    if submission.track_id is None:
        tracks = tracks.reading(submission.language)
    else:
        tracks = tracks.filter(pk=submission.track_id)
    Run.objects.bulk_create(
        (
            Run(track=track, submission=submission, judge=judge, queued_at=now)
            for track in tracks
            for judge in ([submission.judged_by] if submission.judged_by else track.judges)
        ),
        ignore_conflicts=True,
    )
    queued = Run.objects.filter(submission=submission, state=Run.State.QUEUED)
    return list(queued.select_related("submission"))


def due_runs(now: datetime) -> list[Run]:
    """Runs whose message has to be sent again, at most ``SWEEP_AT_MOST``, oldest first.

    A run that was claimed and fell silent for ``RUN_SILENCE_SECONDS`` goes back to the queue, or
    has failed when it has been tried ``RUN_MAX_ATTEMPTS`` times. A run queued for as long and not
    begun is sent again: its message may be lost, and a second one does no harm.
    """
    moment = now - timedelta(seconds=settings.RUN_SILENCE_SECONDS)
    runs = Run.objects.select_related("submission")
    silent = runs.silent_since(moment).order_by("heartbeat_at")
    due = [run for run in silent[:SWEEP_AT_MOST] if _taken_back(run, now)]
    waiting = runs.unclaimed_since(moment).order_by("queued_at")
    due += [run for run in waiting[: SWEEP_AT_MOST - len(due)] if _noted_as_sent(run, now)]
    return due


def retry(run: Run) -> bool:
    """Queue a failed or incomplete run, with all its attempts; False when it is neither.

    What an incomplete one has scored stays until the next try has ended.
    """
    changed = Run.objects.filter(pk=run.pk, state__in=Run.RESUMABLE).update(
        state=Run.State.QUEUED,
        attempts=0,
        claim=None,
        done=0,
        total=0,
        queued_at=timezone.now(),
        started_at=None,
        heartbeat_at=None,
        finished_at=None,
        error_code="",
        error="",
    )
    if changed:
        run.refresh_from_db()
    return bool(changed)


def _taken_back(run: Run, now: datetime) -> bool:
    """Take a silent run from its worker; True when it is to be tried again."""
    still_silent = Run.objects.filter(
        pk=run.pk, state=Run.State.RUNNING, claim=run.claim, heartbeat_at=run.heartbeat_at
    )
    if run.attempts < settings.RUN_MAX_ATTEMPTS:
        return bool(still_silent.update(state=Run.State.QUEUED, claim=None, queued_at=now))
    still_silent.update(
        state=run.given_up,
        claim=None,
        finished_at=now,
        error_code="worker-went-silent",
        error=GONE_QUIET.format(attempts=run.attempts),
    )
    return False


def _noted_as_sent(run: Run, now: datetime) -> bool:
    """Only one of several sweeps at the same time sends it."""
    waiting = Run.objects.filter(pk=run.pk, state=Run.State.QUEUED, queued_at=run.queued_at)
    return bool(waiting.update(queued_at=now))

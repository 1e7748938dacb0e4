"""Which runs there are to be done. Every change is conditional on the state it was based on."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from leaderboard.models import Batch, Run, Submission, Track
from leaderboard.pipeline import clock, run_log
from leaderboard.pipeline.claim import come_to_nothing

logger = logging.getLogger(__name__)

SWEEP_AT_MOST = 200  # messages of one sweep, so that a long backlog is not sent over and over

GONE_QUIET = (
    "Scoring was begun {attempts} times and its worker went silent each time (stopped, or out of "
    "memory). The file has been accepted and is kept: have it tried again, it costs no quota."
)
CANCELLED = "Cancelled before it was through; nothing of it was stored. It can be tried again."


def wanted_runs(submission: Submission) -> list[tuple[Track, str]]:
    """(track, judge) of every run that the submission should have on its release.

    It need not be stored: that is how the runs of one that is still to be made are counted.
    """
    tracks = Track.objects.taking(submission.kind).filter(release_id=submission.release_id)
    if submission.track_id is None:
        tracks = tracks.reading(submission.language)
    else:
        tracks = tracks.filter(pk=submission.track_id)
    return [
        (track, judge)
        for track in tracks
        for judge in ([submission.judged_by] if submission.judged_by else track.judges)
    ]


def create_runs(submission: Submission, *, low_priority: bool = False) -> list[Run]:
    """A run for each judge of each track that takes the submission; those still to be sent.

    Calling it again adds only what is missing (a judge that a track has gained). ``low_priority``
    is for new runs that can wait until nothing else does: the sweep sends those.
    """
    now = clock.now()
    Run.objects.bulk_create(
        (
            Run(
                track=track,
                submission=submission,
                judge=judge,
                queued_at=now,
                low_priority=low_priority,
            )
            for track, judge in wanted_runs(submission)
        ),
        ignore_conflicts=True,
    )
    queued = submission.runs.filter(state=Run.State.QUEUED, low_priority=False)
    return list(queued.select_related("submission"))


def due_runs(now: datetime) -> list[Run]:
    """Runs whose message has to be sent again, at most ``SWEEP_AT_MOST``, oldest first.

    A run that was claimed and fell silent for ``RUN_SILENCE_SECONDS`` goes back to the queue, or
    has failed when it has been tried ``RUN_MAX_ATTEMPTS`` times. A run queued for as long and not
    begun is sent again: its message may be lost, and a second one does no harm. Runs of low
    priority come last (``idle_runs``).
    """
    moment = now - timedelta(seconds=settings.RUN_SILENCE_SECONDS)
    runs = Run.objects.select_related("submission")
    silent = runs.silent_since(moment).order_by("heartbeat_at")
    due = [run for run in silent[:SWEEP_AT_MOST] if _taken_back(run, now)]
    waiting = runs.unclaimed_since(moment).order_by("queued_at")
    due += [run for run in waiting[: SWEEP_AT_MOST - len(due)] if _noted_as_sent(run, now)]
    return due + idle_runs()


def idle_runs(judge: str | None = None) -> list[Run]:
    """The oldest run of low priority of each judge that nothing else waits for.

    One at a time: whoever finishes it asks for the next, and each sweep starts one more for
    workers that are still idle, so that an upload never waits behind many of them. Sent twice it
    does no harm; sent too late it is left alone (``claim``).
    """
    queued = Run.objects.filter(state=Run.State.QUEUED)
    if judge is not None:
        queued = queued.filter(judge=judge)
    busy = set(queued.filter(low_priority=False).values_list("judge", flat=True))
    low = queued.filter(low_priority=True).exclude(judge__in=busy)
    oldest: dict[str, int] = {}
    for name, pk in low.order_by("queued_at", "pk").values_list("judge", "pk"):
        oldest.setdefault(name, pk)
    return list(Run.objects.select_related("submission").filter(pk__in=oldest.values()))


def due_batches(now: datetime) -> list[int]:
    """Batches of curators of which nothing was done for ``RUN_SILENCE_SECONDS``: sent again."""
    moment = now - timedelta(seconds=settings.RUN_SILENCE_SECONDS)
    silent = Batch.objects.silent_since(moment)
    return [
        batch.pk
        for batch in silent
        if silent.filter(pk=batch.pk, heard_at=batch.heard_at).update(heard_at=now)
    ]


def cancel(submission: Submission, *, now: datetime) -> list[Run]:
    """End what is open of a submission's runs, and return the runs that were.

    A worker that is at one of them loses its claim and stops with its next heartbeat; nothing of
    what it did is stored. What is done stays done.
    """
    with transaction.atomic():
        Submission.objects.select_for_update().get(pk=submission.pk)
        runs = submission.runs.select_for_update().filter(state__in=Run.OPEN)
        stopped = [run for run in runs if _cancelled(run, now)]
        if stopped:
            submission.cancelled_at = now
            submission.save(update_fields=["cancelled_at"])
    return stopped


def _cancelled(run: Run, now: datetime) -> bool:
    """End an open run; one that was being scored again is done as it was before."""
    is_open = Run.objects.filter(pk=run.pk, state__in=Run.OPEN)
    if run.stands:
        log = run_log.with_line(run.log, run_log.KEPT_AS_IT_WAS, now)
        as_before = {"state": run.given_up, "claim": None, "stands": False}
        is_open.update(log=log, finished_at=now, **as_before)
        return False
    changed = is_open.update(
        state=Run.State.CANCELLED,
        claim=None,
        finished_at=now,
        error_code="cancelled",
        error=CANCELLED,
        log=run_log.with_line(run.log, run_log.CANCELLED, now),
    )
    return bool(changed)


def retry_all(submission: Submission) -> list[Run]:
    """Queue all runs of a submission that ended without a score; those that were queued."""
    with transaction.atomic():
        runs = submission.runs.filter(state__in=Run.RESUMABLE).select_related("submission")
        again = [run for run in runs.order_by("pk") if retry(run)]
    submission.refresh_from_db(fields=["cancelled_at"])
    return again


def retry(run: Run) -> bool:
    """Queue a failed, incomplete or cancelled run, with all its attempts; False for any other.

    What an incomplete one has scored stays until the next try has ended.
    """
    changed = Run.objects.filter(pk=run.pk, state__in=Run.RESUMABLE).update(
        state=Run.State.QUEUED,
        attempts=0,
        claim=None,
        done=0,
        total=0,
        queued_at=clock.now(),
        sent_at=None,
        started_at=None,
        heartbeat_at=None,
        finished_at=None,
        error_code="",
        error="",
        log=run_log.with_line(run.log, run_log.AGAIN),
    )
    if changed:
        run.refresh_from_db()
        Submission.objects.filter(pk=run.submission_id).update(cancelled_at=None)
    return bool(changed)


def score_again(run: Run) -> bool:
    """Queue a run that has ended, at low priority; False for one that is open or was cancelled.

    What is done stays on the board with its numbers until the new ones are stored.
    """
    now = clock.now()
    changed = Run.objects.filter(pk=run.pk, state=run.state, state__in=Run.AGAIN).update(
        state=Run.State.QUEUED,
        stands=run.state == Run.State.DONE,
        low_priority=True,
        attempts=0,
        claim=None,
        done=0,
        total=0,
        queued_at=now,
        sent_at=None,
        started_at=None,
        heartbeat_at=None,
        finished_at=None,
        error_code="",
        error="",
        log=run_log.with_line(run.log, run_log.RESCORE, now),
    )
    return bool(changed)


def _taken_back(run: Run, now: datetime) -> bool:
    """Take a silent run from its worker; True when it is to be tried again."""
    still_silent = Run.objects.filter(
        pk=run.pk, state=Run.State.RUNNING, claim=run.claim, heartbeat_at=run.heartbeat_at
    )
    if run.attempts < settings.RUN_MAX_ATTEMPTS:
        log = run_log.with_line(run.log, run_log.SILENT, now)
        back = {"state": Run.State.QUEUED, "claim": None, "queued_at": now, "sent_at": None}
        return bool(still_silent.update(log=log, **back))
    why = GONE_QUIET.format(attempts=run.attempts)
    end = come_to_nothing(run, "worker-went-silent", why, run_log.GIVEN_UP, now=now)
    if still_silent.update(**end):
        logger.error("run %s: begun %s times, its worker silent each time", run.pk, run.attempts)
    return False


def _noted_as_sent(run: Run, now: datetime) -> bool:
    """Only one of several sweeps at the same time sends it."""
    waiting = Run.objects.filter(pk=run.pk, state=Run.State.QUEUED, sent_at=run.sent_at)
    return bool(waiting.update(sent_at=now))

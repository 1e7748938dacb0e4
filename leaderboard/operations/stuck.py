"""Rows that wait for something that does not happen, and judges that cannot do their work."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef

from leaderboard import tasks
from leaderboard.models import Run, Submission, Track
from leaderboard.operations.finding import ERROR, WARNING, Finding, some
from leaderboard.pipeline import attendance, dispatch
from leaderboard.pipeline.judges import RULES


def findings(now: datetime) -> Iterator[Finding]:
    """Silent runs, runs that no worker takes, submissions that nothing scores, missing judges."""
    silent = silent_runs(now)
    if silent:
        what = f"{len(silent)} runs were begun and their worker went silent: no worker sweeps."
        yield Finding(
            ERROR, "silent-runs", what, "Start a worker, or run `manage.py doctor --fix`."
        )
    alone = attendance.unattended(now=now)
    yield from _waiting(alone)
    if bare := without_runs():
        what = f"Nothing scores these submissions: {some([str(one.pk) for one in bare])}."
        yield Finding(ERROR, "no-runs", what, "Run `manage.py doctor --fix`; it queues their runs.")
    yield from _judges(alone)


def silent_runs(now: datetime) -> list[Run]:
    """Claimed, and not heard of for twice as long as a sweep lets pass."""
    moment = now - timedelta(seconds=2 * settings.RUN_SILENCE_SECONDS)
    return list(Run.objects.silent_since(moment).order_by("heartbeat_at"))


def without_runs() -> list[Submission]:
    """Those that a track takes, and that have not a single run."""
    bare = Submission.objects.filter(~Exists(Run.objects.filter(submission=OuterRef("pk"))))
    return [one for one in bare.filter(cancelled_at=None) if dispatch.wanted_runs(one)]


def requeue(now: datetime) -> list[str]:
    """Queue what is missing and what fell silent, as a worker's sweep does; what was done.

    Doing it again, or while a worker sweeps, does no harm.
    """
    done = []
    for submission in without_runs():
        tasks.send_runs(dispatch.create_runs(submission))
        done.append(f"Queued the runs of submission {submission.pk}.")
    if silent := silent_runs(now):
        tasks.send_runs(dispatch.due_runs(now))
        done.append(f"Took {len(silent)} silent runs from their workers.")
    return done


def _waiting(alone: list[str]) -> Iterator[Finding]:
    waiting = Run.objects.filter(state=Run.State.QUEUED, judge__in=alone)
    for judge in waiting.order_by("judge").values_list("judge", flat=True).distinct():
        count = waiting.filter(judge=judge).count()
        what = f"{count} runs wait for the judge {judge}, and no worker takes them."
        remedy = f"Start a worker: `cliprank-worker --judge {judge}`."
        yield Finding(ERROR, "no-worker", what, remedy)


def _judges(alone: list[str]) -> Iterator[Finding]:
    here = attendance.installed()
    pairs = Track.Protocol.PAIRS
    panels = (
        Track.objects.open().exclude(protocol=pairs).order_by().values_list("judges", flat=True)
    )
    for judge in sorted({name for panel in panels for name in panel} - RULES):
        if judge not in here:
            what = f"Open tracks name the judge {judge}, which no catalogue has."
            remedy = "Choose other judges for them, or name it in CHAT_CATALOGUE."
            yield Finding(ERROR, "unknown-judge", what, remedy)
        elif not here[judge] and judge in alone:
            what = f"The judge {judge} of an open track has no worker, and no weights here."
            remedy = (
                f"Start a worker where they are, or fetch them (`cliprank judges check {judge}` "
                "says what is missing), or close the track."
            )
            yield Finding(WARNING, "missing-weights", what, remedy)

"""Celery tasks: a key in, one call, and messages for what comes next.

A message is only a nudge; the row it names says whether there is anything to do. So a task may
be delivered twice, late or never: the sweep sends again what is due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from celery import Task, shared_task
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from leaderboard.celery import app, queue_of
from leaderboard.models import Notice, Run
from leaderboard.people import sightings
from leaderboard.pipeline import (
    chosen_tables,
    clip_map,
    clock,
    dispatch,
    judges,
    notices,
    rank,
    score,
)
from leaderboard.storage import unfinished

WORK_BATCH = "leaderboard.curation.tasks.work_batch"
"""Sent by its name: what curators do lies above this module."""
COMPUTE_TABLE = "leaderboard.tables.tasks.compute_table"
"""The same: what a reader may choose does, too."""


@shared_task(bind=True)
def score_run(self: Task[[int], None], run_id: int) -> None:
    """One judge on one submission."""
    outcome = score.score_run(run_id, worker=str(self.request.hostname or ""))
    send_ranks(outcome.tracks)
    send_runs(outcome.again, countdown=outcome.delay)
    send_mails(notices.tell_when_over(outcome.ended, now=timezone.now()))
    send_maps(outcome.unmapped)


@shared_task
def rank_track(track_id: int) -> None:
    """The table of a track, from the scores that are there."""
    rank.rank_track(track_id)


@shared_task
def draw_map(track_id: int, judge: str) -> None:
    """The clips of a track on a plane, as a judge reads their references."""
    clip_map.draw_map(track_id, judge)


@shared_task
def mail_notice(notice_id: int) -> None:
    """One notice as a mail."""
    for notice in Notice.objects.select_related("user", "submission").filter(pk=notice_id):
        notices.mail(notice)


@shared_task
def sweep() -> None:
    """Send again what fell through: runs, rankings behind their runs, what nobody was told."""
    now = clock.now()
    send_runs(dispatch.due_runs(now))
    send_ranks(rank.stale_tracks())
    send_batches(dispatch.due_batches(now))
    send_tables(chosen_tables.due(now))
    _tell_what_is_due(now)
    _forget_what_is_over(now)


def _tell_what_is_due(now: datetime) -> None:
    notices.tell_when_over(notices.overlooked(now), now=now)
    send_mails(notices.mails_due(now))


def _forget_what_is_over(now: datetime) -> None:
    sightings.forget_old(now)
    unfinished.expire(now)
    chosen_tables.forget_old(now)


def send_runs(runs: Iterable[Run], *, countdown: float = 0) -> None:
    """Tell the judges' workers about runs, once the surrounding transaction has committed."""
    send = partial(score_run.apply_async, countdown=countdown)
    _on_commit([partial(send, (run.pk,), queue=_queue(run)) for run in runs])


def _queue(run: Run) -> str:
    """That of the judge, whose weights not every host holds; any worker's where there is none."""
    needs = judges.needs_weights(run)
    return queue_of(run.judge) if needs else str(settings.CELERY_TASK_DEFAULT_QUEUE)


def send_ranks(track_ids: Iterable[int]) -> None:
    """Ask for rankings, once the surrounding transaction has committed."""
    _on_commit([partial(rank_track.delay, track_id) for track_id in track_ids])


def send_batches(batches: Iterable[int]) -> None:
    """Have the next part of these batches done, once the transaction has committed."""
    _on_commit([partial(app.send_task, WORK_BATCH, (batch,)) for batch in batches])


def send_tables(tables: Iterable[int]) -> None:
    """Have chosen tables computed, once the surrounding transaction has committed."""
    _on_commit([partial(app.send_task, COMPUTE_TABLE, (table,)) for table in tables])


def send_maps(runs: Iterable[Run]) -> None:
    """Have the maps drawn that the runs' tracks lack, where their judges' weights are."""
    send = draw_map.apply_async
    _on_commit([partial(send, (run.track_id, run.judge), queue=_queue(run)) for run in runs])


def send_mails(told: Iterable[Notice]) -> None:
    """Have notices mailed that are to go out as mails, once the transaction has committed."""
    _on_commit([partial(mail_notice.delay, notice.pk) for notice in told if notice.wants_mail])


def _on_commit(messages: Sequence[Callable[[], Any]]) -> None:
    def tell_the_broker() -> None:
        for send in messages:
            send()

    # Robust: a broker that is down is logged and never undoes or hides what has been stored.
    transaction.on_commit(tell_the_broker, robust=True)

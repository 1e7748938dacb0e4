"""What a Celery worker does beside its tasks: it checks its judges, sweeps, and hands back work.

Imported by workers only (``CELERY_IMPORTS``).
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

from celery.signals import celeryd_after_setup, worker_ready, worker_shutting_down
from django.conf import settings
from django.db import connections
from django.utils import timezone

from leaderboard import tasks
from leaderboard.celery import queue_of
from leaderboard.pipeline import attendance, claim, judges

logger = logging.getLogger(__name__)

FORKING = "prefork"


@celeryd_after_setup.connect
def check_judges(instance: Any, **_: Any) -> None:
    """Load and check the judges of this worker's queues before it takes work; they stay warm.

    One that is not as the catalogue has it is logged, and its runs fail saying so. A pool that
    forks must not inherit loaded weights: its children check a judge before its first run.
    """
    if FORKING in str(instance.pool_cls.__module__):
        return
    queues = set(instance.app.amqp.queues.consume_from)
    for name in judges.installed_in_use():
        if queue_of(name) in queues:
            _check(name)
    connections.close_all()


def _check(name: str) -> None:
    try:
        judges.ready_judge(name)
    except judges.JudgeNotReady as error:
        logger.error("%s", error)  # noqa: TRY400 - the message says it all
    else:
        logger.info("judge %s is as the catalogue has it", name)


@worker_ready.connect
def start_sweeping(sender: Any, **_: Any) -> None:
    """Sweep at once and then every ``SWEEP_SECONDS``, so that no clock process is needed.

    With each sweep it is noted which judges this worker serves.

    The thread dies with the worker. Several workers may sweep at the same time: every change
    that a sweep makes is conditional on what it has read.
    """
    queues = frozenset(sender.app.amqp.queues.consume_from)
    threading.Thread(target=_sweep_for_ever, args=(queues,), name="sweep", daemon=True).start()


@worker_shutting_down.connect
def hand_back(**_: Any) -> None:
    """Give the run at hand back to the queue instead of making the stop wait for it."""
    claim.stopping.set()


def _sweep_for_ever(queues: frozenset[str]) -> None:
    while True:
        try:
            attendance.note(queues, now=timezone.now())
            tasks.sweep()
        except Exception:
            logger.exception("the sweep failed; the next is in %s s", settings.SWEEP_SECONDS)
        finally:
            connections.close_all()
        time.sleep(settings.SWEEP_SECONDS)

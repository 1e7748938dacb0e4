"""What a Celery worker does beside its tasks: it checks its judges, sweeps, and hands back work.

Imported by workers only (``CELERY_IMPORTS``).
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from typing import Any

from celery.signals import (
    celeryd_after_setup,
    worker_process_init,
    worker_ready,
    worker_shutting_down,
)
from django.conf import settings
from django.db import connections

from leaderboard import tasks
from leaderboard.celery import queue_of
from leaderboard.pipeline import attendance, claim, clock, judges, limits

logger = logging.getLogger(__name__)

FORKING, ALONE = "prefork", "solo"
_for_children: list[str] = []


@celeryd_after_setup.connect
def check_judges(instance: Any, **_: Any) -> None:
    """Load and check the judges of this worker's queues before it takes work; they stay warm.

    One that is not as the catalogue has it is logged, and its runs fail saying so
    (``cliprank-worker --judge`` refuses to start). A pool that forks must not inherit loaded
    weights: its children load their own. Limits that contradict each other end the worker; a broker
    that does not wait as long as they allow is named.
    """
    if wrong := limits.contradiction():
        raise SystemExit(wrong)
    if slow := limits.impatience():
        logger.warning("%s %s", slow, limits.patience())
    limits.limit_memory()
    queues = set(instance.app.amqp.queues.consume_from)
    served = [name for name in judges.installed_in_use() if queue_of(name) in queues]
    connections.close_all()
    pool = str(instance.pool_cls.__module__)
    if FORKING in pool:
        _for_children[:] = served
        return
    if ALONE in pool:
        claim.Heartbeat.when_hung = start_anew
    for name in served:
        _check(name)


@worker_process_init.connect
def warm_child(**_: Any) -> None:
    """In each child of a pool that forks: its own weights, checked before it takes work."""
    for name in _for_children:
        _check(name)


def _check(name: str) -> None:
    try:
        judges.ready_judge(name)
    except judges.JudgeNotReady as error:
        logger.error("%s", error)  # noqa: TRY400 - the message says it all
    else:
        logger.info("judge %s is as the catalogue has it", name)


def start_anew() -> None:
    """Put a new worker in this one's place, since its one thread hangs in a judge.

    The process keeps its number, so whoever watches over it sees nothing of it.
    """
    logger.error("the judge does not let go: this worker starts anew")
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - its own command


@worker_ready.connect
def start_sweeping(sender: Any, **_: Any) -> None:
    """Sweep at once and then every ``SWEEP_SECONDS``, so that no clock process is needed.

    With each sweep it is noted which judges this worker serves.

    The thread dies with the worker. Several workers may sweep at the same time: every change
    that a sweep makes is conditional on what it has read.
    """
    queues = frozenset(sender.app.amqp.queues.consume_from)
    threading.Thread(target=sweep_for_ever, args=(queues,), name="sweep", daemon=True).start()


@worker_shutting_down.connect
def hand_back(**_: Any) -> None:
    """Give the runs at hand back to the queue instead of making the stop wait for them."""
    claim.stopping.set()


def sweep_for_ever(queues: frozenset[str], until: threading.Event | None = None) -> None:
    """Sweep every ``SWEEP_SECONDS``, noting the judges of ``queues``; what fails is logged."""
    over = until or threading.Event()
    while not over.is_set():
        try:
            if queues:
                attendance.note(queues, now=clock.now())
            tasks.sweep()
        except Exception:
            logger.exception("the sweep failed; the next is in %s s", settings.SWEEP_SECONDS)
        finally:
            connections.close_all()
        over.wait(settings.SWEEP_SECONDS)

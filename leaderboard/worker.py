"""What a Celery worker does beside its tasks: it sweeps, and it hands back work when it stops.

Imported by workers only (``CELERY_IMPORTS``).
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings
from django.db import connections

from leaderboard import tasks
from leaderboard.pipeline import claim

logger = logging.getLogger(__name__)


@worker_ready.connect
def start_sweeping(**_: Any) -> None:
    """Sweep at once and then every ``SWEEP_SECONDS``, so that no clock process is needed.

    The thread dies with the worker. Several workers may sweep at the same time: every change
    that a sweep makes is conditional on what it has read.
    """
    threading.Thread(target=_sweep_for_ever, name="sweep", daemon=True).start()


@worker_shutting_down.connect
def hand_back(**_: Any) -> None:
    """Give the run at hand back to the queue instead of making the stop wait for it."""
    claim.stopping.set()


def _sweep_for_ever() -> None:
    while True:
        try:
            tasks.sweep()
        except Exception:
            logger.exception("the sweep failed; the next is in %s s", settings.SWEEP_SECONDS)
        finally:
            connections.close_all()
        time.sleep(settings.SWEEP_SECONDS)

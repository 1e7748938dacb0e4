"""`manage.py sweep`: what every worker does by itself now and then, for cron or as the beat."""

from __future__ import annotations

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from leaderboard import tasks


class Command(BaseCommand):
    """Workers sweep by themselves; this goes on where they are not always on.

    It needs the database, and the broker for what it sends; no judge and no worker.
    """

    help = "Send again what fell through: silent or forgotten runs, rankings behind their runs."

    def add_arguments(self, parser: Any) -> None:
        """Once, or as a process of its own."""
        parser.add_argument(
            "--beat", action="store_true", help="go on, every SWEEP_SECONDS, until told to end"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Sweep once, or until SIGTERM or Ctrl-C; a sweep that fails does not end it."""
        if not options["beat"]:
            tasks.sweep()
            return
        from leaderboard.worker import sweep_for_ever  # noqa: PLC0415 - what workers do

        over = threading.Event()
        for ending in (signal.SIGTERM, signal.SIGINT):
            signal.signal(ending, lambda *_: over.set())
        sweep_for_ever(frozenset(), over)

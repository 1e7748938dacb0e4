"""`manage.py sweep`: what every worker does by itself now and then, for cron or by hand."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from leaderboard import tasks


class Command(BaseCommand):
    """Workers sweep by themselves; this is for sites whose workers are not always on."""

    help = "Send again what fell through: silent or forgotten runs, rankings behind their runs."

    def handle(self, *args: Any, **options: Any) -> None:
        """Sweep once."""
        tasks.sweep()

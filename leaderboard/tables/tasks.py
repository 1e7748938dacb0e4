"""The task of tables that a reader has chosen: known to workers by the name in ``tasks``."""

from __future__ import annotations

from celery import shared_task

from leaderboard import tasks
from leaderboard.tables import larger


@shared_task(name=tasks.COMPUTE_TABLE)
def compute_table(table_id: int) -> None:
    """One table under one choice."""
    larger.compute(table_id)

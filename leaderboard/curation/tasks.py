"""The task of curators' batches: known to workers by the name in ``leaderboard.tasks``."""

from __future__ import annotations

from celery import shared_task

from leaderboard import tasks
from leaderboard.curation import stepping


@shared_task(name=tasks.WORK_BATCH)
def work_batch(batch_id: int) -> None:
    """Some submissions of a batch; the rest behind whatever waits meanwhile."""
    if stepping.step(batch_id):
        tasks.send_batches([batch_id])

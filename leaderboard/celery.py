"""The Celery application. The database row, not the message, is the truth of what is to be done."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from django.conf import settings
from kombu import Queue

from scoring.judges import catalogue, chat_catalogue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

app = Celery("cliprank")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["leaderboard", "leaderboard.curation", "leaderboard.tables"])


def queue_of(judge: str) -> str:
    """The queue of a judge: hosts subscribe to the judges whose weights they hold."""
    return f"{settings.QUEUE_PREFIX}judge.{judge}"


@app.on_after_configure.connect
def name_queues(sender: Celery, **_: Any) -> None:
    """One queue per judge of the catalogues; a worker that is not told otherwise takes all."""
    reading = chat_catalogue.entries(settings.CHAT_CATALOGUE)
    names = [entry.name for entry in catalogue.entries()] + [entry.name for entry in reading]
    queues = (sender.conf.task_default_queue, *map(queue_of, names))
    sender.conf.task_queues = [Queue(name, routing_key=name) for name in queues]

"""The broker that the settings name, with queues of a test's own between sender and reader."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from kombu import Connection

from leaderboard import broker
from leaderboard.celery import app

SECONDS = 20


class Wire:
    """Has messages sent as Celery sends them, and takes each from its queue as a worker does."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.prefix = f"test-{uuid4().hex[:8]}-"
        self.producer = app.amqp.Producer(connection)
        self.queues: set[str] = set()

    def round_trip(self, send: Callable[..., Any], *words: Any, **more: Any) -> tuple[str, Any]:
        """What arrives when ``send_task`` of Celery is called so: the task's name and its key."""
        named = more.get("queue") or settings.CELERY_TASK_DEFAULT_QUEUE
        name = f"{self.prefix}{named}"
        self.queues.add(name)
        send(*words, **more | {"queue": name, "producer": self.producer})
        taken = app.amqp.queues[name](self.connection.default_channel)
        deadline = time.monotonic() + SECONDS
        while (message := taken.get(no_ack=True)) is None:
            assert time.monotonic() < deadline, f"no message has arrived in {named}"
            time.sleep(0.01)
        (key, *_), *_ = message.decode()
        return message.headers["task"], key

    def forget(self) -> None:
        """Remove the queues."""
        for name in self.queues:
            app.amqp.queues.pop(name, None)
            with suppress(*self.connection.channel_errors):
                self.connection.default_channel.queue_delete(name)


@contextmanager
def wire(folder: Path) -> Iterator[Wire]:
    """A connection that is made when it is first used; the embedded broker keeps to ``folder``."""
    transport = getattr(settings, "CELERY_BROKER_TRANSPORT", None)
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    with Connection(
        settings.CELERY_BROKER_URL,
        transport=transport,
        transport_options=broker.in_folder(folder) if transport else options,
    ) as connection:
        made = Wire(connection)
        try:
            yield made
        finally:
            made.forget()

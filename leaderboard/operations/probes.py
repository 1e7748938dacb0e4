"""Is what the site needs there? One function a thing; each tries it and raises when it is not."""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from leaderboard.celery import app
from leaderboard.pipeline import attendance, clock

logger = logging.getLogger(__name__)

BROKER_SECONDS = 3


class NotThere(Exception):  # noqa: N818 - named as the fault is spoken of
    """What was looked for answers, but not as it should."""


def database() -> None:
    """It answers a query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def migrations() -> None:
    """Every migration of this installation has been applied."""
    if waiting := unapplied():
        raise NotThere(f"not applied: {', '.join(waiting)}")


def unapplied() -> list[str]:
    """Migrations that are here and not yet in the database, as ``app.name``."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{one.app_label}.{one.name}" for one, _ in plan]


def broker() -> None:
    """It takes a connection, within ``BROKER_SECONDS``."""
    with app.connection_for_write() as wire:
        wire.connect_timeout = BROKER_SECONDS
        wire.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
        with wire.channel() as channel:
            folder = getattr(channel, "data_folder_out", None)
        if folder is not None:
            _writable(str(folder))


def storage() -> None:
    """A file can be stored, read and removed."""
    content = uuid.uuid4().bytes
    name = default_storage.save(f"probes/{uuid.uuid4()}", ContentFile(content))
    try:
        with default_storage.open(name, "rb") as file:
            if file.read() != content:
                raise NotThere("what was stored is not what is read")
    finally:
        default_storage.delete(name)


NEEDED: Mapping[str, Callable[[], None]] = {
    "database": database,
    "migrations": migrations,
    "broker": broker,
    "storage": storage,
}


@dataclass(frozen=True, slots=True)
class Readiness:
    """What holds of each thing that is needed, and judges that no worker is heard of for; None
    where nobody can tell.
    """

    needed: Mapping[str, bool]
    unattended: tuple[str, ...] | None

    @property
    def ready(self) -> bool:
        """Requests can be served. A judge without a worker keeps nobody from uploading."""
        return all(self.needed.values())


def look() -> Readiness:
    """Try everything once. Why something failed is logged, and said to nobody who asks."""
    needed = {name: _holds(name, probe) for name, probe in NEEDED.items()}
    alone: tuple[str, ...] | None = None
    if needed["database"] and needed["migrations"]:
        alone = tuple(attendance.unattended(now=clock.now()))
    return Readiness(needed, alone)


def _holds(name: str, probe: Callable[[], None]) -> bool:
    try:
        probe()
    except Exception as error:
        logger.warning("not ready: %s: %s", name, error)
        return False
    return True


def _writable(folder: str) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise NotThere(f"cannot write to {folder}")

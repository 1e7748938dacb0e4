"""The clock that claims, and signs of life of workers, are measured by."""

from __future__ import annotations

from datetime import datetime

from django.db import connection
from django.utils import timezone


def now() -> datetime:
    """The time as the database server has it, which is the same for all hosts.

    A host whose own clock is off would take the runs of others from them, or never find a silent
    one. SQLite has no server: its clock is this machine's.
    """
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment

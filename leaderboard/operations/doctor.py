"""A look at everything that can be wrong with a site, and the safe part of mending it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from leaderboard.operations import configuration, files, probes, stuck
from leaderboard.operations.finding import ERROR, Finding

REMEDIES = {
    "database": "Start it, or set DATABASE_URL right.",
    "migrations": "Run `manage.py migrate` (`make setup` does).",
    "broker": "Start it, or set CELERY_BROKER_URL right.",
    "storage": "Give the process a place to write to, with space left: MEDIA_ROOT, or the bucket "
    "that the variables AWS_... name.",
}


ROWS = {"database", "migrations"}
"""What is needed to look at rows."""


def examine(now: datetime) -> list[Finding]:
    """Everything that is wrong, configuration first. Rows and files need a database to look at."""
    found = list(configuration.findings())
    broken = _broken()
    found += [
        Finding(ERROR, name, f"The {name} failed: {fault}", REMEDIES[name])
        for name, fault in broken.items()
    ]
    if not ROWS & set(broken):
        found += stuck.findings(now)
        if "storage" not in broken:
            found += files.findings(now)
    return found


def mend(now: datetime) -> list[str]:
    """What is safe to do without asking: files of nothing deleted, forgotten runs queued. Nothing
    where what it needs is not there.
    """
    broken = set(_broken())
    if ROWS & broken:
        return []
    files_gone = [] if "storage" in broken else files.delete_orphans(now)
    return [*files_gone, *stuck.requeue(now)]


def _broken() -> dict[str, str]:
    """What is needed and does not work, to what it said."""
    return {name: fault for name, probe in probes.NEEDED.items() if (fault := _fault(probe))}


def _fault(probe: Callable[[], None]) -> str:
    try:
        probe()
    except Exception as error:
        return str(error) or type(error).__name__
    return ""

"""What a backup holds: every row as a line of JSON, every stored file, and a manifest of both."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models
from django.db.migrations.recorder import MigrationRecorder

VERSION = 1
MANIFEST = "manifest.json"
MADE_BY_MIGRATE = ("contenttypes.contenttype", "auth.permission")
"""There are rows of these in an empty system; those of the backup take their place."""
LEFT_OUT = (
    "sessions.session",
    "leaderboard.attendance",
    "leaderboard.chosentable",
    "leaderboard.directupload",
    "leaderboard.sighting",
)
"""Who is signed in, which workers are there, what is being computed or sent, from where accounts
are used: true of one moment only, or nothing that should be copied."""


class ArchiveError(Exception):
    """The backup cannot be made or restored; says why and what to do."""


class Exact(DjangoJSONEncoder):
    """Times to the microsecond; Django's own keeps milliseconds."""

    def default(self, o: Any) -> Any:
        """See ``json.JSONEncoder``."""
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def kept_models() -> list[type[models.Model]]:
    """Every table that has rows of its own, in the order of their labels."""
    found = [one for one in apps.get_models() if one._meta.managed and not one._meta.proxy]
    return sorted((m for m in found if label(m) not in LEFT_OUT), key=label)


def label(model: type[models.Model]) -> str:
    """``app.model``, as the manifest names it."""
    return str(model._meta.label_lower)


def applied() -> list[str]:
    """Migrations that the database has, as ``app.name``."""
    return sorted(".".join(key) for key in MigrationRecorder(connection).applied_migrations())


def row_member(name: str) -> str:
    """Where the archive has the rows of a table."""
    return f"rows/{name}.jsonl"


def file_member(name: str) -> str:
    """Where the archive has a stored file."""
    return f"files/{name}"

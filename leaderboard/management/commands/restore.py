"""`manage.py restore FILE.tar`: a backup into an empty system."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.operations.archive import ArchiveError
from leaderboard.operations.restore import restore


class Command(BaseCommand):
    """All of it or nothing; never over what is there."""

    help = "Restore what `manage.py backup` has written, into a migrated and empty database."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where from."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore it and say what was in it."""
        try:
            manifest = restore(options["file"])
        except ArchiveError as error:
            raise CommandError(str(error)) from error
        rows = sum(table["count"] for table in manifest["rows"].values())
        files = len(manifest["files"])
        self.stdout.write(f"{rows} rows and {files} files of {manifest['made_at']} are back.")

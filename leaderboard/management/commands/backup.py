"""`manage.py backup FILE.tar`: the whole site as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from leaderboard.operations.archive import ArchiveError
from leaderboard.operations.backup import backup


class Command(BaseCommand):
    """Runs beside web processes and workers, on SQLite and PostgreSQL alike."""

    help = "Write every row and stored file to one file, for `manage.py restore`."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to."""
        parser.add_argument("file", type=Path, help="a new file; it holds private data")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it and say what is in it."""
        try:
            made = backup(options["file"], now=timezone.now())
        except (ArchiveError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{made.rows} rows and {made.files} files are in {options['file']}.")
        for name in made.missing:
            self.stderr.write(f"missing in the storage: {name} (see `manage.py doctor`)")

"""`manage.py import_velociti FILE ...`: bring VELOCITI in; twice is once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.importers.source import InvalidSource
from leaderboard.importers.velociti import import_velociti


class Command(BaseCommand):
    """Checks every file first; when anything is wrong, nothing is stored."""

    help = "Import VELOCITI: its pairs of captions, its published tables, or both."

    def add_arguments(self, parser: CommandParser) -> None:
        """The files."""
        parser.add_argument(
            "pairs",
            type=Path,
            nargs="*",
            metavar="FILE",
            help="pairs: JSON, JSON Lines or CSV with test_name, video_id, event, pos, neg",
        )
        parser.add_argument(
            "--published",
            type=Path,
            metavar="FILE",
            help="published tables: fills the track with reported results",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, and say what there is now."""
        try:
            report = import_velociti(options["pairs"], published=options["published"])
        except InvalidSource as error:
            raise CommandError(f"Nothing was imported.\n{error}") from error
        self.stdout.write(str(report))

"""`manage.py import_capricorn`: bring CapRiCorn-1K in; twice is once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.importers.capricorn import import_capricorn
from leaderboard.importers.source import InvalidSource


class Command(BaseCommand):
    """Checks every file first; when anything is wrong, nothing is stored."""

    help = "Import CapRiCorn-1K: its annotation files, its published tables, or both."

    def add_arguments(self, parser: CommandParser) -> None:
        """The files."""
        for name, held in (
            ("--audiovisual", "annotations of what is seen and heard, JSON Lines"),
            ("--visual", "annotations of what is seen (CapRiCorn-1K-V), JSON Lines"),
            ("--published", "published tables: fills the tracks with reported results"),
        ):
            parser.add_argument(name, type=Path, metavar="FILE", help=held)

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, and say what there is now."""
        try:
            report = import_capricorn(
                audiovisual=options["audiovisual"],
                visual=options["visual"],
                published=options["published"],
            )
        except InvalidSource as error:
            raise CommandError(f"Nothing was imported.\n{error}") from error
        self.stdout.write(str(report))

"""`manage.py import_fm_v2t DIR`: bring FM-V2T in; twice is once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.importers.fm_v2t import CAPTIONS, ENGLISH, GERMAN, import_fm_v2t
from leaderboard.importers.source import InvalidSource


class Command(BaseCommand):
    """Checks the whole folder first; when anything is wrong, nothing is stored."""

    help = f"Import FM-V2T from a folder with {ENGLISH}, {GERMAN} and {CAPTIONS}."

    def add_arguments(self, parser: CommandParser) -> None:
        """The folder and the published results."""
        parser.add_argument("directory", type=Path, metavar="DIR")
        parser.add_argument(
            "--published",
            type=Path,
            metavar="FILE",
            help="published results: fills the tracks with the systems and numbers of table 2",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, and say what there is now and what was left out."""
        try:
            report = import_fm_v2t(options["directory"], published=options["published"])
        except InvalidSource as error:
            raise CommandError(f"Nothing was imported.\n{error}") from error
        self.stdout.write(str(report))

"""`manage.py import_clip_cc_bench DIR`: bring CLIP-CC-Bench in; twice is once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.importers.clip_cc_bench import import_clip_cc_bench
from leaderboard.importers.source import InvalidSource


class Command(BaseCommand):
    """Checks the whole folder first; when anything is wrong, nothing is stored."""

    help = "Import CLIP-CC-Bench from a folder with clip_cc_dataset.json and models/*.json."

    def add_arguments(self, parser: CommandParser) -> None:
        """The folder, the published results, and whether to submit the systems' files."""
        parser.add_argument("directory", type=Path, metavar="DIR")
        parser.add_argument(
            "--published",
            type=Path,
            metavar="FILE",
            help="published results: names the systems and fills the track of reported results",
        )
        parser.add_argument(
            "--submit",
            action="store_true",
            help="send every file of models/ through the intake, to be scored by the workers",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, and say what there is now."""
        try:
            report = import_clip_cc_bench(
                options["directory"], published=options["published"], submit=options["submit"]
            )
        except InvalidSource as error:
            raise CommandError(f"Nothing was imported.\n{error}") from error
        self.stdout.write(str(report))

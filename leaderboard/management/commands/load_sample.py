"""`manage.py load_sample`: the sample benchmark; twice is once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.importers.sample import load_sample, sample_scenes
from leaderboard.importers.sample_scenes import write_files
from leaderboard.importers.source import InvalidSource


class Command(BaseCommand):
    """Used by `make demo`."""

    help = "Load the sample benchmark and submit its five systems, to be scored by the workers."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whether to submit, or to write files instead."""
        parser.add_argument(
            "--no-submit",
            dest="submit",
            action="store_false",
            help="only the benchmark and its systems, no submissions",
        )
        parser.add_argument(
            "--files",
            type=Path,
            metavar="DIR",
            help="load nothing: write the scenes' references, keypoints and pairs as files",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Load, and say what there is now."""
        try:
            if options["files"]:
                for path in write_files(sample_scenes(), options["files"]).values():
                    self.stdout.write(str(path))
                return
            report = load_sample(submit=options["submit"])
        except InvalidSource as error:
            raise CommandError(f"Nothing was loaded.\n{error}") from error
        self.stdout.write(str(report))

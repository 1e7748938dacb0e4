"""`manage.py render_sample`: videos of the sample's clips; twice is once."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.importers.sample_videos import render_sample
from leaderboard.importers.source import InvalidSource
from leaderboard.scenes.video import EncodingFailed, NoEncoder


class Command(BaseCommand):
    """Run by `make demo` beside the site, which shows each video as soon as it is there."""

    help = "Draw the videos of the sample's clips from its scenes, where they are not there yet."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which clips, and whether anew."""
        parser.add_argument(
            "--clip", action="append", default=[], help="this clip only (repeatable)"
        )
        parser.add_argument("--force", action="store_true", help="also what is there already")

    def handle(self, *args: Any, **options: Any) -> None:
        """Render, and say what is new; without an ffmpeg the site works, and has no videos."""
        try:
            for one in render_sample(options["clip"], force=options["force"]):
                if one.new:
                    self.stdout.write(f"{one.clip}: rendered, {one.size / 1000:.0f} kB")
        except InvalidSource as error:
            raise CommandError(str(error)) from error
        except EncodingFailed as error:
            raise CommandError(f"ffmpeg failed: {error}") from error
        except NoEncoder as error:
            self.stderr.write(f"Nothing was rendered, and clips are shown without video: {error}.")

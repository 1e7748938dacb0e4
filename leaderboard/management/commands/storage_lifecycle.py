"""`manage.py storage_lifecycle`: let the bucket itself drop what was never finished."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.storage import unfinished


def _days(text: str) -> int:
    days = int(text)
    if days < 2:
        raise argparse.ArgumentTypeError("at least 2: an upload may take a day")
    return days


class Command(BaseCommand):
    """A second time it changes nothing; rules that are not this site's it never touches."""

    help = "Set the bucket's lifecycle rules: drop unfinished uploads and passing files."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """After how long."""
        parser.add_argument("--days", type=_days, default=3, help="after so many days (default: 3)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Set them and say what came of it."""
        bucket = unfinished.bucket()
        if bucket is None:
            raise CommandError(
                "Files lie in a folder (MEDIA_ROOT), and rules are for buckets. There is nothing "
                "to do: workers drop what is left unfinished."
            )
        from leaderboard.storage import lifecycle  # noqa: PLC0415 - boto is slow to load

        try:
            changed = lifecycle.set_rules(bucket, options["days"])
        except (lifecycle.NoRules, OSError) as error:
            raise CommandError(str(error)) from error
        for rule in lifecycle.wanted(bucket, options["days"]):
            self.stdout.write(f"{rule['ID']}: {rule['Filter']['Prefix']}")
        self.stdout.write("The rules are set." if changed else "The rules were there already.")

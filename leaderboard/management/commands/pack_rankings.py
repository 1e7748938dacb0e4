"""`manage.py pack_rankings`: old rankings in a tenth of their room."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from leaderboard.pipeline import packing

DAYS = 7


class Command(BaseCommand):
    """Every ranking is kept, with its address and its day; nothing that a page says changes.

    A release before the one that brought this cannot read what is packed: run it once all processes
    have been replaced, and then now and then, as from cron.
    """

    help = "Compress stored rankings that others have followed some days ago."

    def add_arguments(self, parser: CommandParser) -> None:
        """How old, and whether it is meant."""
        parser.add_argument(
            "--days", type=int, default=DAYS, help="that they are old (default: %(default)s)"
        )
        parser.add_argument("--dry-run", action="store_true", help="say how many, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Pack, and say what that has won."""
        moment = timezone.now() - timedelta(days=options["days"])
        if options["dry_run"]:
            self.stdout.write(f"{packing.to_pack(moment).count()} rankings would be packed")
            return
        made = packing.pack(moment)
        sizes = f"{filesizeformat(made.before)} are {filesizeformat(made.after)} now"
        self.stdout.write(f"{made.rankings} rankings packed: {sizes}")

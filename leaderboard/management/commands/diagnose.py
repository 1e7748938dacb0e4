"""`manage.py diagnose`: look again at the texts of submissions."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Q

from leaderboard.intake.flags import look_again
from leaderboard.models import Kind, Submission
from scoring.diagnostics import VERSION


class Command(BaseCommand):
    """For submissions that came in before what is looked for was what it is now."""

    help = "Find flags in the texts of submissions that were not looked at by this version."

    def add_arguments(self, parser: CommandParser) -> None:
        """All, or what is behind."""
        parser.add_argument("--all", action="store_true", help="also those that are up to date")

    def handle(self, *args: Any, **options: Any) -> None:
        """The oldest first, so that copies are told from what they were copied from."""
        behind = Submission.objects.filter(kind=Kind.DESCRIPTIONS).select_related(
            "system", "release__benchmark"
        )
        if not options["all"]:
            behind = behind.filter(Q(diagnostics={}) | Q(diagnostics__version__lt=VERSION))
        count = 0
        for submission in behind.order_by("created_at", "pk").iterator():
            look_again(submission)
            count += 1
        self.stdout.write(f"Looked at again: {count}.")

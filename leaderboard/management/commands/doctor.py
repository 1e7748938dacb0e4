"""`manage.py doctor`: what is wrong with this site, and what to do about it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from leaderboard.operations import doctor
from leaderboard.operations.finding import ERROR


class Command(BaseCommand):
    """Looks at everything and changes nothing, unless told to."""

    help = "Find what is wrong: configuration, services, stuck rows, files, judges. 1: errors."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """How to say it, and whether to mend."""
        parser.add_argument("--json", action="store_true", help="one JSON object")
        parser.add_argument(
            "--fix",
            action="store_true",
            help="first delete stored files of nothing older than a day, and queue forgotten runs",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Mend if told to, then look."""
        now = timezone.now()
        done = doctor.mend(now) if options["fix"] else []
        found = doctor.examine(now)
        if options["json"]:
            answer = {"done": done, "findings": [asdict(one) for one in found]}
            self.stdout.write(json.dumps(answer, indent=2))
        else:
            for line in done:
                self.stdout.write(f"done     {line}")
            for one in found:
                self.stdout.write(f"{one.level:<8} {one.what}\n         -> {one.remedy}")
            self.stdout.write("" if found else "Nothing is wrong.")
        if any(one.level == ERROR for one in found):
            sys.exit(1)

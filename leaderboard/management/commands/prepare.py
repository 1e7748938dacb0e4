"""`manage.py prepare`: everything between an installation and a site that can be served."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """One process for what would be six commands: a second `make demo` starts in seconds."""

    help = "Bring database and static files up to date; with --demo also load and score the sample."

    def add_arguments(self, parser: Any) -> None:
        """Whether the sample is wanted."""
        parser.add_argument("--demo", action="store_true", help="load and score the sample")

    def handle(self, *args: Any, **options: Any) -> None:
        """Each step leaves alone what is done already."""
        call_command("migrate", verbosity=0)
        # What tables keep are values of the code's own classes: another version made them.
        cache.clear()
        call_command("collectstatic", interactive=False, verbosity=0)
        if options["demo"]:
            call_command("load_sample")
            call_command("demo_user")
            call_command("work_off")

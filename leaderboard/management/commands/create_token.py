"""`manage.py create_token USERNAME --name NAME`: a token for the API, printed once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.models import ApiToken


class Command(BaseCommand):
    """Prints the secret alone on standard output, so that a script can take it."""

    help = "Make an API token for a user. Its secret is printed once and cannot be read again."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose, and what for."""
        parser.add_argument("username")
        parser.add_argument("--name", required=True, help="what it is for, such as 'laptop'")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it and print its secret."""
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['username']!r}.")
        _, secret = ApiToken.objects.issue(user=user, name=options["name"][:80])
        self.stdout.write(secret)

"""`manage.py create_token USERNAME --name NAME`: a token for the API, printed once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from leaderboard.models import ApiToken

MOST_DAYS = 3660


class Command(BaseCommand):
    """Prints the secret alone on standard output, so that a script can take it."""

    help = "Make an API token for a user. Its secret is printed once and cannot be read again."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose, and what for."""
        parser.add_argument("username")
        parser.add_argument("--name", required=True, help="what it is for, such as 'laptop'")
        parser.add_argument(
            "--scope", choices=ApiToken.Scope.values, default=ApiToken.Scope.SUBMIT.value
        )
        parser.add_argument("--days", type=int, help="how long it lasts (default: until revoked)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it and print its secret."""
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['username']!r}.")
        days = options["days"]
        if days is not None and not 0 < days <= MOST_DAYS:
            raise CommandError(f"--days must be between 1 and {MOST_DAYS}.")
        _, secret = ApiToken.objects.issue(
            user=user,
            name=options["name"][:80],
            scope=options["scope"],
            expires_at=timezone.now() + timedelta(days=days) if days else None,
        )
        self.stdout.write(secret)

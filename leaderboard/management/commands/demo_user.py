"""`manage.py demo_user`: a login for trying a local site out; `--staff`: an administrator."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandParser

DEMO_PASSWORD = "cliprank-demo"  # noqa: S105 - printed by `make demo`, for a site on 127.0.0.1


class Command(BaseCommand):
    """A user that is there already keeps its password and its rights."""

    help = (
        "Make the user 'demo' with a well-known password (never on a public site), or with "
        "--staff the administrator 'admin' with a random password that is printed once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Which of the two."""
        parser.add_argument("--staff", action="store_true", help="an administrator instead")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it where it is missing, and print how to sign in."""
        if options["staff"]:
            name, password = "admin", secrets.token_urlsafe(12)
        else:
            name, password = "demo", DEMO_PASSWORD
        user, made = User.objects.get_or_create(
            username=name, defaults={"is_staff": options["staff"], "is_superuser": options["staff"]}
        )
        if made:
            user.set_password(password)
            user.save(update_fields=["password"])
        if user.check_password(password):
            self.stdout.write(f"Sign in as {name} with the password {password}")
        else:
            self.stdout.write(
                f"User {name} is there with a password of its own (manage.py changepassword {name})"
            )

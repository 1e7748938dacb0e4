"""Profile: what an account says of its person, and how they want to be told."""

from __future__ import annotations

import zoneinfo
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def valid_time_zone(name: str) -> None:
    """ValidationError unless ``name`` is one of the IANA time zones of this machine."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(f"{name} is no time zone; one is called like Europe/Berlin.")


class ProfileManager(models.Manager["Profile"]):
    """Finds profiles; an account that has none yet gets an empty one."""

    def of(self, user: User) -> Profile:
        """The profile of ``user``."""
        return self.get_or_create(user=user)[0]


class Profile(models.Model):
    """One a user. All of it may stay empty: nobody has to say who they are."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="profile"
    )
    display_name = models.CharField(max_length=120, blank=True)
    affiliation = models.CharField(max_length=160, blank=True)
    time_zone = models.CharField(max_length=60, default="UTC", validators=[valid_time_zone])
    notice_when_done = models.BooleanField(default=True, db_default=True)
    notice_when_failed = models.BooleanField(default=True, db_default=True)
    mail_when_done = models.BooleanField(default=False)
    mail_when_failed = models.BooleanField(default=True)
    banned_at = models.DateTimeField(null=True, blank=True)
    ban_reason = models.CharField(max_length=300, blank=True)

    objects = ProfileManager()

    class Meta:
        ordering = ["user"]

    def __str__(self) -> str:
        return self.display_name or self.user.get_username()

"""Team and Membership: people who submit together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser


class TeamQuerySet(models.QuerySet["Team"]):
    """Words for teams."""

    def of(self, user: AbstractBaseUser | AnonymousUser) -> Self:
        """Those that ``user`` has joined; an invitation that is open does not count."""
        if not user.is_authenticated:
            return self.none()
        joined = Membership.objects.filter(user=user.pk, joined_at__isnull=False)
        return self.filter(pk__in=joined.values("team"))


class Team(models.Model):
    """People who share systems, submissions and quota."""

    slug = models.SlugField(max_length=140, unique=True)
    name = models.CharField(max_length=120)
    affiliation = models.CharField(max_length=160, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A user in a team; an invitation until ``joined_at`` is set."""

    class Role(models.TextChoices):
        """Owners invite and remove people; members submit and see all that is the team's."""

        OWNER = "owner", "Owner: invites and removes people"
        MEMBER = "member", "Member: submits for the team"

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.MEMBER)
    invited_at = models.DateTimeField(auto_now_add=True)
    joined_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["team", "role", "user"]
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"

"""Team, Membership and Invitation: people who submit together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import models
from django.urls import reverse

from leaderboard.models.slugs import free_slug

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser, User


class TeamQuerySet(models.QuerySet["Team"]):
    """Words for teams."""

    def of(self, user: AbstractBaseUser | AnonymousUser) -> Self:
        """Those that ``user`` has joined; an invitation that is open does not count."""
        if not user.is_authenticated:
            return self.none()
        joined = Membership.objects.filter(user=user.pk, joined_at__isnull=False)
        return self.filter(pk__in=joined.values("team"))

    def owned_by(self, user: AbstractBaseUser | AnonymousUser) -> Self:
        """Those in which ``user`` invites and removes people."""
        if not user.is_authenticated:
            return self.none()
        owners = Membership.objects.joined().filter(user=user.pk, role=Membership.Role.OWNER)
        return self.filter(pk__in=owners.values("team"))

    def inviting(self, user: User) -> Self:
        """Those that have invited ``user``, by name or by an address that is known to be theirs."""
        named = Membership.objects.filter(user=user, joined_at__isnull=True)
        addresses = EmailAddress.objects.filter(user=user, verified=True)
        mailed = Invitation.objects.filter(email__in=addresses.values("email"))
        invited = models.Q(pk__in=named.values("team")) | models.Q(pk__in=mailed.values("team"))
        return self.filter(invited).exclude(pk__in=self.of(user).values("pk"))

    def free_slug(self, name: str) -> str:
        """The slug of ``name``; with -2, -3, ... behind it where another team has that one."""
        return free_slug(self, name, otherwise="team")


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

    def get_absolute_url(self) -> str:
        """The page that its members see."""
        return reverse("team", args=[self.slug])


class MembershipQuerySet(models.QuerySet["Membership"]):
    """Words for memberships."""

    def joined(self) -> Self:
        """Those that are more than an invitation."""
        return self.filter(joined_at__isnull=False)

    def owners(self) -> Self:
        """Those who may invite and remove people."""
        return self.joined().filter(role=Membership.Role.OWNER)


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

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["team", "role", "user"]
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"


class Invitation(models.Model):
    """An invitation to whoever owns a mail address, whether or not they have an account.

    Those who invite learn nothing of accounts from it: it stays as it is until its reader, signed
    in with the verified address, accepts or declines.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(help_text="In lower case.")
    role = models.CharField(
        max_length=8, choices=Membership.Role.choices, default=Membership.Role.MEMBER
    )
    invited_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["team", "email"]
        constraints = [models.UniqueConstraint(fields=["team", "email"], name="invitation_once")]

    def __str__(self) -> str:
        return f"{self.email} to {self.team}"

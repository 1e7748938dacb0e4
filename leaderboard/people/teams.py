"""What members do with a team. Each function is one transaction and refuses with ``TeamRule``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone

from leaderboard import audit
from leaderboard.models import Invitation, Membership, Notice, Team
from leaderboard.models.team import MembershipQuerySet

if TYPE_CHECKING:
    from django.db.models import QuerySet

OWNER, MEMBER = Membership.Role.OWNER, Membership.Role.MEMBER


class TeamRule(Exception):  # noqa: N818 - named as it is spoken of
    """What was asked for is against a rule of teams; the message says which and what to do."""


@transaction.atomic
def create(*, user: User, name: str, affiliation: str = "") -> Team:
    """A new team with ``user`` as its owner."""
    team = Team(slug=Team.objects.free_slug(name), name=name, affiliation=affiliation)
    team.full_clean()
    team.save(force_insert=True)
    team.memberships.create(user=user, role=OWNER, joined_at=timezone.now())
    _record(user, "create", team, {}, {"name": name, "affiliation": affiliation})
    return team


def invite(*, team: Team, by: User, who: str, role: str = MEMBER) -> str:
    """Invite a username or a mail address; returns what to tell the one who asked.

    A username's owner finds the invitation on the site. An address gets a mail, the same one
    whether or not it has an account: who that is shows only when it is accepted.
    """
    who = who.strip()
    if "@" in who and not User.objects.filter(username=who).exists():
        return _invite_address(team=team, by=by, email=who.lower(), role=role)
    return _invite_user(team=team, by=by, name=who, role=role)


@transaction.atomic
def _invite_user(*, team: Team, by: User, name: str, role: str) -> str:
    user = User.objects.filter(username__iexact=name, is_active=True).order_by("pk").first()
    if user is None:
        raise TeamRule(f"There is no user called {name}. Invite by mail address instead.")
    membership, made = team.memberships.get_or_create(user=user, defaults={"role": role})
    if not made:
        state = "is in the team" if membership.joined_at else "has been invited"
        raise TeamRule(f"{user.get_username()} {state} already.")
    Notice.objects.update_or_create(
        user=user,
        key=f"team.{team.pk}.invited",
        defaults={
            "text": f"{by.get_username()} invites you to the team {team}: see Teams."[:300],
            "created_at": timezone.now(),
            "read_at": None,
        },
    )
    return f"{user.get_username()} has been invited and sees it under Teams."


@transaction.atomic
def _invite_address(*, team: Team, by: User, email: str, role: str) -> str:
    if not settings.MAIL_CONFIGURED:
        raise TeamRule("This site sends no mail; invite people by their username.")
    try:
        validate_email(email)
    except ValidationError as error:
        raise TeamRule(f"{email} is neither a username nor a mail address.") from error
    team.invitations.update_or_create(email=email, defaults={"role": role})
    text = render_to_string(
        "team/invitation.txt", {"team": team, "by": by, "email": email, "site": settings.SITE_URL}
    )
    subject = " ".join(f"[ClipRank] Join the team {team}".split())  # no name breaks the line
    transaction.on_commit(lambda: send_mail(subject, text, None, [email]))
    return f"An invitation has been mailed to {email}."


@transaction.atomic
def accept(*, team: Team, user: User) -> None:
    """Join a team that has invited ``user``."""
    mailed = _mailed(team, user).first()
    role = mailed.role if mailed else MEMBER
    membership, _ = team.memberships.get_or_create(user=user, defaults={"role": role})
    if membership.joined_at is None:
        membership.joined_at = timezone.now()
        membership.save(update_fields=["joined_at"])
        _record(user, "join", team, {}, {"member": user.get_username(), "role": membership.role})
    _mailed(team, user).delete()


@transaction.atomic
def decline(*, team: Team, user: User) -> None:
    """Say no: the invitation is gone, and may be sent again."""
    team.memberships.filter(user=user, joined_at__isnull=True).delete()
    _mailed(team, user).delete()


def _mailed(team: Team, user: User) -> QuerySet[Invitation]:
    addresses = EmailAddress.objects.filter(user=user, verified=True)
    return team.invitations.filter(email__in=addresses.values("email"))


@transaction.atomic
def leave(*, team: Team, user: User) -> None:
    """Leave a team; its last owner hands over first, or dissolves it."""
    membership = _locked(team).joined().get(user=user)
    _keeps_an_owner(team, membership)
    _record(user, "leave", team, _member(membership), {})
    membership.delete()


@transaction.atomic
def remove(*, team: Team, membership: Membership, by: User) -> None:
    """Take somebody out of the team, or their invitation back. What they sent for it stays."""
    _keeps_an_owner(team, _locked(team).get(pk=membership.pk))
    _record(by, "remove", team, _member(membership), {})
    membership.delete()


@transaction.atomic
def set_role(*, team: Team, membership: Membership, role: str, by: User) -> None:
    """Make a member an owner or an owner a member."""
    membership = _locked(team).get(pk=membership.pk)
    if role != OWNER:
        _keeps_an_owner(team, membership)
    before = _member(membership)
    membership.role = Membership.Role(role)
    membership.save(update_fields=["role"])
    _record(by, "role", team, before, _member(membership))


@transaction.atomic
def dissolve(*, team: Team, by: User) -> None:
    """End a team that has one member left; what was sent for it stays with whoever sent it."""
    if _locked(team).joined().count() > 1:
        raise TeamRule("Others are in the team: let them leave, or make one of them an owner.")
    _record(by, "dissolve", team, {"name": team.name}, {})
    team.delete()


def _member(membership: Membership) -> dict[str, str]:
    return {"member": membership.user.get_username(), "role": membership.role}


def _record(
    actor: User, verb: str, team: Team, before: dict[str, str], after: dict[str, str]
) -> None:
    """Who is in a team sees what is private to it: changes of that are changes of visibility."""
    audit.record(actor=actor, action=f"team.{verb}", target=team, before=before, after=after)


def _locked(team: Team) -> MembershipQuerySet:
    """The team's memberships, while nobody else changes them: else two owners could both go."""
    Team.objects.select_for_update().get(pk=team.pk)
    return Membership.objects.filter(team=team)


def _keeps_an_owner(team: Team, going: Membership) -> None:
    others = team.memberships.owners().exclude(pk=going.pk)
    if going.joined_at and going.role == OWNER and not others.exists():
        raise TeamRule(
            "A team needs an owner: make another member an owner first, or dissolve the team "
            "when nobody else is in it."
        )

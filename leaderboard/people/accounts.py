"""The end of an account: what goes with it, what stays, and what forbids it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q, QuerySet

from leaderboard import audit
from leaderboard.models import Membership, Submission, System, Team


class HandOverFirst(Exception):  # noqa: N818 - named as it is spoken of
    """The account is the only owner of teams that others are in."""

    def __init__(self, teams: list[Team]) -> None:
        self.teams = teams
        names = ", ".join(team.name for team in teams)
        super().__init__(f"Make somebody else an owner first, in: {names}.")


@dataclass(frozen=True)
class Departure:
    """What deleting an account would do."""

    private: int
    kept: int
    teams_going: list[Team]
    to_hand_over: list[Team]


def departure(user: User) -> Departure:
    """What deleting the account of ``user`` would do, for the page that asks."""
    teams = _alone(user)
    private = _private(user, teams)
    return Departure(
        private=private.count(),
        kept=Submission.objects.filter(user=user).exclude(pk__in=private.values("pk")).count(),
        teams_going=list(teams),
        to_hand_over=list(_to_hand_over(user)),
    )


def delete_account(*, user: User, actor: User | None = None) -> None:
    """Delete ``user``, by their own hand unless ``actor`` is somebody else.

    What is private to them goes; public results stay, without their name. Private submissions go
    with their files, unless they are those of a team that goes on. Systems that nothing was
    published for go; others stay, owned by nobody. Teams with nobody else in them go. Raises
    ``HandOverFirst`` when others would be left in a team without an owner.
    """
    with transaction.atomic():
        if forbidding := list(_to_hand_over(user)):
            raise HandOverFirst(forbidding)
        alone = list(_alone(user))
        private = list(_private(user, _alone(user)))
        _record(user, actor or user, private, alone)
        Submission.objects.filter(pk__in=[one.pk for one in private]).delete()
        Submission.objects.filter(user=user).update(user=None, sender_left=True)
        System.objects.filter(owner=user, submissions=None, team=None, reported=None).delete()
        Team.objects.filter(pk__in=[team.pk for team in alone]).delete()
        user.delete()
        # Robust: a storage that fails leaves files of nothing, which `manage.py doctor` finds.
        transaction.on_commit(lambda: _drop_files(private), robust=True)


def _record(user: User, actor: User, private: list[Submission], alone: list[Team]) -> None:
    """Of what goes the ids, and of what stays without a name; nothing that tells of the person."""
    going = [str(one.pk) for one in private]
    theirs = Submission.objects.filter(user=user).exclude(pk__in=going).order_by("created_at")
    audit.record(
        actor=actor,
        action="account.delete",
        target=user,
        before={"submissions": going, "teams": [team.slug for team in alone]},
        after={"kept without a name": [str(pk) for pk in theirs.values_list("pk", flat=True)]},
    )


def _drop_files(submissions: list[Submission]) -> None:
    for submission in submissions:
        submission.file.delete(save=False)


def _alone(user: User) -> QuerySet[Team]:
    """Teams that nobody else has joined."""
    joined = Count("memberships", filter=Q(memberships__joined_at__isnull=False))
    counted = Team.objects.annotate(people=joined).filter(people=1)
    return Team.objects.of(user).filter(pk__in=counted.values("pk"))


def _to_hand_over(user: User) -> QuerySet[Team]:
    """Teams with others in them, and no other owner."""
    others = Membership.objects.owners().exclude(user=user)
    owned = Team.objects.owned_by(user).exclude(pk__in=others.values("team"))
    return owned.exclude(pk__in=_alone(user).values("pk"))


def _private(user: User, going: QuerySet[Team]) -> QuerySet[Submission]:
    """Private submissions that nobody but ``user`` (and staff) would be left to see."""
    private = Submission.objects.filter(user=user, visibility=Submission.Visibility.PRIVATE)
    return private.filter(Q(team=None) | Q(team__in=going))

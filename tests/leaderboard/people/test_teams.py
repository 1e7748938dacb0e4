"""Who is in a team, and how they come and go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User

from leaderboard.models import AuditEntry, Invitation, Membership, Notice, Team
from leaderboard.people import teams
from leaderboard.people.teams import TeamRule

MembershipOf = Callable[[Team, User], Membership]


def test_who_makes_a_team_owns_it(ann: User) -> None:
    """And two teams of one name have addresses of their own."""
    first, second = teams.create(user=ann, name="Blue"), teams.create(user=ann, name="Blue")
    assert set(Team.objects.owned_by(ann)) == {first, second}
    assert (first.slug, second.slug) == ("blue", "blue-2")


def test_an_invited_user_is_in_only_after_accepting(team: Team, ann: User, cleo: User) -> None:
    """And is told on the site."""
    teams.invite(team=team, by=ann, who="cleo", role="owner")
    assert list(Team.objects.inviting(cleo)) == [team]
    assert not Team.objects.of(cleo).exists()
    assert not Team.objects.owned_by(cleo).exists()
    assert "Blue" in Notice.objects.get(user=cleo).text
    teams.accept(team=team, user=cleo)
    assert list(Team.objects.owned_by(cleo)) == [team]
    assert not Team.objects.inviting(cleo).exists()


def test_declining_leaves_nothing(team: Team, ann: User, cleo: User) -> None:
    """One may be asked again."""
    teams.invite(team=team, by=ann, who="cleo")
    teams.decline(team=team, user=cleo)
    assert not Team.objects.inviting(cleo).exists()
    assert "invited" in teams.invite(team=team, by=ann, who="cleo")


@pytest.mark.parametrize(
    ("who", "said"),
    [("ben", "is in the team already"), ("nobody", "no user called nobody"), ("a@b", "neither")],
)
def test_who_cannot_be_invited(team: Team, ann: User, settings: Any, who: str, said: str) -> None:
    """With the reason."""
    settings.MAIL_CONFIGURED = True
    with pytest.raises(TeamRule, match=said):
        teams.invite(team=team, by=ann, who=who)


def test_without_a_mail_server_addresses_are_refused(team: Team, ann: User) -> None:
    """And the way that is open is named."""
    with pytest.raises(TeamRule, match="by their username"):
        teams.invite(team=team, by=ann, who="cleo@example.org")


@pytest.mark.parametrize("known", [True, False])
def test_an_address_tells_nothing_of_accounts(
    team: Team,
    ann: User,
    cleo: User,
    settings: Any,
    mailoutbox: list[Any],
    django_capture_on_commit_callbacks: Any,
    known: bool,
) -> None:
    """The same answer and the same mail, whether or not somebody has it."""
    settings.MAIL_CONFIGURED = True
    if known:
        EmailAddress.objects.create(user=cleo, email="cleo@example.org", verified=True)
    with django_capture_on_commit_callbacks(execute=True):
        said = teams.invite(team=team, by=ann, who="Cleo@Example.org")
    assert said == "An invitation has been mailed to cleo@example.org."
    (mail,) = mailoutbox
    assert mail.to == ["cleo@example.org"]
    assert "/teams/" in mail.body
    assert not team.memberships.filter(user=cleo).exists()
    assert Team.objects.inviting(cleo).exists() is known


def test_an_address_that_is_not_confirmed_is_nobodys(team: Team, cleo: User) -> None:
    """Else anybody could claim somebody else's invitation."""
    team.invitations.create(email="cleo@example.org")
    address = EmailAddress.objects.create(user=cleo, email="cleo@example.org", verified=False)
    assert not Team.objects.inviting(cleo).exists()
    address.verified = True
    address.save()
    teams.accept(team=team, user=cleo)
    assert list(Team.objects.of(cleo)) == [team]
    assert not Invitation.objects.exists()


def test_the_last_owner_cannot_go(team: Team, ann: User, ben: User, membership_of: Any) -> None:
    """Not by leaving, not by becoming a member; after handing over, both."""
    with pytest.raises(TeamRule, match="needs an owner"):
        teams.leave(team=team, user=ann)
    with pytest.raises(TeamRule, match="needs an owner"):
        teams.set_role(team=team, membership=membership_of(team, ann), role="member", by=ann)
    teams.set_role(team=team, membership=membership_of(team, ben), role="owner", by=ann)
    teams.leave(team=team, user=ann)
    assert list(Team.objects.owned_by(ben)) == [team]
    assert not Team.objects.of(ann).exists()


def test_a_team_with_others_in_it_is_not_dissolved(team: Team, ann: User, ben: User) -> None:
    """Only an empty one."""
    with pytest.raises(TeamRule, match="Others are in the team"):
        teams.dissolve(team=team, by=ann)
    teams.leave(team=team, user=ben)
    teams.dissolve(team=team, by=ann)
    trail = AuditEntry.objects.order_by("pk").values_list("action", "actor")
    assert list(trail) == [("team.create", "ann"), ("team.leave", "ben"), ("team.dissolve", "ann")]
    assert not Team.objects.exists()

"""Who may do what with teams and accounts: what one may not see is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models import ApiToken, Membership, Team
from leaderboard.people import teams

# (method, address, who is let through); everybody else gets 404, the anonymous the login page.
ROUTES = [
    ("get", "/teams/blue/", {"owner", "member"}),
    ("post", "/teams/blue/invite/", {"owner"}),
    ("post", "/teams/blue/accept/", {"invited"}),
    ("post", "/teams/blue/decline/", {"invited"}),
    ("post", "/teams/blue/leave/", {"owner", "member"}),
    ("post", "/teams/blue/dissolve/", {"owner"}),
    ("post", "/teams/blue/invitations/{invitation}/take-back/", {"owner"}),
    ("post", "/teams/blue/members/{member}/remove/", {"owner"}),
    ("post", "/teams/blue/members/{member}/role/", {"owner"}),
]
PEOPLE = ("owner", "member", "invited", "other owner", "stranger", "staff")
OWN = ["/account/", "/account/tokens/", "/account/delete/", "/teams/", "/email/", "/2fa/"]


@pytest.fixture
def people(team: Team, ann: User, ben: User, cleo: User) -> dict[str, User]:
    """One of each kind."""
    other = User.objects.create_user("other")
    teams.create(user=other, name="Red")
    teams.invite(team=team, by=ann, who="cleo")
    return {
        "owner": ann,
        "member": ben,
        "invited": cleo,
        "other owner": other,
        "stranger": User.objects.create_user("stranger"),
        "staff": User.objects.create_user("staff", is_staff=True),
    }


@pytest.fixture
def visit(team: Team, ben: User) -> Callable[[Client, str, str], Any]:
    """``visit(client, method, address)`` with the keys of the team's rows."""
    keys = {
        "invitation": team.invitations.create(email="x@example.org").pk,
        "member": Membership.objects.get(user=ben).pk,
    }
    return lambda client, method, address: getattr(client, method)(address.format(**keys))


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize(("method", "address", "allowed"), ROUTES, ids=[r[1] for r in ROUTES])
def test_a_team_is_its_members(
    people: dict[str, User],
    as_user: Any,
    visit: Any,
    method: str,
    address: str,
    allowed: set[str],
    who: str,
) -> None:
    """Denied unless listed; a refusal changes nothing."""
    before = (list(Membership.objects.values()), list(Team.objects.values()))
    status = visit(as_user(people[who]), method, address).status_code
    assert status == (404 if who not in allowed else 200 if method == "get" else 302)
    if who not in allowed:
        assert before == (list(Membership.objects.values()), list(Team.objects.values()))


@pytest.mark.parametrize(("method", "address", "allowed"), ROUTES, ids=[r[1] for r in ROUTES])
def test_the_anonymous_are_asked_to_log_in(
    as_user: Any, visit: Any, method: str, address: str, allowed: set[str]
) -> None:
    """Whether or not there is such a team."""
    response = visit(as_user(None), method, address)
    assert response["Location"].startswith("/login/?next=/teams/blue/")


@pytest.mark.parametrize("address", [route[1] for route in ROUTES if route[0] == "post"])
def test_no_link_changes_a_team(people: dict[str, User], as_user: Any, address: str) -> None:
    """Changes are posts."""
    keys = {"invitation": 1, "member": 1}
    assert as_user(people["owner"]).get(address.format(**keys)).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("address", OWN)
def test_ones_own_pages_need_a_login(as_user: Any, address: str) -> None:
    """All of them."""
    assert as_user(None).get(address)["Location"] == f"/login/?next={address}"


def test_a_member_of_another_team_is_not_reached(
    people: dict[str, User], as_user: Any, team: Team
) -> None:
    """An owner's rights end with the team's own rows."""
    other = Membership.objects.get(user=people["other owner"])
    client = as_user(people["owner"])
    assert client.post(f"/teams/blue/members/{other.pk}/remove/").status_code == 404
    assert Membership.objects.filter(pk=other.pk).exists()


def test_a_team_shows_nothing_of_anybodys_tokens(people: dict[str, User], as_user: Any) -> None:
    """Tokens are personal, in a team as well."""
    token, _ = ApiToken.objects.issue(user=people["owner"], name="laptop")
    assert as_user(people["member"]).post(f"/account/tokens/{token.pk}/revoke/").status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None

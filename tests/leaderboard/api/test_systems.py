"""The card of a system over the interface, and whose it is."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from leaderboard.models import ApiToken, AuditEntry, Membership, Submission, System, Team

ADDRESS = "/api/v1/systems/model"


@pytest.fixture
def system(submit: Any) -> System:
    """Ann's, with a private submission."""
    made: Submission = submit("Model", visibility="private")
    return made.system


@pytest.fixture
def lab(ann: User, ben: User) -> Team:
    """Ann is in it, and ben owns it."""
    made = Team.objects.create(slug="lab", name="Lab")
    for user, role in ((ann, "member"), (ben, "owner")):
        Membership.objects.create(team=made, user=user, role=role, joined_at=timezone.now())
    return made


def ask(client: Client, user: User | None, *, scope: str = "submit", **change: Any) -> Any:
    """Read the card, or change it."""
    headers = {}
    if user is not None:
        headers["Authorization"] = (
            f"Bearer {ApiToken.objects.issue(user=user, name='t', scope=scope)[1]}"
        )
    if change:
        return client.patch(ADDRESS, change, content_type="application/json", headers=headers)
    return client.get(ADDRESS, headers=headers)


def test_a_card_is_its_peoples_until_something_of_it_is_public(
    client: Client, ann: User, ben: User, system: System
) -> None:
    assert ask(client, ann).json()["name"] == "Model"
    for other in (None, ben):
        assert ask(client, other).status_code == 404
    Submission.objects.update(visibility="public")
    assert ask(client, None).json() == ask(client, ben).json()
    assert ask(client, None).json()["team"] == ""


def test_what_is_given_changes_and_the_rest_stays(
    client: Client, ann: User, ben: User, system: System
) -> None:
    """By the form of the page: an address without a scheme is taken as https."""
    first = ask(client, ann, parameters="7B", open_weights=True, paper="example.org/paper")
    assert first.status_code == 200, first.json()
    answer = ask(client, ann, frames=32).json()
    assert (answer["parameters"], answer["open_weights"], answer["frames"]) == ("7B", True, 32)
    assert answer["paper"] == "https://example.org/paper"
    assert system.history.count() == 3
    Submission.objects.update(visibility="public")
    assert ask(client, ben, frames=1).status_code == 404
    assert ask(client, None, frames=1).status_code == 401
    assert ask(client, ann, scope="read", frames=1).status_code == 403


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"link": "no address"}, "link"),
        ({"name": " "}, "name"),
        ({"frames": -1}, "frames"),
        ({"unheard": "of"}, "unheard"),
        ({"open_weights": "perhaps"}, "open_weights"),
    ],
)
def test_what_cannot_be_stored_is_told_by_field(
    client: Client, ann: User, system: System, change: dict[str, Any], field: str
) -> None:
    answer = ask(client, ann, **change)
    assert answer.status_code == 422
    assert any(field in problem["where"] for problem in answer.json()["problems"])
    assert system.history.count() == 1


def test_a_name_of_somebody_else(client: Client, ann: User, ben: User, system: System) -> None:
    System.objects.create(name="Taken", slug="taken", owner=ben)
    assert ask(client, ann, name="taken").status_code == 409


def test_handed_to_a_team_and_given_back_by_its_owner(
    client: Client, ann: User, ben: User, system: System, lab: Team
) -> None:
    """Nothing else of a refused change is stored."""
    assert ask(client, ben).status_code == 404
    assert ask(client, ann, team="other").status_code == 404
    assert ask(client, ann, team="lab").json()["team"] == "lab"
    assert ask(client, ben, parameters="7B").json()["parameters"] == "7B"
    refused = ask(client, ann, team="", parameters="8B")
    assert refused.status_code == 409
    assert "Only an owner of its team" in refused.json()["error"]
    system.refresh_from_db()
    assert (system.team, system.owner, system.parameters) == (lab, ann, "7B")
    assert ask(client, ben, team="").status_code == 200
    system.refresh_from_db()
    assert (system.team, system.owner) == (None, ann)
    trail = AuditEntry.objects.filter(action="system.hand-over").order_by("pk")
    assert [(e.actor, e.before["team"], e.after["team"]) for e in trail] == [
        ("ann", None, "Lab"),
        ("ben", "Lab", None),
    ]


def test_the_page_hands_it_over_and_back(
    client: Client, ann: User, ben: User, system: System, lab: Team
) -> None:
    client.force_login(ben)
    assert client.post("/systems/model/team/", {"team": lab.pk}).status_code == 404
    client.force_login(ann)
    page = client.get("/systems/model/edit/").content.decode()
    assert "Hand it to this team" in page
    stranger = Team.objects.create(slug="x", name="X")
    for choice in (stranger.pk, ""):
        client.post("/systems/model/team/", {"team": choice})
        system.refresh_from_db()
        assert system.team is None
    client.post("/systems/model/team/", {"team": lab.pk})
    system.refresh_from_db()
    assert system.team == lab
    assert "Whose it is" not in client.get("/systems/model/edit/").content.decode()
    client.post("/systems/model/team/")
    system.refresh_from_db()
    assert system.team == lab
    client.force_login(ben)
    assert "Give it back" in client.get("/systems/model/edit/").content.decode()
    System.objects.update(owner=None)
    client.post("/systems/model/team/")
    system.refresh_from_db()
    assert (system.team, system.owner) == (None, ben)


def test_what_was_changed_is_told_since_it_is_known(
    client: Client, ann: User, ben: User, system: System
) -> None:
    """The note too; what stood there while the system was private stays its people's."""
    ask(client, ann, parameters="7B")
    address = f"{ADDRESS}/edits"
    assert client.get(address).status_code == 404
    Submission.objects.update(visibility="public", published_at=timezone.now())
    assert client.get(address).json() == []
    assert ask(client, ann, note="Greedy decoding.").json()["note"] == "Greedy decoding."
    (edit,) = client.get(address).json()
    assert edit["changes"] == [{"field": "Note", "before": "", "after": "Greedy decoding."}]

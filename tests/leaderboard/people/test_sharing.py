"""What a team shares: private submissions, and systems to submit for."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from leaderboard.forms import SubmissionForm
from leaderboard.intake import SystemTaken, system_for
from leaderboard.models import ApiToken, Release, Submission, System, Team
from leaderboard.people import teams

Submit = Callable[..., Submission]
TEXTS = json.dumps({"c1": "One.", "c2": "Two.", "c3": "Three.", "c4": "Four."}).encode()


def test_a_private_submission_is_seen_by_who_has_joined(
    submit: Submit, team: Team, ann: User, ben: User, cleo: User, as_user: Any
) -> None:
    """Not by who is invited, and not any more by who has left."""
    shared = submit("Shared", team=team, visibility="private")
    own = submit("Own", visibility="private")
    teams.invite(team=team, by=ann, who="cleo")
    seen = {user: set(Submission.objects.visible_to(user)) for user in (ann, ben, cleo)}
    assert seen == {ann: {shared, own}, ben: {shared}, cleo: set()}
    page = as_user(ben).get(shared.get_absolute_url())
    assert page.status_code == 200
    assert as_user(cleo).get(shared.get_absolute_url()).status_code == 404
    assert b"Shared" in as_user(ben).get("/submissions/").content
    teams.leave(team=team, user=ben)
    assert as_user(ben).get(shared.get_absolute_url()).status_code == 404


def test_members_submit_for_the_teams_systems(team: Team, ann: User, ben: User, cleo: User) -> None:
    """Others find the name taken."""
    system = system_for(user=ann, name="Ours", team=team)
    assert system_for(user=ben, name="ours") == system
    assert list(System.objects.owned_by(ben)) == [system]
    with pytest.raises(SystemTaken):
        system_for(user=cleo, name="Ours")


def test_what_is_sent_for_a_teams_system_is_the_teams(
    submit: Submit, team: Team, ann: User, ben: User
) -> None:
    """Also where its sender did not say so."""
    system_for(user=ann, name="Ours", team=team)
    assert submit("Ours", user=ben).team == team


def test_nobody_submits_for_a_team_they_are_not_in(submit: Submit, team: Team, cleo: User) -> None:
    """Nor for one whose invitation they have not accepted; nothing is stored."""
    team.memberships.create(user=cleo)
    with pytest.raises(ValidationError, match="no such team"):
        submit("New", user=cleo, team=team)
    assert not Submission.objects.exists()


def test_a_system_of_another_team_is_not_taken_along(submit: Submit, team: Team, ann: User) -> None:
    """It would show the one team what the other does."""
    other = teams.create(user=ann, name="Red")
    system_for(user=ann, name="Ours", team=team)
    with pytest.raises(ValidationError, match="another team: Blue"):
        submit("Ours", team=other)


def form(user: User, **given: Any) -> SubmissionForm:
    """Filled in and bound."""
    filled = {"visibility": "private", "name": "New"} | given
    file = SimpleUploadedFile("p.json", TEXTS)
    release = Release.objects.get()
    return SubmissionForm(filled, {"file": file}, user=user, release=release)


def test_the_form_offers_ones_own_teams(
    release: Release, sent: Any, team: Team, ben: User, cleo: User
) -> None:
    """And asks nothing of who has none."""
    assert "team" not in form(cleo).fields
    filled = form(ben, team=team.pk)
    assert filled.is_valid(), filled.errors
    stored = filled.submit()
    assert stored is not None
    assert (stored.team, stored.system.team) == (team, team)
    other = Team.objects.create(slug="red", name="Red")
    assert "team" in form(ben, team=other.pk).errors


def test_the_interface_takes_a_team(
    release: Release, sent: Any, team: Team, ben: User, cleo: User, client: Client
) -> None:
    """By its slug; one that the sender is not in is as unknown as one that is not there."""
    answers = []
    for user, slug in ((ben, "blue"), (cleo, "blue"), (cleo, "none")):
        _, secret = ApiToken.objects.issue(user=user, name="laptop")
        answers.append(
            client.post(
                "/api/v1/benchmarks/small/submissions",
                {"file": SimpleUploadedFile("p.json", TEXTS), "system": "New", "team": slug},
                headers={"Authorization": f"Bearer {secret}"},
            )
        )
    assert [answer.status_code for answer in answers] == [201, 422, 422]
    assert answers[0].json()["team"] == "blue"
    assert answers[1].json() == answers[2].json()
    assert answers[1].json()["problems"][0]["where"] == "team"

"""The end of an account: what goes, what stays, what forbids it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from leaderboard.models import ApiToken, AuditEntry, Release, Submission, System, Team
from leaderboard.people import accounts, teams
from leaderboard.people.accounts import HandOverFirst

Submit = Callable[..., Submission]
PASSWORD = "correct horse battery"


def delete(user: User, on_commit: Any) -> None:
    """Delete an account, and do what waits for the commit."""
    with on_commit(execute=True):
        accounts.delete_account(user=user)


def test_private_things_go_and_public_ones_stay(
    submit: Submit, ann: User, django_capture_on_commit_callbacks: Any
) -> None:
    """Public results stand under "former member", anonymous ones as anonymous as before."""
    private = submit("Secret", visibility="private")
    public = submit("Open")
    anonymous = submit("Hidden", visibility="anonymous")
    key = private.file.name
    assert default_storage.exists(key)
    ApiToken.objects.issue(user=ann, name="laptop")
    said = accounts.departure(ann)
    assert (said.private, said.kept) == (1, 2)
    delete(ann, django_capture_on_commit_callbacks)
    assert set(Submission.objects.all()) == {public, anonymous}
    for kept in (public, anonymous):
        kept.refresh_from_db()
        assert (kept.user, kept.sender_left) == (None, True)
        assert default_storage.exists(kept.file.name)
    anonymous.refresh_from_db()
    assert anonymous.visibility == "anonymous"
    assert not default_storage.exists(key)
    assert set(System.objects.values_list("name", flat=True)) == {"Open", "Hidden"}
    assert not ApiToken.objects.exists()
    assert not User.objects.exists()
    entry = AuditEntry.objects.get(action="account.delete")
    assert (entry.actor, entry.user, entry.before["submissions"]) == (
        "ann",
        None,
        [str(private.pk)],
    )
    assert entry.after == {"kept without a name": [str(public.pk), str(anonymous.pk)]}


def test_a_former_member_is_called_so(
    submit: Submit, ann: User, client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    """On the public page; on an anonymous one nothing is said of who sent it."""
    public, anonymous = submit("Open"), submit("Hidden", visibility="anonymous")
    delete(ann, django_capture_on_commit_callbacks)
    assert b"by former member" in client.get(public.get_absolute_url()).content
    assert b"former member" not in client.get(anonymous.get_absolute_url()).content


def test_a_teams_private_submission_stays_with_the_team(
    submit: Submit, team: Team, ben: User, django_capture_on_commit_callbacks: Any
) -> None:
    """It is not only its sender's."""
    kept = submit("Shared", user=ben, team=team, visibility="private")
    delete(ben, django_capture_on_commit_callbacks)
    kept.refresh_from_db()
    assert (kept.user, kept.team) == (None, team)


def test_a_team_with_nobody_else_goes(
    submit: Submit, ann: User, django_capture_on_commit_callbacks: Any
) -> None:
    """And what was private in it."""
    alone = teams.create(user=ann, name="Alone")
    submit("Shared", team=alone, visibility="private")
    assert accounts.departure(ann).teams_going == [alone]
    delete(ann, django_capture_on_commit_callbacks)
    assert not Team.objects.exists()
    assert not Submission.objects.exists()


def test_the_only_owner_hands_over_first(team: Team, ann: User, ben: User, submit: Submit) -> None:
    """Until then nothing at all is deleted."""
    submit("Secret", visibility="private")
    with pytest.raises(HandOverFirst, match="Blue"):
        accounts.delete_account(user=ann)
    assert Submission.objects.count() == 1
    assert accounts.departure(ann).to_hand_over == [team]
    teams.set_role(team=team, membership=team.memberships.get(user=ben), role="owner", by=ann)
    accounts.delete_account(user=ann)
    assert list(User.objects.all()) == [ben]


def test_the_page_asks_twice(release: Release, ann: User, client: Client) -> None:
    """For the password, and for the name."""
    ann.set_password(PASSWORD)
    ann.save()
    client.force_login(ann)
    page = "/account/delete/"
    assert client.get(page)["Location"].startswith("/reauthenticate/")
    client.post("/reauthenticate/", {"password": PASSWORD})
    assert client.post(page, {"username": "an"}).status_code == 422
    assert User.objects.filter(pk=ann.pk).exists()
    assert client.post(page, {"username": "ann"})["Location"] == "/"
    assert not User.objects.filter(pk=ann.pk).exists()
    assert client.get("/account/").status_code == 302


def test_the_admin_ends_an_account_in_the_same_way(
    submit: Submit, team: Team, ann: User, ben: User, client: Client
) -> None:
    """What is private goes, what is public stays; a team is not left without an owner."""
    client.force_login(User.objects.create_superuser("chief"))
    submit("Secret", user=ben, visibility="private")
    public = submit("Open", user=ben)
    client.post(f"/admin/auth/user/{ben.pk}/delete/", {"post": "yes"})
    public.refresh_from_db()
    assert list(Submission.objects.all()) == [public]
    assert public.sender_left
    team.memberships.create(user=User.objects.create_user("dora"), joined_at=timezone.now())
    refused = client.post(f"/admin/auth/user/{ann.pk}/delete/", {"post": "yes"}, follow=True)
    assert b"Make somebody else an owner first" in refused.content
    assert User.objects.filter(pk=ann.pk).exists()

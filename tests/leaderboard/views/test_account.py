"""Logging in and out, signing up, tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models import ApiToken
from leaderboard.models.token import hash_token

GOOD = {
    "username": "cleo",
    "password1": "correct horse battery",
    "password2": "correct horse battery",
}


@pytest.mark.django_db
def test_login_leads_where_one_wanted_to_go(client: Client) -> None:
    """And a wrong password says so without saying which part was wrong."""
    User.objects.create_user("dora", password="correct horse battery")
    wrong = client.post("/login/", {"username": "dora", "password": "no", "next": "/account/"})
    assert b"Please enter a correct username and password" in wrong.content
    right = {"username": "dora", "password": "correct horse battery", "next": "/account/"}
    assert client.post("/login/", right)["Location"] == "/account/"


def test_logout_is_a_post(as_ann: Client) -> None:
    """A link cannot log anybody out."""
    assert as_ann.get("/logout/").status_code == 405
    assert as_ann.post("/logout/")["Location"] == "/"
    assert as_ann.get("/account/").status_code == 302


@pytest.mark.django_db
def test_sign_up_logs_in(client: Client) -> None:
    """A name and a password; the next page is of this site only."""
    assert client.post("/signup/?next=/account/", GOOD)["Location"] == "/account/"
    assert b"cleo" in client.get("/account/").content


@pytest.mark.django_db
@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "javascript:1"])
def test_sign_up_leads_to_no_other_site(client: Client, wanted: str) -> None:
    """An open redirect is a gift to those who fish for passwords."""
    assert client.post(f"/signup/?next={wanted}", GOOD)["Location"] == "/"


@pytest.mark.django_db
def test_a_weak_password_is_refused(client: Client) -> None:
    """With the reason at its field."""
    response = client.post("/signup/", GOOD | {"password1": "123", "password2": "123"})
    assert response.status_code == 422
    assert b"too short" in response.content
    assert not User.objects.exists()


@pytest.mark.django_db
def test_a_closed_site_takes_no_accounts(client: Client, settings: Any) -> None:
    """The page is not there, and the login offers no link to it."""
    settings.SIGNUP_OPEN = False
    assert client.get("/signup/").status_code == 404
    assert client.post("/signup/", GOOD).status_code == 404
    assert b"/signup/" not in client.get("/login/").content
    settings.SIGNUP_OPEN = True
    assert b"/signup/" in client.get("/login/").content


def test_a_token_is_shown_once(as_ann: Client, ann: User, text: Callable[[Any], str]) -> None:
    """Only its hash is kept."""
    said = text(as_ann.post("/account/", {"name": "laptop"}))
    (secret,) = re.findall(r"clr_[\w-]+", said)
    token = ApiToken.objects.get()
    assert (token.user, token.name, token.digest) == (ann, "laptop", hash_token(secret))
    again = text(as_ann.get("/account/"))
    assert "laptop" in again
    assert secret not in again


def test_a_token_needs_a_name(as_ann: Client) -> None:
    """Else one cannot tell which to revoke."""
    assert b"This field is required" in as_ann.post("/account/", {"name": " "}).content
    assert not ApiToken.objects.exists()


def test_only_ones_own_tokens_can_be_revoked(as_ann: Client, ann: User, ben: User) -> None:
    """Somebody else's does not exist."""
    own, _ = ApiToken.objects.issue(user=ann, name="own")
    other, _ = ApiToken.objects.issue(user=ben, name="other")
    assert as_ann.post(f"/account/tokens/{other.pk}/revoke/").status_code == 404
    assert as_ann.get(f"/account/tokens/{own.pk}/revoke/").status_code == 405
    assert as_ann.post(f"/account/tokens/{own.pk}/revoke/").status_code == 302
    assert list(ApiToken.objects.all()) == [other]

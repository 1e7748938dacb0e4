"""Logging in and out, signing up, tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from leaderboard.models import ApiToken, Profile, Submission
from leaderboard.models.token import hash_token

PASSWORD = "correct horse battery"
GOOD = {
    "username": "cleo",
    "email": "cleo@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


@pytest.fixture
def mail(settings: Any) -> None:
    """A site with a mail server."""
    settings.MAIL_CONFIGURED = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def link_in(body: str, path: str = "confirm-email") -> str:
    """The address in a mail, without the host."""
    (link,) = re.findall(rf"http://testserver(/{path}/\S+)", body)
    return str(link)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["dora", "dora@example.org"])
def test_login_leads_where_one_wanted_to_go(client: Client, name: str) -> None:
    """By name or address; a wrong password says so without saying which part was wrong."""
    User.objects.create_user("dora", email="dora@example.org", password=PASSWORD)
    wrong = client.post("/login/", {"login": name, "password": "no", "next": "/account/"})
    assert b"password you specified are not correct" in wrong.content
    right = {"login": name, "password": PASSWORD, "next": "/account/"}
    assert client.post("/login/", right)["Location"] == "/account/"


@pytest.mark.django_db
def test_an_account_without_an_address_can_log_in(client: Client, mail: None) -> None:
    """One made on the command line, also where addresses must be confirmed."""
    User.objects.create_user("demo", password=PASSWORD)
    response = client.post("/login/", {"login": "demo", "password": PASSWORD})
    assert response["Location"] == "/"
    assert client.get("/account/").status_code == 200


@pytest.mark.django_db
def test_too_many_wrong_passwords_make_one_wait(client: Client) -> None:
    """Also for the right one."""
    User.objects.create_user("dora", password=PASSWORD)
    for _ in range(6):
        client.post("/login/", {"login": "dora", "password": "no"})
    response = client.post("/login/", {"login": "dora", "password": PASSWORD})
    assert b"Too many failed login attempts" in response.content


@pytest.mark.django_db
def test_too_many_tries_from_one_place_are_refused(client: Client, settings: Any) -> None:
    """With a page of the site's own."""
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/m/ip"}
    client.post("/signup/", GOOD | {"password2": "other"})
    refused = client.post("/signup/", GOOD | {"password2": "other"})
    assert refused.status_code == 429
    assert b"Wait a few minutes" in refused.content


def test_logout_is_a_post(as_ann: Client) -> None:
    """A link asks first."""
    assert as_ann.get("/logout/").status_code == 200
    assert as_ann.get("/account/").status_code == 200
    assert as_ann.post("/logout/")["Location"] == "/"
    assert as_ann.get("/account/").status_code == 302


@pytest.mark.django_db
def test_without_a_mail_server_sign_up_logs_in(client: Client) -> None:
    """Nobody can be asked to confirm anything."""
    response = client.post("/signup/", GOOD | {"next": "/account/"})
    assert response["Location"] == "/account/"
    assert b"cleo" in client.get("/account/").content


@pytest.mark.django_db
def test_sign_up_needs_the_link_in_the_mail(
    client: Client, mail: None, mailoutbox: list[Any]
) -> None:
    """Only then one can log in; the link works once, and its page offers another."""
    assert client.post("/signup/", GOOD)["Location"] == "/confirm-email/"
    login = {"login": "cleo", "password": PASSWORD}
    assert client.post("/login/", login)["Location"] == "/confirm-email/"
    assert client.get("/account/").status_code == 302
    link = link_in(mailoutbox[0].body)
    assert b"cleo@example.org" in client.get(link).content
    assert client.post(link).status_code == 302
    assert client.post("/login/", login)["Location"] == "/"
    client.post("/logout/")
    used = client.get(link)
    assert b"does not work any more" in used.content
    assert b"Send me a new link" in used.content


@pytest.mark.django_db
def test_an_old_link_offers_a_new_one(
    client: Client, mail: None, mailoutbox: list[Any], settings: Any
) -> None:
    """Not more often than every three minutes, and never to an address that waits for none."""
    client.post("/signup/", GOOD)
    link = link_in(mailoutbox[0].body)
    settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = -1
    assert b"Send me a new link" in client.get(link).content
    cache.clear()
    for address in ("Cleo@example.org", "cleo@example.org", "nobody@example.org"):
        response = client.post("/account/confirm-again/", {"email": address})
        assert response["Location"] == "/confirm-email/"
    assert [mail.to for mail in mailoutbox] == [["cleo@example.org"]] * 2


@pytest.mark.django_db
def test_a_taken_address_is_not_given_away(
    client: Client, mail: None, mailoutbox: list[Any]
) -> None:
    """Signing up with it looks the same, and makes no second account."""
    user = User.objects.create_user("dora", email="cleo@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    assert client.post("/signup/", GOOD)["Location"] == "/confirm-email/"
    assert list(User.objects.all()) == [user]


@pytest.mark.django_db
def test_a_forgotten_password(client: Client, mail: None, mailoutbox: list[Any]) -> None:
    """By a link to the address."""
    user = User.objects.create_user("dora", email="dora@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    client.post("/password/reset/", {"email": "dora@example.org"})
    page = client.get(link_in(mailoutbox[0].body, "password/reset"), follow=True)
    address = page.redirect_chain[-1][0]
    new = "another long secret"
    assert client.post(address, {"password1": new, "password2": new}).status_code == 302
    user.refresh_from_db()
    assert user.check_password(new)


@pytest.mark.django_db
def test_a_new_address_counts_once_it_is_confirmed(
    client: Client, mail: None, mailoutbox: list[Any]
) -> None:
    """Until then the old one stays."""
    user = User.objects.create_user("dora", email="dora@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    client.post("/login/", {"login": "dora", "password": PASSWORD})
    change = {"email": "new@example.org", "action_add": ""}
    assert client.post("/email/", change)["Location"] == "/reauthenticate/?next=%2Femail%2F"
    client.post("/reauthenticate/", {"password": PASSWORD})
    client.post("/email/", change)
    user.refresh_from_db()
    assert user.email == "dora@example.org"
    body = next(mail.body for mail in mailoutbox if mail.to == ["new@example.org"])
    client.post(link_in(body))
    user.refresh_from_db()
    assert user.email == "new@example.org"


@pytest.mark.django_db
@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "javascript:1"])
def test_sign_up_leads_to_no_other_site(client: Client, wanted: str) -> None:
    """An open redirect is a gift to those who fish for passwords."""
    assert client.post("/signup/", GOOD | {"next": wanted})["Location"] == "/"


@pytest.mark.django_db
def test_a_weak_password_is_refused(client: Client) -> None:
    """With the reason at its field."""
    response = client.post("/signup/", GOOD | {"password1": "123", "password2": "123"})
    assert b"too short" in response.content
    assert not User.objects.exists()


@pytest.mark.django_db
def test_a_closed_site_takes_no_accounts(client: Client, settings: Any) -> None:
    """The page says so, and the login offers no link to it."""
    settings.SIGNUP_OPEN = False
    assert b"takes no new accounts" in client.get("/signup/").content
    client.post("/signup/", GOOD)
    assert not User.objects.exists()
    assert b"/signup/" not in client.get("/login/").content
    settings.SIGNUP_OPEN = True
    assert b"/signup/" in client.get("/login/").content


def test_a_profile_is_kept(as_ann: Client, ann: User) -> None:
    """And a time zone that is none is refused."""
    given = {"display_name": "Ann A.", "time_zone": "Asia/Tokyo", "mail_when_done": "on"}
    assert as_ann.post("/account/", given).status_code == 302
    profile = Profile.objects.get(user=ann)
    assert (profile.display_name, profile.time_zone) == ("Ann A.", "Asia/Tokyo")
    assert (profile.mail_when_done, profile.mail_when_failed) == (True, False)
    assert as_ann.post("/account/", given | {"time_zone": "Mars/Base"}).status_code == 422


def test_times_are_those_of_the_reader(
    as_ann: Client, ann: User, submit: Any, text: Callable[[Any], str]
) -> None:
    """By their profile; the zone is named."""
    made = submit()
    Submission.objects.filter(pk=made.pk).update(created_at=datetime(2026, 1, 1, 20, tzinfo=UTC))
    assert "1 Jan 2026, 20:00 UTC" in text(as_ann.get(made.get_absolute_url()))
    Profile.objects.create(user=ann, time_zone="Asia/Tokyo")
    assert "2 Jan 2026, 05:00 JST" in text(as_ann.get(made.get_absolute_url()))
    Profile.objects.update(time_zone="Gone/Away")
    assert "20:00 UTC" in text(as_ann.get(made.get_absolute_url()))


def test_a_token_is_shown_once(as_ann: Client, ann: User, text: Callable[[Any], str]) -> None:
    """Only its hash is kept."""
    said = text(
        as_ann.post("/account/tokens/", {"name": "laptop", "scope": "read", "lifetime": "30"})
    )
    (secret,) = re.findall(r"clr_[\w-]+", said)
    token = ApiToken.objects.get()
    assert (token.user, token.name, token.digest) == (ann, "laptop", hash_token(secret))
    assert token.scope == "read"
    assert token.expires_at is not None
    assert timedelta(days=29) < token.expires_at - token.created_at < timedelta(days=31)
    again = text(as_ann.get("/account/tokens/"))
    assert "laptop" in again
    assert secret not in again


def test_a_token_needs_a_name(as_ann: Client) -> None:
    """Else one cannot tell which to revoke."""
    assert (
        b"This field is required"
        in as_ann.post("/account/tokens/", {"name": " ", "scope": "read"}).content
    )
    assert not ApiToken.objects.exists()


def test_only_ones_own_tokens_can_be_revoked(as_ann: Client, ann: User, ben: User) -> None:
    """Somebody else's does not exist."""
    own, _ = ApiToken.objects.issue(user=ann, name="own")
    other, _ = ApiToken.objects.issue(user=ben, name="other")
    assert as_ann.post(f"/account/tokens/{other.pk}/revoke/").status_code == 404
    assert as_ann.get(f"/account/tokens/{own.pk}/revoke/").status_code == 405
    assert as_ann.post(f"/account/tokens/{own.pk}/revoke/").status_code == 302
    own.refresh_from_db()
    other.refresh_from_db()
    assert own.revoked_at is not None
    assert other.revoked_at is None
    assert b"Revoked" in as_ann.get("/account/tokens/").content

"""Staff sign in with a second factor, or see nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models import Release

PASSWORD = "correct horse battery"
SET_UP = "/2fa/totp/activate/"
PAGES = ["/", "/admin/", "/admin/auth/user/", "/submissions/", "/account/", "/teams/", "/curate/"]


@pytest.fixture(autouse=True)
def strict(settings: Any) -> None:
    """As the settings have it by default."""
    settings.STAFF_NEEDS_TOTP = True


@pytest.fixture
def chief(db: None) -> User:
    """An administrator."""
    return User.objects.create_superuser("chief", password=PASSWORD)


def code(secret: str) -> str:
    """What an authenticator app shows now."""
    step = totp.yield_hotp_counters_from_time()
    return totp.format_hotp_value(totp.hotp_value(secret, next(iter(step))))


@pytest.mark.parametrize("page", PAGES)
def test_staff_without_a_factor_are_sent_to_set_one_up(
    chief: User, client: Client, page: str
) -> None:
    """Whatever page they ask for."""
    client.force_login(chief)
    assert client.get(page)["Location"] == SET_UP


def test_the_interface_says_so_in_its_own_way(
    chief: User, client: Client, release: Release
) -> None:
    """With their session staff would see there what is private."""
    client.force_login(chief)
    response = client.get("/api/v1/benchmarks")
    assert response.status_code == 403
    assert "second factor" in response.json()["error"]


def test_others_are_not_asked(ann: User, client: Client) -> None:
    """It is their choice."""
    client.force_login(ann)
    assert client.get("/account/").status_code == 200


def test_it_can_be_relaxed(chief: User, client: Client, settings: Any) -> None:
    """For trying out."""
    settings.STAFF_NEEDS_TOTP = False
    client.force_login(chief)
    assert client.get("/admin/").status_code == 200


def test_setting_up_opens_the_site_and_then_a_code_is_asked_for(
    chief: User, client: Client
) -> None:
    """From the first login to the second, by the pages only."""
    client.post("/login/", {"login": "chief", "password": PASSWORD})
    assert client.get("/admin/")["Location"] == SET_UP
    client.get(SET_UP)
    client.post("/reauthenticate/", {"password": PASSWORD})
    page = client.get(SET_UP).content.decode()
    found = re.search(r'id="authenticator_secret"[^>]*value="(\w+)"', page)
    assert found is not None, page
    secret = found[1]
    assert client.post(SET_UP, {"code": code(secret)}).status_code == 302
    assert client.get("/admin/").status_code == 200
    codes = client.get("/2fa/recovery-codes/").content.decode()
    spare = re.findall(r"<code>(\S+)</code>", codes)
    assert len(spare) == 10
    client.post("/logout/")
    client.post("/login/", {"login": "chief", "password": PASSWORD})
    assert client.get("/admin/").status_code == 302
    assert client.post("/2fa/authenticate/", {"code": "000000"}).status_code == 200
    assert client.post("/2fa/authenticate/", {"code": spare[0]}).status_code == 302
    assert client.get("/admin/").status_code == 200


def test_recovery_codes_alone_are_no_second_factor(chief: User, client: Client) -> None:
    """They stand in for an app."""
    RecoveryCodes.activate(chief)
    assert Authenticator.objects.filter(user=chief).exists()
    client.force_login(chief)
    assert client.get("/admin/")["Location"] == SET_UP


def test_the_admin_has_no_login_of_its_own(client: Client, db: None) -> None:
    """It would have neither the limits nor the second factor."""
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0] == "/login/?next=%2Fadmin%2F"

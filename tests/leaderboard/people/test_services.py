"""Sign-in services: offered once they have a client id and a secret."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client

from leaderboard import sign_in
from leaderboard.people.adapters import SocialAccountAdapter

NONE = {"github": ("", ""), "orcid": ("", ""), "huggingface": ("", "")}
ALL = dict.fromkeys(NONE, ("an-id", "a-secret"))
ADDRESSES = ["/github/login/", "/orcid/login/", "/oidc/huggingface/login/"]
ELSEWHERE = [
    "https://github.com/login/oauth/authorize",
    "https://orcid.org/oauth/authorize",
]


@pytest.fixture
def offer(settings: Any) -> Any:
    """``offer(credentials)``: a site that is set up with them."""

    def made(credentials: dict[str, tuple[str, str]]) -> None:
        settings.SIGN_IN_SERVICES = sign_in.offered(credentials)
        settings.SOCIALACCOUNT_PROVIDERS = sign_in.providers(credentials)

    return made


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/login/", "/signup/"])
def test_none_is_offered_without_credentials(client: Client, offer: Any, page: str) -> None:
    """Half of them are none."""
    offer(NONE | {"github": ("an-id", "")})
    content = client.get(page).content.decode()
    assert not [address for address in ADDRESSES if address in content]


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/login/", "/signup/"])
def test_all_are_offered_with_credentials(client: Client, offer: Any, page: str) -> None:
    """By name, each with its address here."""
    offer(ALL)
    content = client.get(page).content.decode()
    assert [address for address in ADDRESSES if address in content] == ADDRESSES
    for name in ("GitHub", "Orcid.org", "Hugging Face"):
        assert name in content


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "there"), [(ADDRESSES[0], ELSEWHERE[0]), (ADDRESSES[1], ELSEWHERE[1])]
)
def test_a_service_is_asked_with_our_id(
    client: Client, offer: Any, address: str, there: str
) -> None:
    """After a page of ours that asks; a link alone logs nobody in."""
    offer(ALL)
    page = client.get(address)
    assert page.status_code == 200
    assert b"<form" in page.content
    location = client.post(address)["Location"]
    assert location.startswith(there)
    assert "client_id=an-id" in location


PERSON = {"id": 7, "login": "octo", "name": "Octo Person", "email": None}
MAILS = [{"email": "octo@example.org", "primary": True, "verified": True}]


@dataclass
class Answer:
    """What a service's server answers."""

    content: Any
    status_code: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    ok: bool = True

    @property
    def text(self) -> str:
        """As it came."""
        return json.dumps(self.content)

    def json(self) -> Any:
        """As it is meant."""
        return self.content

    def raise_for_status(self) -> None:
        """It is a good one."""


class Service:
    """GitHub, as far as signing in asks it."""

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def request(self, method: str, url: str, **given: Any) -> Answer:
        """A token for a code, then who it is of."""
        if url.endswith("/access_token"):
            return Answer({"access_token": "t", "token_type": "bearer"})
        return Answer(MAILS if url.endswith("/emails") else PERSON)

    def get(self, url: str, **given: Any) -> Answer:
        """The same."""
        return self.request("GET", url, **given)

    def post(self, url: str, **given: Any) -> Answer:
        """The same."""
        return self.request("POST", url, **given)


@pytest.fixture
def github(offer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that offers it, and a server that answers."""
    offer(ALL)
    monkeypatch.setattr(SocialAccountAdapter, "get_requests_session", lambda _: Service())


def come_back(client: Client) -> Any:
    """Go there, agree, and be sent back."""
    there = client.post("/github/login/")["Location"]
    state = parse_qs(urlsplit(there).query)["state"][0]
    return client.get("/github/login/callback/", {"code": "c", "state": state})


@pytest.mark.django_db
def test_who_comes_from_a_service_has_an_account(client: Client, github: None) -> None:
    """Made at the first time, with the address that the service has confirmed; found again."""
    assert come_back(client)["Location"] == "/"
    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == (
        "octo",
        "octo@example.org",
        False,
    )
    assert EmailAddress.objects.get().verified
    assert client.get("/account/").status_code == 200
    client.post("/logout/")
    come_back(client)
    assert client.get("/account/").status_code == 200
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_an_address_does_not_open_somebody_elses_account(client: Client, github: None) -> None:
    """Who has it here must log in here, and may connect the service then."""
    user = User.objects.create_user("dora", email="octo@example.org", password="a long secret")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    come_back(client)
    assert client.get("/account/").status_code == 302
    assert list(User.objects.all()) == [user]


@pytest.mark.django_db
def test_a_closed_site_takes_nobody_from_a_service(
    client: Client, github: None, settings: Any
) -> None:
    """As it takes nobody by the form."""
    settings.SIGNUP_OPEN = False
    assert b"takes no new accounts" in come_back(client).content
    assert not User.objects.exists()


@pytest.mark.django_db
def test_an_account_without_a_password_can_be_deleted(client: Client, github: None) -> None:
    """It is asked for a code by mail; where it has no address either, for nothing."""
    come_back(client)
    page = client.get("/account/delete/")
    assert page["Location"].startswith("/reauthenticate/code/")
    EmailAddress.objects.all().delete()
    assert client.post("/account/delete/", {"username": "octo"})["Location"] == "/"
    assert not User.objects.exists()

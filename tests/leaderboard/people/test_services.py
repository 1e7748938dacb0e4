"""Sign-in services: offered once they have a client id and a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from leaderboard import sign_in
from leaderboard.people.adapters import SocialAccountAdapter
from tests.support.sign_in_server import CODE, Person, SignInServer

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


SERVICES = dict(zip(("github", "orcid", "huggingface"), ADDRESSES, strict=True))
OURS = "octo@example.org"
each = pytest.mark.parametrize("name", SERVICES)
pytestmark = pytest.mark.django_db


@pytest.fixture
def server(offer: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[SignInServer]:
    """A site that offers all of them and sends mails, and the server that answers for them."""
    offer(ALL)
    settings.MAIL_CONFIGURED = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    with SignInServer() as made:
        monkeypatch.setattr(SocialAccountAdapter, "get_requests_session", lambda _: made.session())
        yield made


def go(client: Client, name: str) -> dict[str, str]:
    """To the service; what its page is asked with."""
    there = client.post(SERVICES[name])["Location"]
    return {key: values[0] for key, values in parse_qs(urlsplit(there).query).items()}


def come_back(client: Client, name: str = "github", **said: str) -> Any:
    """Go there, agree (or do what is ``said``), and be sent back."""
    state = go(client, name)["state"]
    return client.get(f"{SERVICES[name]}callback/", {"state": state, **(said or {"code": CODE})})


def is_in(client: Client) -> bool:
    """Whether somebody is signed in."""
    return client.get("/account/").status_code == 200


@each
def test_what_a_service_is_asked(client: Client, server: SignInServer, name: str) -> None:
    """With our id, our address and a state; then for a token with our secret, and who it is."""
    asked = go(client, name)
    assert asked["client_id"] == "an-id"
    assert asked["redirect_uri"] == f"http://testserver{SERVICES[name]}callback/"
    assert asked["response_type"] == "code"
    assert len(asked["state"]) >= 16
    server.asked.clear()
    client.get(f"{SERVICES[name]}callback/", {"code": CODE, "state": asked["state"]})
    tokens = [sent for method, _, sent in server.asked if method == "POST"]
    assert [sent["code"] for sent in tokens] == [CODE]
    assert tokens[0]["redirect_uri"] == asked["redirect_uri"]
    assert tokens[0]["client_secret"] == "a-secret"


@each
def test_who_comes_from_a_service_has_an_account(
    client: Client, server: SignInServer, name: str
) -> None:
    """With the address it tells, confirmed here where the service has not; found again later."""
    come_back(client, name)
    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == ("octo", OURS, False)
    if not is_in(client):  # ORCID does not say that it has confirmed an address
        assert name == "orcid"
        link = re.search(r"http://testserver(/confirm-email/\S+)", str(mail.outbox[-1].body))
        assert link
        client.post(link[1])
        come_back(client, name)
    assert EmailAddress.objects.get().verified
    assert is_in(client)
    client.post("/logout/")
    come_back(client, name)
    assert is_in(client)
    assert User.objects.count() == 1


@each
def test_who_tells_no_address_is_asked_for_one(
    client: Client, server: SignInServer, name: str
) -> None:
    """As most of ORCID's people: it must be confirmed before anything else."""
    server.person = Person(email="")
    asked = come_back(client, name)
    assert asked["Location"] == "/3rdparty/signup/"
    page = client.get(asked["Location"]).content.decode()
    assert "says that it is you" in page
    assert "keyed hash" in page
    given = {"email": "new@example.org", "username": "new"}
    assert client.post(asked["Location"], given)["Location"] == "/confirm-email/"
    assert not is_in(client)
    assert mail.outbox[-1].to == ["new@example.org"]
    assert not EmailAddress.objects.get().verified


@each
@pytest.mark.parametrize("verified", [True, False])
def test_an_address_does_not_open_somebody_elses_account(
    client: Client, server: SignInServer, name: str, verified: bool
) -> None:
    """Whoever has it here is told by mail; nobody learns from the page that it is known."""
    user = User.objects.create_user("dora", email=OURS, password="a long secret")
    EmailAddress.objects.create(user=user, email=OURS, verified=True, primary=True)
    server.person = Person(verified=verified)
    page = client.get(come_back(client, name)["Location"])
    assert "Look into your mail" in page.content.decode()
    assert not is_in(client)
    assert list(User.objects.all()) == [user]
    assert not user.socialaccount_set.exists()
    (told,) = mail.outbox
    assert told.to == [OURS]
    assert "already" in str(told.body)


@each
def test_who_does_not_agree_is_not_signed_in(
    client: Client, server: SignInServer, name: str
) -> None:
    """And is shown other ways."""
    answer = come_back(client, name, error="access_denied")
    page = client.get(answer["Location"])
    assert "You told the service not to say who you are" in page.content.decode()
    assert not is_in(client)
    assert not [address for method, address, _ in server.asked if method == "POST"]


@each
@pytest.mark.parametrize(
    "said",
    [
        {"code": CODE, "state": "forged"},
        {"code": CODE, "state": ""},
        {"code": "of somebody else"},
        {"error": "server_error"},
        {"nothing": "at all"},
    ],
    ids=str,
)
def test_what_does_not_fit_signs_nobody_in(
    client: Client, server: SignInServer, name: str, said: dict[str, str]
) -> None:
    """A state of another browser, a code that the service does not know, an error."""
    answer = come_back(client, name, **said)
    assert answer.status_code == 401
    assert "please try again" in answer.content.decode()
    assert not is_in(client)
    assert not User.objects.exists()


@each
def test_a_state_is_good_once_and_in_its_browser(
    client: Client, server: SignInServer, name: str
) -> None:
    """What was caught of somebody's way back signs in nobody else."""
    back = {"code": CODE, "state": go(client, name)["state"]}
    assert Client().get(f"{SERVICES[name]}callback/", back).status_code == 401
    client.get(f"{SERVICES[name]}callback/", back)
    client.post("/logout/")
    assert client.get(f"{SERVICES[name]}callback/", back).status_code == 401


@each
def test_a_service_that_does_not_answer(client: Client, server: SignInServer, name: str) -> None:
    """Neither before nor after its page: a page of ours says so."""
    state = go(client, name)["state"]
    server.failing = True
    answer = client.get(f"{SERVICES[name]}callback/", {"code": CODE, "state": state})
    assert answer.status_code == 401
    assert "may not answer just now" in answer.content.decode()
    assert client.post(SERVICES[name]).status_code in {302, 401}
    assert not is_in(client)


def test_a_service_that_is_not_offered(client: Client, server: SignInServer) -> None:
    """Is no page."""
    assert client.get("/oidc/elsewhere/login/").status_code == 404


def test_a_closed_site_takes_nobody_from_a_service(
    client: Client, server: SignInServer, settings: Any
) -> None:
    """As it takes nobody by the form."""
    settings.SIGNUP_OPEN = False
    assert b"takes no new accounts" in come_back(client).content
    assert not User.objects.exists()


def test_an_account_without_a_password_can_be_deleted(client: Client, server: SignInServer) -> None:
    """It is asked for a code by mail; where it has no address either, for nothing."""
    come_back(client)
    page = client.get("/account/delete/")
    assert page["Location"].startswith("/reauthenticate/code/")
    EmailAddress.objects.all().delete()
    assert client.post("/account/delete/", {"username": "octo"})["Location"] == "/"
    assert not User.objects.exists()

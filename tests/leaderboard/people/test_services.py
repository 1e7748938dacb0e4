"""Sign-in services: offered once they have a client id and a secret."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from leaderboard import sign_in

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

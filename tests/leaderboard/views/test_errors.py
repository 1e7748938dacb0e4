"""Pages for what cannot be shown, and what every page keeps to."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client, RequestFactory
from django.views.defaults import server_error

from leaderboard import access
from leaderboard.http import UploadLimitMiddleware, content_length, drain


@pytest.mark.django_db
def test_404_is_a_page_of_the_site(client: Client) -> None:
    """With a way out."""
    response = client.get("/no/such/page/")
    assert response.status_code == 404
    assert b"There is nothing here" in response.content
    assert b'href="/"' in response.content


def test_500_touches_no_database() -> None:
    """It must show when the database is what has failed."""
    response = server_error(RequestFactory().get("/"))
    assert response.status_code == 500
    assert b"Something went wrong on our side" in response.content


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "said"), [("/", "<h1>"), ("/api/v1/benchmarks", '"error"')])
def test_a_database_that_is_away_is_503(
    address: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page without the database's help, or JSON; both say when to come again."""

    def away(*_: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(access, "benchmarks", away)
    response = Client(raise_request_exception=False).get(address)
    assert response.status_code == 503
    assert response["Retry-After"] == "30"
    content = response.content.decode()
    assert said in content
    assert "The database does not answer" in content
    assert "disk is full" not in content


@pytest.mark.django_db
def test_a_stale_form_is_explained() -> None:
    """Django's own page for this is for developers."""
    response = Client(enforce_csrf_checks=True).post("/login/", {"login": "a", "password": "b"})
    assert response.status_code == 403
    assert b"too old to be accepted" in response.content


def test_the_api_says_413_in_its_own_shape(settings: Any) -> None:
    """JSON with the limit."""
    settings.UPLOAD_MAX_BYTES = 1000
    request = RequestFactory().post("/api/v1/x", b"x" * 600_000, content_type="text/csv")
    response = UploadLimitMiddleware(lambda _: pytest.fail("parsed"))(request)
    assert response.status_code == 413
    assert b'"limit": 1000' in response.content
    assert request.read() == b""


@pytest.mark.parametrize(("given", "size"), [("", 0), ("12", 12), ("nonsense", 0)])
def test_the_announced_length(given: str, size: int) -> None:
    """What is not a number announces nothing."""
    request = RequestFactory().get("/")
    request.META["CONTENT_LENGTH"] = given
    assert content_length(request) == size


def test_a_body_that_ends_early_is_dropped_all_the_same() -> None:
    """A browser that goes away keeps nobody waiting."""
    request = RequestFactory().post("/", b"abc", content_type="text/plain")
    drain(request, 10_000_000)
    assert request.read() == b""


ADDRESSES = [
    "/",
    "/b/small/",
    "/b/small/1.0/main/",
    "/b/small/1.0/clips/",
    "/b/small/1.0/clips/c1/",
    "/b/small/submit/",
    "/submissions/",
    "/account/",
    "/login/",
    "/signup/",
    "/account/tokens/",
    "/teams/",
    "/email/",
    "/2fa/",
    "/3rdparty/",
    "/password/reset/",
    "/confirm-email/",
    "/confirm-email/no-such-key/",
    "/none/",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_page_needs_an_exception_from_the_policy(
    client: Client, as_ann: Client, ranked: Any, address: str
) -> None:
    """Scripts and styles are files of this site: nothing inline, nothing from elsewhere."""
    if address in {"/login/", "/signup/"}:
        client.logout()
    response = client.get(address)
    page = response.content.decode()
    assert "default-src 'self'" in response["Content-Security-Policy"]
    assert not re.search(r"<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=", page)
    sources = re.findall(r'<(?:script|img|link|use)[^>]*(?:src|href)="([^"]+)"', page)
    assert sources
    assert all(source.startswith("/") and not source.startswith("//") for source in sources)
    assert page.count("<h1") == 1
    assert '<html lang="en">' in page


def test_a_user_may_not_enter_the_admin(as_ann: Client, ann: User) -> None:
    """It asks for another login."""
    assert as_ann.get("/admin/").status_code == 302

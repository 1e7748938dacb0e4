"""How often somebody may log in, upload and ask the API, counted for all processes together."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from leaderboard.file_cache import FileCache
from leaderboard.models import ApiToken
from leaderboard.people.adapters import AccountAdapter
from leaderboard.rates import Rate
from tests.leaderboard.conftest import TEXTS

CHECK = "/api/v1/benchmarks/small/check?filename=p.json"
READ = "/api/v1/benchmarks"


@pytest.fixture
def bearer(ann: Any) -> Callable[[], dict[str, str]]:
    """Headers with a new token of ann's."""

    def made() -> dict[str, str]:
        return {"Authorization": f"Bearer {ApiToken.objects.issue(user=ann, name='t')[1]}"}

    return made


def assert_429(answer: Any, seconds: int) -> None:
    """It says how long to wait, and in JSON why."""
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= seconds
    if answer["Content-Type"].startswith("application/json"):
        assert answer.json()["problems"][0]["code"] == "too-often"
        assert answer["Retry-After"] in answer.json()["error"]
    else:
        assert b"Too often" in answer.content


@pytest.mark.parametrize(
    ("written", "amount", "seconds"), [("600/m", 600, 60), ("5/10m", 5, 600), ("1/d", 1, 86_400)]
)
def test_a_rate_is_read(written: str, amount: int, seconds: int) -> None:
    """A number, and how long."""
    assert Rate.of(written) == Rate(amount, seconds)
    assert Rate.of("") is None


@pytest.mark.parametrize("written", ["fast", "0/m", "5/w", "5", "-1/m", "5/m/ip"])
def test_a_rate_that_is_none_stops_the_site(written: str) -> None:
    """With what to write."""
    with pytest.raises(ImproperlyConfigured, match="write 600/m"):
        Rate.of(written)


def test_reading_is_counted_by_address(client: Client, release: Any, settings: Any) -> None:
    """Of each visitor behind the site's own proxy, whatever they say their address is."""
    settings.API_RATE = "2/d"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for spoofed in ("1.1.1.1", "2.2.2.2"):
        headers = {"X-Forwarded-For": f"{spoofed}, 10.0.0.1"}
        assert client.get(READ, headers=headers).status_code == 200
    assert_429(client.get(READ, headers={"X-Forwarded-For": "3.3.3.3, 10.0.0.1"}), 86_400)
    assert client.get(READ, headers={"X-Forwarded-For": "10.0.0.2"}).status_code == 200


def test_a_network_counts_as_one_address(client: Client, release: Any, settings: Any) -> None:
    """Whoever has one of IPv6 has as many addresses as they like."""
    settings.API_RATE = "1/d"
    assert client.get(READ, REMOTE_ADDR="2001:db8::1").status_code == 200
    assert_429(client.get(READ, REMOTE_ADDR="2001:db8::2"), 86_400)


def test_tokens_of_one_account_are_counted_together(
    client: Client, release: Any, bearer: Any, settings: Any
) -> None:
    """And not for the address that they come from."""
    settings.API_RATE = "2/d"
    assert client.get(READ, headers=bearer()).status_code == 200
    assert client.get(READ, headers=bearer()).status_code == 200
    assert_429(client.get(READ, headers=bearer()), 86_400)
    assert client.get(READ).status_code == 200


def test_what_a_reading_token_may_not_do_is_counted(
    client: Client, release: Any, ann: Any, settings: Any
) -> None:
    """For its account, as what it may do."""
    settings.API_RATE = "2/d"
    _, secret = ApiToken.objects.issue(user=ann, name="t", scope="read")
    headers = {"Authorization": f"Bearer {secret}"}
    for _ in range(2):
        assert client.post(CHECK, headers=headers).status_code == 403
    assert_429(client.post(CHECK, headers=headers), 86_400)
    assert_429(client.get(READ, headers=headers), 86_400)
    assert client.get(READ).status_code == 200


def test_guessing_tokens_is_counted(client: Client, release: Any, settings: Any) -> None:
    """For the address."""
    settings.API_RATE = "2/d"
    for number in range(2):
        headers = {"Authorization": f"Bearer clr_{number}"}
        assert client.get(READ, headers=headers).status_code == 401
    assert_429(client.get(READ, headers={"Authorization": "Bearer clr_3"}), 86_400)


def test_uploads_share_one_limit_on_every_route(
    client: Client, as_ann: Client, ann: Any, bearer: Any, release: Any, sent: Any, settings: Any
) -> None:
    """Form, body and page; dry runs too; curators' data as well. Nothing is read over it."""
    settings.UPLOAD_RATE = "3/d"
    release.benchmark.curators.add(ann)
    data = json.dumps(TEXTS).encode()
    body = {"data": data, "content_type": "application/json", "headers": bearer()}
    assert client.post(CHECK, **body).status_code == 200
    assert client.post(f"{READ}/small/submissions?system=S", **body).status_code == 201
    assert as_ann.post("/b/small/submit/", {"system": ""}).status_code == 422
    assert_429(client.post(CHECK, **body), 86_400)
    form = {"file": SimpleUploadedFile("p.json", data), "system": "S"}
    assert_429(client.post(f"{READ}/small/submissions", form, headers=bearer()), 86_400)
    assert_429(client.post("/api/v1/curate/small/check?filename=c.csv", **body), 86_400)
    assert_429(as_ann.post("/b/small/submit/", {}), 86_400)
    assert_429(as_ann.post("/curate/small/data/", {}), 86_400)
    assert as_ann.get("/b/small/submit/").status_code == 200


def test_an_empty_rate_is_no_limit(client: Client, release: Any, settings: Any) -> None:
    """For a site that counts elsewhere."""
    settings.API_RATE = ""
    assert {client.get(READ).status_code for _ in range(5)} == {200}


@pytest.mark.django_db
def test_wrong_passwords_are_counted(client: Client, ann: Any, settings: Any) -> None:
    """By account; the right one does not help any more. By address for whoever tries many."""
    ann.set_password("right-and-long")
    ann.save()
    given = {"login": "ann", "password": "wrong"}
    for _ in range(5):
        assert b"Too many failed" not in client.post("/login/", given).content
    assert (
        b"Too many failed" in client.post("/login/", given | {"password": "right-and-long"}).content
    )
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip"}
    client.post("/login/", given, REMOTE_ADDR="10.0.0.9")
    assert_429(client.post("/login/", given, REMOTE_ADDR="10.0.0.9"), 60)


def test_fewer_proxies_than_said_are_no_error(rf: Any, settings: Any) -> None:
    """The address that is there counts."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    adapter = AccountAdapter()
    assert adapter.get_client_ip(rf.get("/", headers={"X-Forwarded-For": "1.1.1.1"})) == "127.0.0.1"
    assert adapter.get_client_ip(rf.get("/", REMOTE_ADDR="")) == "unknown"


def _count(folder: str, times: int) -> None:
    cache = FileCache(folder, {})
    for _ in range(times):
        cache.add("n", 0, 60)
        cache.incr("n")


def test_processes_count_together(tmp_path: Path) -> None:
    """With the default cache, which is of files: not one request is lost."""
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_count, args=(str(tmp_path), 50)) for _ in range(4)]
    for one in workers:
        one.start()
    for one in workers:
        one.join(60)
    assert FileCache(str(tmp_path), {}).get("n") == 200


def test_a_counter_keeps_its_end(tmp_path: Path) -> None:
    """Counting does not make a window longer; what is not there is not counted."""
    cache = FileCache(str(tmp_path), {})
    cache.set("n", 1, 1000)
    ends = cache._seconds_left("n", None)
    assert cache.incr("n") == 2
    assert 0 <= (ends or 0) - (cache._seconds_left("n", None) or 0) < 5
    with pytest.raises(ValueError, match="not found"):
        cache.incr("other")


def test_the_limits_stand_in_the_description(client: Client, settings: Any) -> None:
    """Of the API, where scripts are written from."""
    settings.API_RATE, settings.UPLOAD_RATE = "7/m", ""
    described = client.get("/api/openapi.json").json()
    assert "7 requests/m" in described["info"]["description"]
    assert "any number of files" in described["info"]["description"]
    for operations in described["paths"].values():
        assert all("429" in one["responses"] for one in operations.values())

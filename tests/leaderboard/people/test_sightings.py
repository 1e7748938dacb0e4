"""Accounts that share a machine: noted without their address, shown to curators, forgotten."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from leaderboard import tasks
from leaderboard.models import ApiToken, Release, Sighting, Submission
from leaderboard.people import sightings
from leaderboard.tables.shared_machines import shared_machines
from tests.leaderboard.conftest import TEXTS

Submit = Callable[..., Submission]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
CHROME = (
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142 Safari/537"
)


def seen(user: User, address: str, **more: str) -> None:
    """As if ``user`` had sent something from ``address``."""
    agent = {"HTTP_USER_AGENT": FIREFOX} | more
    sightings.note(RequestFactory().get("/", REMOTE_ADDR=address, **agent), user)


def digests() -> set[str]:
    """Of all rows."""
    return set(Sighting.objects.values_list("digest", flat=True))


@pytest.mark.django_db
def test_signing_in_is_noted_without_the_address(client: Client) -> None:
    """By its hash, the day and the kind of browser."""
    User.objects.create_user("dora", password="a long secret")
    client.post(
        reverse("account_login"),
        {"login": "dora", "password": "a long secret"},
        headers={"user-agent": CHROME},
        REMOTE_ADDR="192.0.2.7",
    )
    row = Sighting.objects.get(user__username="dora")
    assert (row.browser, row.last_on) == ("Chrome, Windows", timezone.now().date())
    assert len(row.digest) == 64
    assert "192.0.2.7" not in json.dumps(Sighting.objects.values()[0], default=str)


def test_submitting_is_noted_on_both_ways(
    release: Release, ann: User, sent: Any, client: Client
) -> None:
    """The form's and the interface's; one row for one machine."""
    _, secret = ApiToken.objects.issue(user=ann, name="t")
    data = json.dumps(TEXTS).encode()
    api = client.post(
        "/api/v1/benchmarks/small/submissions?system=One",
        data,
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}", "user-agent": "cliprank/1"},
    )
    assert api.status_code == 201
    assert Sighting.objects.get().browser == "cliprank"
    Sighting.objects.all().delete()
    client.force_login(ann)
    Sighting.objects.all().delete()
    given = {"name": "Two", "visibility": "public", "file": SimpleUploadedFile("p.json", data)}
    assert client.post(reverse("submit", args=["small"]), given).status_code == 302
    assert Sighting.objects.get().user == ann


def test_an_address_is_that_of_the_client(ann: User, ben: User, settings: Any) -> None:
    """Behind a proxy what the proxy says; without one nobody can claim another one."""
    forwarded = {"HTTP_X_FORWARDED_FOR": "198.51.100.1, 192.0.2.7"}
    seen(ann, "10.0.0.1", **forwarded)
    seen(ben, "10.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.9")
    assert len(digests()) == 1
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    seen(ann, "10.0.0.1", **forwarded)
    seen(ben, "10.0.0.2", HTTP_X_FORWARDED_FOR="192.0.2.7")
    assert len(digests()) == 2
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    seen(ann, "10.0.0.1", HTTP_X_FORWARDED_FOR="192.0.2.7")  # fewer than there should be
    assert Sighting.objects.count() == 4


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::5", "2001:db8:1:3::5", False),
        ("192.0.2.7", "::ffff:192.0.2.7", True),
    ],
)
def test_a_line_is_one_machine(one: str, other: str, same: bool, ann: User, ben: User) -> None:
    """IPv6 by its first half, as machines change the other one themselves."""
    seen(ann, one)
    seen(ben, other)
    assert (len(digests()) == 1) == same


def test_another_secret_gives_other_hashes(ann: User, settings: Any) -> None:
    """Nobody reads them without the site's own."""
    seen(ann, "192.0.2.7")
    settings.SECRET_KEY = "another"
    seen(ann, "192.0.2.7")
    assert len(digests()) == 2


def test_it_is_forgotten(ann: User, ben: User, settings: Any) -> None:
    """By the sweep after the days that the site says; with none nothing is noted at all."""
    seen(ann, "192.0.2.7")
    seen(ben, "192.0.2.7")
    today = timezone.now().date()
    old = Sighting.objects.filter(user=ann)
    old.update(last_on=today - timedelta(days=settings.MACHINE_DAYS))
    tasks.sweep()
    assert Sighting.objects.count() == 2
    old.update(last_on=today - timedelta(days=settings.MACHINE_DAYS + 1))
    tasks.sweep()
    assert Sighting.objects.get().user == ben
    settings.MACHINE_DAYS = 0
    tasks.sweep()
    seen(ann, "192.0.2.8")
    assert Sighting.objects.get().user == ben
    Sighting.objects.update(last_on=today - timedelta(days=1))
    tasks.sweep()
    assert not Sighting.objects.exists()


def test_curators_see_who_shares_a_machine(
    release: Release, ann: User, ben: User, submit: Submit, client: Client
) -> None:
    """Of accounts with submissions that they may see; with counts, and never the hash."""
    cora, dan = User.objects.create_user("cora"), User.objects.create_user("dan")
    release.benchmark.curators.add(cora)
    submit("One"), submit("Two"), submit("Three", user=ben)
    submit("Hidden", user=dan, visibility="private")
    for user in (ann, ben, dan, cora):
        seen(user, "192.0.2.7")
    seen(ann, "192.0.2.99")
    seen(ben, "192.0.2.7", HTTP_USER_AGENT=CHROME)
    (machine,) = shared_machines(cora, release.benchmark)
    assert [(one.username, one.submissions) for one in machine.accounts] == [("ann", 2), ("ben", 1)]
    assert (machine.submissions, machine.same_browser) == (3, True)
    client.force_login(cora)
    page = client.get(reverse("curate-moderation", args=["small"])).content.decode()
    assert "2 accounts" in page
    assert "Firefox, Linux" in page
    assert not any(digest in page for digest in digests())
    _, secret = ApiToken.objects.issue(user=cora, name="t")
    headers = {"Authorization": f"Bearer {secret}"}
    (answer,) = client.get("/api/v1/curate/small/shared-machines", headers=headers).json()
    assert (answer["submissions"], len(answer["accounts"])) == (3, 2)
    assert not any(digest in json.dumps(answer) for digest in digests())


def test_who_signs_up_reads_of_it(client: Client, ann: User, settings: Any) -> None:
    """And whoever has an account; where nothing is kept they read that."""
    client.force_login(ann)
    for days, said in ((30, "for 30 days"), (0, "Nothing: neither")):
        settings.MACHINE_DAYS = days
        assert said in client.get(reverse("account")).content.decode()
        assert said in Client().get(reverse("account_signup")).content.decode()

"""Checks, quota, and what owners do, over the interface."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from leaderboard.intake import receive
from leaderboard.models import (
    ApiToken,
    Membership,
    Profile,
    QuotaPolicy,
    Release,
    Submission,
    System,
    Team,
)
from tests.leaderboard.conftest import TEXTS

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/benchmarks/small/"
COMPLETE = {"c1": "One.", "c2": "Two.", "c3": "Three.", "c4": "Four."}


def bearer(user: User) -> dict[str, str]:
    """A token of theirs, as a header."""
    return {"Authorization": f"Bearer {ApiToken.objects.issue(user=user, name='laptop')[1]}"}


def send(client: Client, user: User, address: str, content: Any, **fields: str) -> Any:
    """A file, as a form."""
    file = SimpleUploadedFile("p.json", json.dumps(content).encode())
    return client.post(ROOT + address, {"file": file, **fields}, headers=bearer(user))


def post(client: Client, user: User, address: str, **given: Any) -> Any:
    """An action, as JSON."""
    return client.post(address, given, content_type="application/json", headers=bearer(user))


@pytest.mark.parametrize("raw", [False, True])
def test_a_check_reports_and_stores_nothing(
    client: Client, release: Release, ann: User, raw: bool
) -> None:
    """The same both ways; a bad file is no error of the request."""
    if raw:
        body = json.dumps(COMPLETE)
        headers = bearer(ann)
        answer = client.post(f"{ROOT}check", body, "application/json", headers=headers).json()
    else:
        answer = send(client, ann, "check", COMPLETE).json()
    assert answer["ok"] is True
    assert (answer["found"], answer["expected"], answer["missing"]) == (4, 4, [])
    assert (answer["format"], answer["encoding"], answer["words"]) == ("json-map", "UTF-8", 4)
    bad = send(client, ann, "check", {"c1": "One.", "zz": "?"})
    assert bad.status_code == 200
    assert bad.json()["ok"] is False
    assert bad.json()["missing"] == ["c2", "c3", "c4"]
    assert {p["code"] for p in bad.json()["problems"]} == {"missing-clip", "unknown-clip"}
    assert not Submission.objects.exists()


def test_a_check_has_the_limit_of_an_upload(
    client: Client, release: Release, ann: User, settings: Any
) -> None:
    """413 with the limit, which the benchmark states."""
    settings.UPLOAD_MAX_BYTES = 20
    assert client.get(ROOT).status_code == 404
    assert client.get("/api/v1/benchmarks/small").json()["upload_limit"] == 20
    refused = send(client, ann, "check", COMPLETE)
    assert (refused.status_code, refused.json()["limit"]) == (413, 20)


def test_a_spent_quota_answers_429(
    client: Client, release: Release, ann: User, sent: list[Any]
) -> None:
    """With the limit, the window and the next moment; what is left is said beforehand."""
    QuotaPolicy.objects.create(benchmark=release.benchmark, limit=1, hours=2)
    left = client.get(f"{ROOT}quota", headers=bearer(ann)).json()
    assert (left["limit"], left["left"], left["hours"], left["taken_now"]) == (1, 1, 2, True)
    assert send(client, ann, "submissions", COMPLETE, system="Model").status_code == 201
    refused = send(client, ann, "submissions", COMPLETE, system="Model")
    assert refused.status_code == 429
    assert "1 submission in 2 hours" in refused.json()["error"]
    assert 7100 < int(refused["Retry-After"]) <= 7200
    left = client.get(f"{ROOT}quota", headers=bearer(ann)).json()
    assert (left["left"], left["taken_now"]) == (0, False)
    assert left["next_at"] == refused.json()["next_at"]
    assert left["why_not"].endswith(" UTC.")
    Profile.objects.create(user=ann, time_zone="Asia/Tokyo")
    told = client.get(f"{ROOT}quota", headers=bearer(ann)).json()
    assert told["why_not"].endswith(" JST.")
    assert told["next_at"] == left["next_at"]
    assert timezone.get_current_timezone_name() == "UTC"
    assert client.get(f"{ROOT}quota").status_code == 401


def test_a_closed_release_answers_409(client: Client, release: Release, ann: User) -> None:
    """Naming the moment."""
    release.closes_at = timezone.now() - timedelta(hours=1)
    release.save()
    refused = send(client, ann, "submissions", COMPLETE, system="Model")
    assert refused.status_code == 409
    assert "were taken until" in refused.json()["error"]


def test_an_owner_publishes_hides_and_withdraws(
    client: Client, submit: Callable[..., Submission], ann: User, ben: User
) -> None:
    """Each answers with the submission; to others it is not there."""
    made = submit(visibility="private")
    address = f"/api/v1/submissions/{made.pk}/"
    assert post(client, ben, f"{address}visibility", visibility="public").status_code == 404
    soon = (timezone.now() + timedelta(days=1)).isoformat()
    answer = post(client, ann, f"{address}visibility", visibility="anonymous", named_from=soon)
    assert answer.status_code == 200, answer.content
    assert answer.json()["visibility"] == "anonymous"
    assert answer.json()["system_name"] == made.system.name
    read = client.get(f"/api/v1/submissions/{made.pk}", headers=bearer(ben)).json()
    assert read["system_name"].startswith("Anonymous ")
    assert (read["note"], read["file_name"]) == ("", "")
    past = timezone.now().isoformat()
    refused = post(client, ann, f"{address}visibility", visibility="anonymous", named_from=past)
    assert refused.status_code == 409
    withdrawn = post(client, ann, f"{address}withdraw", reason="Wrong file")
    assert withdrawn.json()["withdrawn_at"]
    assert post(client, ann, f"{address}withdraw").status_code == 409
    assert post(client, ann, f"{address}visibility", visibility="nobody").status_code == 422


def test_an_upload_may_be_anonymous_until_a_moment(
    client: Client, release: Release, ann: User, sent: list[Any]
) -> None:
    """Which must lie ahead."""
    soon = (timezone.now() + timedelta(days=1)).isoformat()
    given = {"system": "Model", "visibility": "anonymous"}
    answer = send(client, ann, "submissions", COMPLETE, named_from=soon, **given)
    assert answer.status_code == 201
    assert Submission.objects.get().named_from is not None
    past = send(client, ann, "submissions", COMPLETE, named_from="2001-01-01T00:00", **given)
    assert past.status_code == 422
    assert past.json()["problems"][0]["where"] == "named_from"


def test_the_quota_of_a_team(client: Client, ann: User, ben: User, release: Release) -> None:
    """It counts for itself where the benchmark says so; another's is not told."""
    QuotaPolicy.objects.create(benchmark=release.benchmark, limit=2, per="team")
    lab, other = (Team.objects.create(slug=slug, name=slug.title()) for slug in ("lab", "other"))
    for team, user in ((lab, ann), (other, ben)):
        Membership.objects.create(team=team, user=user, joined_at=timezone.now())
    system = System.objects.create(name="Model", slug="model", owner=ann)
    receive(
        system=system, data=json.dumps(TEXTS).encode(), filename="p.json", user=ann, team=lab,
        release=release,
    )  # fmt: skip

    def left(query: str = "") -> tuple[str, int]:
        answer = client.get(f"{ROOT}quota{query}", headers=bearer(ann)).json()
        return answer["team"], answer["left"]

    assert left() == ("", 2)
    assert left("?team=lab") == ("lab", 1)
    for team in ("other", "none-such"):
        assert client.get(f"{ROOT}quota?team={team}", headers=bearer(ann)).status_code == 404
    client.force_login(ann)
    form = client.get("/b/small/submit/").content.decode()
    for said in ("What you may still send", "2 of 2", "What Lab may still send", "1 of 2"):
        assert said in form
    assert "What Other" not in form
    page = client.get(Submission.objects.get().get_absolute_url()).content.decode()
    assert "What Lab may still send" in page
    assert "1 of 2" in page
    client.force_login(ben)
    assert "What Lab" not in client.get("/b/small/submit/").content.decode()

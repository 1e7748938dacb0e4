"""The audit trail, searched and written to files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse

from leaderboard import audit
from leaderboard.curation import moderation
from leaderboard.intake import visibility
from leaderboard.models import ApiToken, AuditEntry, Benchmark, Release, Submission


@pytest.fixture
def cora(release: Release) -> User:
    """Curates the small benchmark."""
    made = User.objects.create_user("cora")
    release.benchmark.curators.add(made)
    return made


@pytest.fixture
def trail(release: Release, cora: User, ann: User) -> list[AuditEntry]:
    """Three entries of the small benchmark on three days, one of another."""
    other = Benchmark.objects.create(slug="other", name="Other", summary="x")
    made = []
    with transaction.atomic():
        for benchmark, actor, action, reason in (
            (release.benchmark, cora, "release.publish", ""),
            (release.benchmark, cora, "release.settings", "=HYPERLINK(1)"),
            (release.benchmark, ann, "track.queue", "Wrong file"),
            (other, ann, "benchmark.edit", "Secret reason"),
        ):
            made.append(
                audit.record(
                    actor=actor,
                    action=action,
                    target=benchmark,
                    benchmark=benchmark,
                    before={"standing": "clear"},
                    after={"standing": "hidden"},
                    reason=reason,
                )
            )
    for day, entry in enumerate(made, 1):
        AuditEntry.objects.filter(pk=entry.pk).update(at=datetime(2026, 3, day, 12, tzinfo=UTC))
    return made


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["track.queue", "release.settings", "release.publish"]),
        ({"q": "cora"}, ["release.settings", "release.publish"]),
        ({"q": "cora SETT"}, ["release.settings"]),
        ({"q": "wrong"}, ["track.queue"]),
        ({"action": "release.publish"}, ["release.publish"]),
        ({"since": "2026-03-02"}, ["track.queue", "release.settings"]),
        ({"until": "2026-03-02"}, ["release.settings", "release.publish"]),
        ({"since": "2026-02-30"}, ["track.queue", "release.settings", "release.publish"]),
        ({"q": "secret"}, []),
    ],
)
def test_it_is_searched(
    client: Client, cora: User, trail: Any, query: dict[str, str], found: list[str]
) -> None:
    """By words, action and days, on the page, in files and by scripts alike."""
    client.force_login(cora)
    page = client.get(reverse("curate-audit", args=["small"]), query)
    assert [entry.action for entry, _ in page.context["lines"]] == found
    lines = client.get(reverse("curate-audit-file", args=["small", "jsonl"]), query)
    rows = [json.loads(line) for line in b"".join(lines).decode().splitlines()]
    assert [row["action"] for row in rows] == found
    _, secret = ApiToken.objects.issue(user=cora, name="t")
    headers = {"Authorization": f"Bearer {secret}"}
    answer = client.get("/api/v1/curate/small/audit", query, headers=headers).json()
    assert (answer["count"], [row["action"] for row in answer["entries"]]) == (len(found), found)


def test_a_file_is_safe_to_open(client: Client, cora: User, trail: Any) -> None:
    """What looks like a formula is text; what changed is whole."""
    client.force_login(cora)
    answer = client.get(reverse("curate-audit-file", args=["small", "csv"]), {"q": "settings"})
    assert answer.headers["Content-Disposition"] == 'attachment; filename="audit-small.csv"'
    (row,) = csv.DictReader(io.StringIO(b"".join(answer).decode()))
    assert row["reason"] == "'=HYPERLINK(1)"
    assert json.loads(row["before"]) == {"standing": "clear"}
    assert client.get(reverse("curate-audit-file", args=["small", "pdf"])).status_code == 404


def test_staff_see_the_whole_site(client: Client, trail: Any) -> None:
    """Curators their benchmarks only."""
    client.force_login(User.objects.create_user("staff", is_staff=True))
    page = client.get(reverse("curate-all-audit"))
    assert page.context["page"].paginator.count == 4
    assert "Secret reason" in page.content.decode()


def test_private_submissions_are_kept_from_curators(
    client: Client, cora: User, ann: User, submit: Callable[..., Submission]
) -> None:
    """What was unpublished is its owner's again, and staff's."""
    one, two = submit("Went private"), submit("Stayed")
    for submission in (one, two):
        moderation.flag(submission=submission, actor=cora, reason="Look.")
    visibility.set_visibility(one, actor=ann, visibility="private")
    client.force_login(cora)
    page = client.get(reverse("curate-audit", args=["small"])).content.decode()
    assert "Went private" not in page
    assert "Stayed" in page
    two.delete()
    assert "Stayed" not in client.get(reverse("curate-audit", args=["small"])).content.decode()
    client.force_login(User.objects.create_user("staff", is_staff=True))
    assert "Went private" in client.get(reverse("curate-all-audit")).content.decode()

"""Who may curate: every route of the workspace and of its interface, for everybody.

Deny by default: a route that is found below ``/curate/`` or ``/api/v1/curate`` and has no entry
here fails the test that compares the two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.shortcuts import resolve_url
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from leaderboard.curation import corrections
from leaderboard.models import (
    Announcement,
    ApiToken,
    Batch,
    Benchmark,
    Membership,
    Profile,
    QuotaPolicy,
    Release,
    ReportedResult,
    Run,
    Submission,
    System,
    Team,
)

ROLES = ("anonymous", "user", "team member", "curator of another", "curator", "staff")
ALLOWED = frozenset({"curator", "staff"})
TABLE = b"clip,reference\nc1,A man walks.\n"
REASON = {"reason": "The video is gone."}
VERSION = {"version": "1.2"}


@dataclass(frozen=True)
class Entry:
    """A request that somebody who may would make; ``who`` may."""

    method: str
    args: tuple[str, ...] = ("small",)
    sent: dict[str, Any] = field(default_factory=dict)
    who: frozenset[str] = ALLOWED
    file: bool = False


NEW_TRACK = {
    "slug": "facts",
    "name": "Facts",
    "protocol": "facts",
    "judges": ["facts-baseline"],
    "primary_metric": "llm_facts_f1",
}
OLD, DRAFT = ("small", "1.0"), ("small", "1.1")
TRACK = (*OLD, "main")
ONE = ("small", str(UUID(int=1)))
STAFF = frozenset({"staff"})
NUMBERED = ("small", "1")
TRACK_1 = (*TRACK, "1")
NEWS = {"title": "News", "text": "*There* are."}
NUMBER = {
    "system": "One",
    "judge": "left",
    "metric": "hm_cf",
    "mean": 0.5,
    "source": "https://example.org/paper",
}
QUOTA = {"limit": 3, "window": "day", "hours": 24, "per": "team"}
ANYBODY = frozenset(ROLES) - {"anonymous"}
CURATORS = ALLOWED | {"curator of another"}
PAGES: dict[str, list[Entry]] = {
    "curate": [Entry("get", (), who=ANYBODY)],
    "curate-new": [
        Entry("get", (), who=CURATORS),
        Entry("post", (), {"name": "N", "slug": "n", "summary": "S"}, who=CURATORS),
    ],
    "curate-all-audit": [Entry("get", (), who=STAFF)],
    "curate-all-audit-file": [Entry("get", ("csv",), who=STAFF)],
    "curate-audit": [Entry("get")],
    "curate-audit-file": [Entry("get", ("small", "jsonl"))],
    "curate-people": [
        Entry("get", (), who=STAFF),
        Entry("post", (), {"username": "user", "reason": "R."}, who=STAFF),
    ],
    "curate-unban": [Entry("post", ("user",), who=STAFF)],
    "curate-moderation": [Entry("get")],
    "curate-moderate": [Entry("post", ONE, {"do": "hidden", "reason": "R."})],
    "curate-news": [Entry("get"), Entry("post", sent=NEWS)],
    "curate-edit-news": [Entry("get", NUMBERED), Entry("post", NUMBERED, NEWS)],
    "curate-remove-news": [Entry("post", NUMBERED)],
    "curate-reported": [Entry("get", TRACK), Entry("post", TRACK, NUMBER)],
    "curate-edit-reported": [Entry("get", TRACK_1), Entry("post", TRACK_1, NUMBER)],
    "curate-remove-reported": [Entry("post", TRACK_1)],
    "curate-benchmark": [Entry("get")],
    "curate-batches": [Entry("get")],
    "curate-card": [Entry("get"), Entry("post", sent={"name": "N", "summary": "S"})],
    "curate-quota": [Entry("get"), Entry("post", sent=QUOTA)],
    "curate-curators": [Entry("post", sent={"curators": "curator"})],
    "curate-data": [Entry("get"), Entry("post", sent={"kind": "table"}, file=True)],
    "curate-store": [Entry("post", sent={"ticket": "x"})],
    "curate-release": [Entry("get", DRAFT), Entry("post", OLD, {"missing_clips": "zero"})],
    "curate-replace": [Entry("get", DRAFT), Entry("post", DRAFT, {"kind": "table"}, file=True)],
    "curate-store-replacement": [Entry("post", DRAFT, {"ticket": "x"})],
    "curate-publish": [Entry("post", DRAFT)],
    "curate-discard": [Entry("post", DRAFT)],
    "curate-correct": [Entry("post", OLD, VERSION)],
    "curate-changes": [Entry("get", DRAFT)],
    "curate-rescore": [Entry("post", DRAFT)],
    "curate-clips": [Entry("get", DRAFT)],
    "curate-exclude": [Entry("post", (*DRAFT, "c1"), REASON)],
    "curate-new-track": [Entry("get", OLD), Entry("post", OLD, NEW_TRACK)],
    "curate-track": [Entry("get", TRACK), Entry("post", TRACK, {"judges": ["char-tfidf"]})],
    "curate-uploads": [Entry("post", TRACK, {"takes": "no"})],
    "curate-queue": [Entry("post", TRACK)],
    "curate-again": [Entry("get", TRACK), Entry("post", TRACK, {"everything": "on"})],
}
RELEASES = "{slug}/releases/{version}"
API: dict[str, list[Entry]] = {
    "": [
        Entry("get", (), who=ANYBODY),
        Entry("post", (), {"name": "N", "slug": "n", "summary": "S"}, who=CURATORS),
    ],
    "{slug}": [Entry("get"), Entry("patch", sent={"summary": "Other."})],
    "audit": [Entry("get", (), who=STAFF)],
    "{slug}/audit": [Entry("get")],
    "people/banned": [Entry("get", (), who=STAFF)],
    "people/{username}/ban": [
        Entry("put", ("user",), REASON, who=STAFF),
        Entry("delete", ("user",), who=STAFF),
    ],
    "{slug}/submissions": [Entry("get")],
    "{slug}/shared-files": [Entry("get")],
    "{slug}/shared-machines": [Entry("get")],
    "{slug}/submissions/{pk}/standing": [
        Entry("put", ONE, {"standing": "hidden", "reason": "R."}),
    ],
    "{slug}/submissions/{pk}/flag": [Entry("put", ONE, REASON), Entry("delete", ONE)],
    "{slug}/news": [Entry("get"), Entry("post", sent=NEWS)],
    "{slug}/news/{pk}": [Entry("put", NUMBERED, NEWS), Entry("delete", NUMBERED)],
    f"{RELEASES}/tracks/{{track}}/reported": [Entry("get", TRACK), Entry("post", TRACK, NUMBER)],
    f"{RELEASES}/tracks/{{track}}/reported/{{pk}}": [
        Entry("patch", TRACK_1, {"mean": 0.4}),
        Entry("delete", TRACK_1),
    ],
    "{slug}/quota": [Entry("put", sent=QUOTA)],
    "{slug}/curators": [Entry("put", sent={"curators": ["curator"]})],
    "{slug}/check": [Entry("post", file=True)],
    "{slug}/releases": [Entry("post", sent={"version": "3.0"}, file=True)],
    RELEASES: [
        Entry("get", DRAFT),
        Entry("patch", OLD, {"references_hidden": True}),
        Entry("delete", DRAFT),
    ],
    f"{RELEASES}/clips": [Entry("get", DRAFT)],
    f"{RELEASES}/data": [Entry("put", DRAFT, file=True)],
    f"{RELEASES}/publish": [Entry("post", DRAFT)],
    f"{RELEASES}/correct": [Entry("post", OLD, VERSION)],
    f"{RELEASES}/exclusions/{{key}}": [
        Entry("put", (*DRAFT, "c1"), REASON),
        Entry("delete", (*DRAFT, "c1")),
    ],
    f"{RELEASES}/changes": [Entry("get", DRAFT)],
    f"{RELEASES}/rescore": [Entry("post", DRAFT)],
    "{slug}/batches": [Entry("get")],
    "{slug}/batches/{pk}": [Entry("get", NUMBERED)],
    f"{RELEASES}/tracks": [Entry("post", OLD, NEW_TRACK)],
    f"{RELEASES}/tracks/{{track}}/judges": [Entry("put", TRACK, {"judges": ["char-tfidf"]})],
    f"{RELEASES}/tracks/{{track}}/uploads": [Entry("put", TRACK, {"takes": False})],
    f"{RELEASES}/tracks/{{track}}/lacking": [Entry("get", TRACK), Entry("post", TRACK)],
    f"{RELEASES}/tracks/{{track}}/again": [Entry("get", TRACK), Entry("post", TRACK)],
}
# What a page does, or shows, is done or answered by these operations.
SAME = {
    "curate": ["get "],
    "curate-new": ["post "],
    "curate-all-audit": ["get audit"],
    "curate-all-audit-file": ["get audit"],
    "curate-audit": ["get {slug}/audit"],
    "curate-audit-file": ["get {slug}/audit"],
    "curate-people": ["get people/banned", "put people/{username}/ban"],
    "curate-unban": ["delete people/{username}/ban"],
    "curate-moderation": [
        "get {slug}/submissions",
        "get {slug}/shared-files",
        "get {slug}/shared-machines",
    ],
    "curate-moderate": [
        "put {slug}/submissions/{pk}/standing",
        "put {slug}/submissions/{pk}/flag",
        "delete {slug}/submissions/{pk}/flag",
    ],
    "curate-news": ["get {slug}/news", "post {slug}/news"],
    "curate-edit-news": ["put {slug}/news/{pk}"],
    "curate-remove-news": ["delete {slug}/news/{pk}"],
    "curate-reported": [
        f"get {RELEASES}/tracks/{{track}}/reported",
        f"post {RELEASES}/tracks/{{track}}/reported",
    ],
    "curate-edit-reported": [f"patch {RELEASES}/tracks/{{track}}/reported/{{pk}}"],
    "curate-remove-reported": [f"delete {RELEASES}/tracks/{{track}}/reported/{{pk}}"],
    "curate-benchmark": ["get {slug}"],
    "curate-batches": ["get {slug}/batches", "get {slug}/batches/{pk}"],
    "curate-card": ["patch {slug}"],
    "curate-quota": ["put {slug}/quota"],
    "curate-curators": ["put {slug}/curators"],
    "curate-data": ["post {slug}/check"],
    "curate-store": ["post {slug}/releases"],
    "curate-release": [f"get {RELEASES}", f"patch {RELEASES}"],
    "curate-replace": ["post {slug}/check"],
    "curate-store-replacement": [f"put {RELEASES}/data"],
    "curate-publish": [f"post {RELEASES}/publish"],
    "curate-discard": [f"delete {RELEASES}"],
    "curate-correct": [f"post {RELEASES}/correct"],
    "curate-changes": [f"get {RELEASES}/changes"],
    "curate-rescore": [f"post {RELEASES}/rescore"],
    "curate-clips": [f"get {RELEASES}/clips"],
    "curate-exclude": [
        f"put {RELEASES}/exclusions/{{key}}",
        f"delete {RELEASES}/exclusions/{{key}}",
    ],
    "curate-new-track": [f"post {RELEASES}/tracks"],
    "curate-track": [
        f"put {RELEASES}/tracks/{{track}}/judges",
        f"get {RELEASES}/tracks/{{track}}/lacking",
    ],
    "curate-uploads": [f"put {RELEASES}/tracks/{{track}}/uploads"],
    "curate-queue": [f"post {RELEASES}/tracks/{{track}}/lacking"],
    "curate-again": [
        f"get {RELEASES}/tracks/{{track}}/again",
        f"post {RELEASES}/tracks/{{track}}/again",
    ],
}
PARTS = ("{slug}", "{version}", "{key}", "{track}", "{pk}", "{username}")


def page_cases() -> list[Any]:
    """(name, entry, role) of all pages."""
    return [
        pytest.param(name, entry, role, id=f"{name}-{entry.method}-{role}")
        for name, entries in PAGES.items()
        for entry in entries
        for role in ROLES
    ]


def api_cases() -> list[Any]:
    """(path, entry, role) of the whole interface."""
    return [
        pytest.param(path, entry, role, id=f"{path}-{entry.method}-{role}")
        for path, entries in API.items()
        for entry in entries
        for role in ROLES
    ]


def names_below(prefix: str) -> set[str]:
    """The names of all addresses that begin so, however deep they are included."""

    def walk(patterns: list[Any], start: str) -> set[str]:
        found = set()
        for pattern in patterns:
            whole = start + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                found |= walk(pattern.url_patterns, whole)
            elif isinstance(pattern, URLPattern) and whole.startswith(prefix):
                found.add(pattern.name or whole)
        return found

    return walk(get_resolver().url_patterns, "")


def test_every_page_of_the_workspace_has_its_entry() -> None:
    """A new one is denied to nobody until somebody has thought about it: add it to ``PAGES``."""
    assert names_below("curate/") == set(PAGES)


def test_every_operation_of_the_interface_has_its_entry(client: Client) -> None:
    """The same of ``API``, method by method."""
    paths = client.get("/api/openapi.json").json()["paths"]
    there = {
        (path.removeprefix("/api/v1/curate").lstrip("/"), method)
        for path, methods in paths.items()
        if path.startswith("/api/v1/curate")
        for method in methods
    }
    assert there == {(path, entry.method) for path, entries in API.items() for entry in entries}


def test_what_a_page_does_a_script_can_do() -> None:
    """Every page has its operations, and every operation its page."""
    there = {f"{entry.method} {path}" for path, entries in API.items() for entry in entries}
    assert set(SAME) == set(PAGES)
    assert {operation for operations in SAME.values() for operation in operations} == there


@pytest.fixture
def people(release: Release, sent: Any) -> dict[str, User]:
    """Somebody in each role, around the small benchmark with a draft of a correction."""
    made = {role: User.objects.create_user(role) for role in ROLES if role != "anonymous"}
    User.objects.filter(pk=made["staff"].pk).update(is_staff=True)
    team = Team.objects.create(slug="team", name="Team")
    for role in ("team member", "curator"):
        Membership.objects.create(team=team, user=made[role], joined_at=timezone.now())
    other = Benchmark.objects.create(slug="other", name="Other", summary="x")
    other.curators.add(made["curator of another"])
    release.benchmark.curators.add(made["curator"])
    corrections.correct(release=release, version="1.1", notes="", actor=made["curator"])
    system = System.objects.create(name="One", slug="one")
    Submission.objects.create(pk=UUID(int=1), release=release, system=system, size=1)
    Announcement.objects.create(pk=1, benchmark=release.benchmark, title="Old news")
    old = {"judge": "left", "metric": "coarse", "mean": 0.1, "source": "https://example.org/"}
    ReportedResult.objects.create(pk=1, track=release.tracks.get(), system=system, **old)
    more = {
        "kind": "lacking",
        "total": 1,
        "heard_at": timezone.now(),
        "finished_at": timezone.now(),
    }
    Batch.objects.create(pk=1, benchmark=release.benchmark, release=release, **more)
    release.tracks.update(judges=["all-minilm-l6-v2"])
    Release.objects.get(version="1.1").tracks.update(judges=["all-minilm-l6-v2"])
    return {role: User.objects.get(pk=user.pk) for role, user in made.items()}


def everything() -> list[Any]:
    """What a denied request must leave as it is."""
    benchmark = Benchmark.objects.get(slug="small")
    return [
        list(Benchmark.objects.values()),
        list(Submission.objects.order_by("pk").values()),
        list(Announcement.objects.order_by("pk").values()),
        list(ReportedResult.objects.order_by("pk").values()),
        list(QuotaPolicy.objects.values()),
        list(Batch.objects.order_by("pk").values()),
        list(Profile.objects.filter(banned_at__isnull=False).values()),
        Run.objects.filter(state=Run.State.QUEUED).count(),
        sorted(benchmark.curators.values_list("username", flat=True)),
        *(list(rows.order_by("pk").values()) for rows in (benchmark.releases.all(),)),
        *(list(one.clips.order_by("pk").values()) for one in benchmark.releases.order_by("pk")),
        *(list(one.tracks.order_by("pk").values()) for one in benchmark.releases.order_by("pk")),
    ]


@pytest.mark.parametrize(("name", "entry", "role"), page_cases())
def test_pages(name: str, entry: Entry, role: str, client: Client, people: Any) -> None:
    """Who may gets an answer; who may not gets 404, and without a login the way there."""
    if role != "anonymous":
        client.force_login(people[role])
    before = everything()
    data = dict(entry.sent)
    if entry.file:
        data["file"] = SimpleUploadedFile("clips.csv", TABLE)
    answer = getattr(client, entry.method)(reverse(name, args=entry.args), data)
    if role in entry.who:
        to_login = answer.headers.get("Location", "").startswith(resolve_url(settings.LOGIN_URL))
        assert answer.status_code in {200, 302, 422}
        assert not to_login
        return
    assert answer.status_code == (302 if role == "anonymous" else 404)
    if role == "anonymous":
        assert answer.headers["Location"].startswith(resolve_url(settings.LOGIN_URL))
    assert everything() == before


@pytest.mark.parametrize(("path", "entry", "role"), api_cases())
def test_interface(path: str, entry: Entry, role: str, client: Client, people: Any) -> None:
    """The same with tokens; without one 401. A login without a token is none here."""
    headers = {}
    if role != "anonymous":
        _, secret = ApiToken.objects.issue(user=people[role], name="t")
        headers["Authorization"] = f"Bearer {secret}"
    before = everything()
    answer = _ask(client, path, entry, headers)
    if role in entry.who:
        assert answer.status_code in {200, 201, 202, 204, 409, 422}, answer.content
        return
    assert answer.status_code == (401 if role == "anonymous" else 404)
    assert everything() == before


def _ask(client: Client, path: str, entry: Entry, headers: dict[str, str]) -> Any:
    address = f"/api/v1/curate/{path}".rstrip("/")
    wanted = [part for part in PARTS if part in path]
    for part, value in zip(wanted, entry.args, strict=True):
        address = address.replace(part, value)
    call: Callable[..., Any] = getattr(client, entry.method)
    if entry.file:
        query = "&".join(f"{k}={v}" for k, v in {"filename": "c.csv", **entry.sent}.items())
        return call(f"{address}?{query}", TABLE, content_type="text/csv", headers=headers)
    if entry.method == "get":
        return call(address, headers=headers)
    return call(address, entry.sent, content_type="application/json", headers=headers)


def test_a_login_is_no_token(client: Client, people: Any) -> None:
    """The interface changes nothing for a browser's session: that would need a CSRF token."""
    client.force_login(people["staff"])
    answer = client.post("/api/v1/curate/small/releases/1.1/publish", content_type="text/plain")
    assert answer.status_code == 401
    assert not Release.objects.get(version="1.1").is_frozen

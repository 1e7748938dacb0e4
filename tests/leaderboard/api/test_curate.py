"""A benchmark run by scripts alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.curation.stepping import work_off
from leaderboard.intake import allowance
from leaderboard.models import ApiToken, AuditEntry, Batch, Release, Submission

Ask = Callable[..., Any]
TABLE = b'clip,duration,reference\nc1,10,"A man walks into a bar."\nc2,20,A red car stops.\n'


@pytest.fixture
def ask(client: Client, db: None) -> Ask:
    """``ask("post", "small/publish", {...})`` as a member of staff."""
    user = User.objects.create_user("root", is_staff=True)
    _, secret = ApiToken.objects.issue(user=user, name="t")

    def asked(method: str, path: str, sent: Any = None, **more: Any) -> Any:
        kind = "text/csv" if isinstance(sent, bytes) else "application/json"
        return getattr(client, method)(
            f"/api/v1/curate{'/' + path if path else ''}",
            {} if sent is None else sent,
            content_type=more.pop("content_type", kind),
            headers={"Authorization": f"Bearer {secret}"},
        )

    return asked


def test_from_nothing_to_published(ask: Ask, client: Client) -> None:
    """Create, check, draft, leave a clip out, set up, publish: each in the trail."""
    card = {"slug": "new-one", "name": "New one", "summary": "Two clips."}
    assert ask("post", "", card).status_code == 201
    assert ask("post", "", card).status_code == 422
    found = ask("post", "new-one/check?filename=c.csv", TABLE).json()
    assert (found["ok"], found["clips"], found["references"]) == (True, 2, 2)
    assert found["preview"][0]["references"] == ["A man walks into a bar."]
    bad = ask("post", "new-one/releases?filename=c.csv&version=1.0", b"clip,duration\nc1,x\n")
    assert bad.status_code == 422
    assert bad.json()["problems"][0]["where"] == "c.csv, line 2"
    made = ask("post", "new-one/releases?filename=c.csv&version=1.0", TABLE)
    assert made.status_code == 201, made.content
    assert (made.json()["obstacles"], made.json()["published_at"]) == ([], None)
    left_out = ask("put", "new-one/releases/1.0/exclusions/c2", {"reason": "Broken."})
    assert left_out.json()["excluded"] == {"c2": "Broken."}
    assert ask("put", "new-one/releases/1.0/exclusions/c1", {}).status_code == 422
    ask("patch", "new-one/releases/1.0", {"missing_clips": "zero"})
    assert client.get("/api/v1/benchmarks/new-one").status_code == 404
    shown = ask("post", "new-one/releases/1.0/publish").json()
    assert shown["published_at"]
    assert shown["settings"]["missing_clips"] == "zero"
    assert client.get("/api/v1/benchmarks/new-one").json()["versions"] == ["1.0"]
    actions = AuditEntry.objects.filter(benchmark__slug="new-one").values_list("action", flat=True)
    assert sorted(actions) == [
        "benchmark.create",
        "clip.exclude",
        "release.create",
        "release.publish",
        "release.settings",
    ]


def test_published_data_is_frozen(ask: Ask, release: Release) -> None:
    """409 that says what to do instead."""
    at = "small/releases/1.0"
    for answer in (
        ask("put", f"{at}/data?filename=c.csv", TABLE),
        ask("put", f"{at}/exclusions/c1", {"reason": "No."}),
        ask("delete", f"{at}/exclusions/c5"),
        ask("delete", at),
        ask("post", f"{at}/publish"),
    ):
        assert answer.status_code == 409
        assert answer.json()["problems"][0]["code"] == "frozen-release"


def test_corrections_and_panels(ask: Ask, submit: Any, release: Release) -> None:
    """What changed, what it costs, and rescoring."""
    release.tracks.update(judges=["all-minilm-l6-v2", "char-tfidf"])
    submit("One")
    assert ask("post", "small/releases/1.0/correct", {"version": "1.1"}).status_code == 201
    ask("put", "small/releases/1.1/exclusions/c3", {"reason": "Broken."})
    changes = ask("get", "small/releases/1.1/changes").json()
    assert changes["excluded"] == {"c3": "Broken."}
    assert (changes["to_rescore"], changes["cost"]["runs"], changes["cost"]["unknown"]) == (1, 2, 2)
    assert ask("post", "small/releases/1.1/rescore").status_code == 409
    ask("post", "small/releases/1.1/publish")
    begun = ask("post", "small/releases/1.1/rescore")
    assert (begun.status_code, begun.json()["done"], begun.json()["over"]) == (202, 0, False)
    assert ask("post", "small/releases/1.1/rescore").json()["problems"][0]["code"] == "under-way"
    work_off(Batch.objects.get())
    done = ask("get", f"small/batches/{begun.json()['id']}").json()
    assert (done["total"], done["runs"], done["refused"], done["over"]) == (1, 2, [], True)
    assert ask("get", "small/batches").json()["items"] == [done]
    assert Submission.objects.get(release__version="1.1").system.name == "One"
    track = "small/releases/1.0/tracks/main"
    new = ask("put", f"{track}/judges", {"judges": ["char-tfidf"], "reason": "Cheaper."})
    assert new.json()["judges"] == ["char-tfidf"]
    assert ask("put", f"{track}/judges", {"judges": ["nobody"]}).status_code == 422
    more = {"slug": "facts", "name": "Facts", "protocol": "facts", "primary_metric": "llm_facts_f1"}
    at = "small/releases/1.0/tracks"
    assert ask("post", at, more | {"judges": ["char-tfidf"]}).status_code == 422
    assert ask("post", at, more | {"judges": ["facts-baseline"]}).status_code == 201
    assert ask("get", f"{track}/lacking").json()["cost"]["runs"] == 1
    assert ask("post", f"{track}/lacking").json()["total"] == 1


@pytest.mark.parametrize(
    ("path", "sent", "where"),
    [
        ("small", {"unpublish_days": -1}, "given.unpublish_days"),
        ("small", {"name": "a\0b"}, "name"),
        ("small", {"name": ""}, "name"),
        ("small", {"blocking_flags": ["nonsense"]}, "blocking_flags"),
        ("small/releases/1.0", {"missing_clips": "maybe"}, "given.missing_clips"),
        ("small/releases/1.0", {"opens_at": "2030-01-02", "closes_at": "2030-01-01"}, "closes_at"),
    ],
)
def test_what_makes_no_sense_is_refused(
    ask: Ask, release: Release, path: str, sent: Any, where: str
) -> None:
    """With the field."""
    answer = ask("patch", path, sent)
    assert answer.status_code == 422, answer.content
    assert answer.json()["problems"][0]["where"] == where


def test_a_quota_is_set_and_lifted(ask: Ask, release: Release, ann: User) -> None:
    """It holds at once, stands in the trail, and what is left out stays."""
    first = ask("put", "small/quota", {"limit": 2, "window": "day", "per": "team"}).json()["quota"]
    assert first == {"limit": 2, "window": "day", "hours": 24, "per": "team", "at_once": None}
    assert allowance(release, ann).left == 2
    second = ask("put", "small/quota", {"limit": None, "at_once": 1}).json()["quota"]
    assert (second["limit"], second["window"], second["at_once"]) == (None, "day", 1)
    assert ask("put", "small/quota", {"hours": 0}).status_code == 422
    entry = AuditEntry.objects.filter(action="benchmark.quota").latest("pk")
    assert (entry.before, entry.after) == (
        {"limit": 2, "at_once": None},
        {"limit": None, "at_once": 1},
    )


def test_the_clips_of_a_draft_are_listed(ask: Ask, release: Release) -> None:
    """With what leaves one out."""
    ask("post", "small/releases/1.0/correct", {"version": "1.1"})
    ask("put", "small/releases/1.1/exclusions/c3", {"reason": "Broken."})
    listed = ask("get", "small/releases/1.1/clips").json()
    assert [(one["clip"], one["counts"]) for one in listed["items"]] == [
        ("c1", True),
        ("c2", True),
        ("c3", False),
        ("c4", True),
        ("c5", False),
    ]
    assert (listed["items"][2]["excluded"], listed["items"][0]["references"]) == ("Broken.", 1)

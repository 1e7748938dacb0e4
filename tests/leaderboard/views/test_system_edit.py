"""Who changes a system's card, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from leaderboard.models import AuditEntry, Submission, System

GIVEN = {
    "name": "Model",
    "organisation": "Lab",
    "frames": "32",
    "open_weights": "true",
    "paper": "example.org/paper",
    "code": "https://example.org/code",
    "decoding": "greedy",
    "prompt": "Describe the video.",
    "training_data": "No clips of benchmarks.",
}


@pytest.fixture
def model(submit: Callable[..., Submission], work_off: Callable[[], None]) -> System:
    """A system of ann's with a public submission on the board."""
    made = submit("Model")
    work_off()
    return made.system


def test_an_owner_changes_every_field_and_the_history_keeps_them(
    as_ann: Client, model: System, text: Callable[[Any], str]
) -> None:
    """When, from what to what; the card stands beside the results."""
    response = as_ann.post("/systems/model/edit/", GIVEN, follow=True)
    assert "The card is changed." in text(response)
    as_ann.post("/systems/model/edit/", GIVEN | {"frames": "64"})
    said = text(as_ann.get("/systems/model/"))
    for words in ("Lab", "example.org/paper", "greedy", "No clips", "Frames looked at: 32 64"):
        assert words in said
    entry = AuditEntry.objects.order_by("pk").last()
    assert entry is not None
    assert (entry.action, entry.before, entry.after) == (
        "system.edit",
        {"frames": 32},
        {"frames": 64},
    )
    page = text(Client().get(model.submissions.get().get_absolute_url()))
    assert "Describe the video." in page
    assert "Edit the card" not in page
    public = text(Client().get("/systems/model/"))
    assert "32 64" in public
    assert "Edit the card" not in public


def test_nothing_changed_is_nothing_told(as_ann: Client, model: System) -> None:
    """Neither in the history nor in the audit trail."""
    as_ann.post("/systems/model/edit/", {"name": "Model", "open_weights": "unknown"})
    assert model.history.count() == 1
    assert not AuditEntry.objects.exclude(action="submission.create").exists()


def test_a_new_name_reaches_the_board_at_once(
    as_ann: Client,
    model: System,
    sent: list[Any],
    work_off: Any,
    text: Callable[[Any], str],
    django_capture_on_commit_callbacks: Any,
) -> None:
    """The address stays."""
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        as_ann.post("/systems/model/edit/", {"name": "Model  2"})
    assert [kind for kind, _ in sent] == ["rank"]
    work_off()
    assert "Model 2" in text(as_ann.get("/b/small/1.0/main/"))
    assert as_ann.get("/systems/model/").status_code == 200


def test_somebody_elses_name_cannot_be_taken(
    as_ann: Client, model: System, ben: Any, text: Callable[[Any], str]
) -> None:
    """Whatever its case."""
    System.objects.create(name="Other", slug="other", owner=ben)
    response = as_ann.post("/systems/model/edit/", {"name": "OTHER"})
    assert response.status_code == 422
    assert "entered by somebody else" in text(response)
    response = as_ann.post("/systems/model/edit/", {"name": "", "link": "javascript:alert(1)"})
    assert response.status_code == 422


def test_others_change_nothing(client: Client, model: System, ben: Any) -> None:
    """A visitor is sent to log in, others find no such page."""
    assert client.get("/systems/model/edit/").status_code == 302
    client.force_login(ben)
    assert client.get("/systems/model/edit/").status_code == 404
    assert client.post("/systems/model/edit/", GIVEN).status_code == 404


@pytest.mark.parametrize("visibility", ["private", "anonymous"])
def test_a_system_that_is_nowhere_named_has_no_page_for_others(
    client: Client, submit: Callable[..., Submission], ann: Any, ben: Any, visibility: str
) -> None:
    """Its owner sees it."""
    submit("Secret-7B", visibility=visibility)
    assert client.get("/systems/secret-7b/").status_code == 404
    client.force_login(ben)
    assert client.get("/systems/secret-7b/").status_code == 404
    client.force_login(ann)
    assert client.get("/systems/secret-7b/").status_code == 200

"""Every noun has its pages, and none asks the database more often when there is more to show."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from leaderboard.models import (
    Attendance,
    AuditEntry,
    Ban,
    Batch,
    CaptionPair,
    ChosenTable,
    Clip,
    ClipMap,
    Description,
    Digest,
    DirectUpload,
    Evidence,
    Invitation,
    Keypoint,
    Membership,
    Notice,
    RankedRow,
    Ranking,
    Reference,
    Run,
    ScoreVector,
    Sighting,
    Subject,
    Submission,
    System,
    TextSketch,
)

# Rows of a team stand on its page; sketches are bytes that nobody reads; who attends changes by the
# minute, and the site says of it what matters; what pages read in place of a ranking is the same
# as stands on the ranking's page.
WITHOUT_A_PAGE = {
    Attendance,
    Ban,
    ChosenTable,
    Digest,
    DirectUpload,
    Invitation,
    Membership,
    RankedRow,
    Sighting,
    TextSketch,
}
MODELS = [
    model
    for model in apps.get_app_config("leaderboard").get_models()
    if "Historical" not in model.__name__ and model not in WITHOUT_A_PAGE
]
MADE_BY_THE_SITE = {
    AuditEntry,
    Batch,
    ClipMap,
    Description,
    Evidence,
    Notice,
    Ranking,
    Run,
    ScoreVector,
    Submission,
}
BROUGHT_IN = {CaptionPair, Keypoint, Subject}
COMPUTED = MADE_BY_THE_SITE - {Submission} | BROUGHT_IN


def _name(model: type) -> str:
    return model.__name__


def address(model: type, page: str, *arguments: object) -> str:
    """An admin page of a model."""
    return reverse(f"admin:leaderboard_{model.__name__.lower()}_{page}", args=arguments)


def test_every_model_is_registered() -> None:
    assert [model.__name__ for model in MODELS if model not in admin.site._registry] == []
    assert len(MODELS) == 25


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_a_list_asks_as_often_for_many_as_for_few(
    model: type, staff: Client, grow: Callable[[], Run]
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            response = staff.get(address(model, "changelist"))
        assert response.status_code == 200
        return len(captured)

    grow()
    grow()
    few = queries()
    for _ in range(5):
        grow()
    assert queries() == few
    assert few < 20


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_a_list_can_be_searched(model: type, staff: Client, grow: Callable[[], Run]) -> None:
    grow()
    response = staff.get(address(model, "changelist"), {"q": "zzz-nothing"})
    assert response.status_code == 200
    assert response.context["cl"].result_count == 0


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_the_page_of_a_row_opens(model: type, staff: Client, grow: Callable[[], Run]) -> None:
    grow()
    row = model.objects.first()  # type: ignore[attr-defined] # of a published release
    response = staff.get(address(model, "change", row.pk))
    assert response.status_code == 200
    assert (b'name="_save"' in response.content) == (model not in {*COMPUTED, Clip, Reference})


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_what_the_site_makes_cannot_be_added_by_hand(
    model: type, staff: Client, grow: Callable[[], Run]
) -> None:
    grow()
    response = staff.get(address(model, "add"))
    assert response.status_code == (
        403 if model in {*MADE_BY_THE_SITE, *BROUGHT_IN, Reference} else 200
    )


@pytest.mark.parametrize("model", sorted(COMPUTED, key=_name), ids=_name)
def test_what_is_computed_cannot_be_changed(
    model: type, staff: Client, grow: Callable[[], Run]
) -> None:
    grow()
    row = model.objects.first()  # type: ignore[attr-defined]
    assert staff.post(address(model, "change", row.pk), {}).status_code == 403


def test_a_submission_goes_with_all_that_follows_from_it(
    staff: Client, grow: Callable[[], Run]
) -> None:
    submission = grow().submission
    response = staff.post(address(Submission, "delete", submission.pk), {"post": "yes"})
    assert response.status_code == 302
    assert not Submission.objects.exists()
    assert not Run.objects.exists()
    assert not Evidence.objects.exists()


def test_what_was_uploaded_and_who_sees_it_stays(staff: Client, grow: Callable[[], Run]) -> None:
    """Who sees it is changed on the pages that tell it, which are linked."""
    submission = grow().submission
    page = staff.get(address(Submission, "change", submission.pk)).content.decode()
    assert submission.get_absolute_url() in page
    moderation = reverse("curate-moderation", args=[submission.release.benchmark.slug])
    assert f'href="{moderation}"' in page
    response = staff.post(
        address(Submission, "change", submission.pk),
        {
            "visibility": "private",
            "standing": "hidden",
            "withdrawn_at_0": "2026-01-01",
            "withdrawn_at_1": "10:00",
            "note": "Seen by staff.",
            "user": submission.user_id,
            "sha256": "f" * 64,
            "runs-TOTAL_FORMS": 0,
            "runs-INITIAL_FORMS": 0,
        },
    )
    assert response.status_code == 302
    submission.refresh_from_db()
    assert (submission.visibility, submission.standing) == ("public", "clear")
    assert (submission.withdrawn_at, submission.note) == (None, "Seen by staff.")
    assert submission.sha256 == "0" * 64


def test_a_system_keeps_its_history(staff: Client, grow: Callable[[], Run]) -> None:
    system = grow().submission.system
    staff.post(address(System, "change", system.pk), {"name": "New name", "slug": system.slug})
    system.refresh_from_db()
    assert system.name == "New name"
    assert system.history.count() == 2
    assert staff.get(address(System, "history", system.pk)).status_code == 200


def test_a_visitor_is_sent_to_the_login(client: Client, db: None) -> None:
    response = client.get(address(Run, "changelist"))
    assert response.status_code == 302
    assert "login" in response["Location"]

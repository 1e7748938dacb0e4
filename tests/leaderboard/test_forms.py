"""The submission form, apart from its page."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from leaderboard.forms import SubmissionForm
from leaderboard.intake import InvalidUpload
from leaderboard.models import Release, Submission, System

GOOD = b'{"c1": "A man.", "c2": "A car.", "c3": "A dog.", "c4": "The sea."}'


def form(user: Any, data: bytes = GOOD, **given: Any) -> SubmissionForm:
    """Filled in and bound."""
    upload = SimpleUploadedFile("p.json", data)
    return SubmissionForm({"visibility": "public"} | given, {"file": upload}, user=user)


def test_one_without_systems_is_not_asked_to_choose(ann: Any) -> None:
    """Only a name."""
    assert "system" not in SubmissionForm(user=ann).fields


def test_only_ones_own_systems_can_be_chosen(ann: Any, ben: Any) -> None:
    """Somebody else's is no choice."""
    own = System.objects.create(name="Own", slug="own", owner=ann)
    other = System.objects.create(name="Other", slug="other", owner=ben)
    assert form(ann, system=own.pk).is_valid()
    assert "system" in form(ann, system=other.pk).errors


def test_a_chosen_system_needs_no_name(ann: Any, release: Release, sent: Any) -> None:
    """And what is typed beside it changes nothing."""
    own = System.objects.create(name="Own", slug="own", owner=ann)
    filled = form(ann, system=own.pk, name="Ignored", organisation="Ignored")
    assert filled.is_valid()
    stored = filled.submit(release)
    assert stored is not None
    own.refresh_from_db()
    assert (stored.system, own.name, own.organisation) == (own, "Own", "")


def test_a_blank_name_is_no_name(ann: Any) -> None:
    """Spaces do not name anything."""
    assert "name" in form(ann, name="   ").errors


@pytest.mark.parametrize(
    ("field", "value"), [("link", "javascript:alert(1)"), ("frames", "-1"), ("name", "x" * 121)]
)
def test_a_card_that_cannot_be_stored(ann: Any, field: str, value: str) -> None:
    """The fault stands at its field."""
    assert field in form(ann, **{"name": "New"} | {field: value}).errors


def test_a_refused_file_leaves_no_system_behind(ann: Any, release: Release) -> None:
    """Both or neither."""
    filled = form(ann, b"[]", name="New")
    assert filled.is_valid()
    with pytest.raises(InvalidUpload):
        filled.submit(release)
    assert not System.objects.exists()
    assert not Submission.objects.exists()


def test_an_unfit_name_is_the_forms_fault(ann: Any, release: Release) -> None:
    """What intake refuses is said at the form, not as an error page."""
    filled = form(ann, name="New\u202emodel")
    assert filled.is_valid()
    assert filled.submit(release) is None
    assert "printable" in str(filled.errors)

"""The submission form, apart from its page."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from leaderboard.forms import SubmissionForm
from leaderboard.intake import InvalidUpload
from leaderboard.models import Release, Submission, System, Track

GOOD = b'{"c1": "A man.", "c2": "A car.", "c3": "A dog.", "c4": "The sea."}'


def form(user: Any, data: bytes = GOOD, **given: Any) -> SubmissionForm:
    """Filled in and bound."""
    upload = SimpleUploadedFile("p.json", data)
    return SubmissionForm(
        {"visibility": "public"} | given, {"file": upload}, user=user, release=Release.objects.get()
    )


def test_one_without_systems_is_not_asked_to_choose(ann: Any, release: Release) -> None:
    """Only a name."""
    assert "system" not in SubmissionForm(user=ann, release=release).fields


def test_only_ones_own_systems_can_be_chosen(ann: Any, ben: Any, release: Release) -> None:
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
    stored = filled.submit()
    assert stored is not None
    own.refresh_from_db()
    assert (stored.system, own.name, own.organisation) == (own, "Own", "")


def test_a_blank_name_is_no_name(ann: Any, release: Release) -> None:
    """Spaces do not name anything."""
    assert "name" in form(ann, name="   ").errors


@pytest.mark.parametrize(
    ("field", "value"), [("link", "javascript:alert(1)"), ("frames", "-1"), ("name", "x" * 121)]
)
def test_a_card_that_cannot_be_stored(ann: Any, release: Release, field: str, value: str) -> None:
    """The fault stands at its field."""
    assert field in form(ann, **{"name": "New"} | {field: value}).errors


def test_what_there_is_to_choose_is_asked(ann: Any, release: Release) -> None:
    """Kind and language only where a release has several; answers count on their track alone."""
    assert not SubmissionForm(user=ann, release=release).contents_fields
    Track.objects.create(
        release=release, slug="pairs", name="Pairs", protocol="pairs", judges=["exact"]
    )
    Track.objects.create(release=release, slug="de", name="German", settings={"language": "de"})
    Track.objects.filter(slug="main").update(settings={"language": "en"})
    asked = SubmissionForm(user=ann, release=release)
    assert [field.name for field in asked.contents_fields] == ["kind", "language"]
    wrong = form(ann, name="New", kind="judgements", language="fr")
    assert set(wrong.errors) == {"kind", "language"}


def test_a_refused_file_leaves_no_system_behind(ann: Any, release: Release) -> None:
    """Both or neither."""
    filled = form(ann, b"[]", name="New")
    assert filled.is_valid()
    with pytest.raises(InvalidUpload):
        filled.submit()
    assert not System.objects.exists()
    assert not Submission.objects.exists()


def test_an_unfit_name_is_the_forms_fault(ann: Any, release: Release) -> None:
    """What intake refuses is said at the form, not as an error page."""
    filled = form(ann, name="New\u202emodel")
    assert filled.is_valid()
    assert filled.submit() is None
    assert "printable" in str(filled.errors)

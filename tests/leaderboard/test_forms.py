"""The submission form, apart from its page."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict

from leaderboard.forms import SubmissionForm
from leaderboard.intake import InvalidUpload
from leaderboard.models import Kind, Release, Submission, System, Track
from tests.support.judgements import judgement_files
from tests.support.small_tests import annotations, answers, as_csv, keypoints_track, pairs_track

GOOD = b'{"c1": "A man.", "c2": "A car.", "c3": "A dog.", "c4": "The sea."}'


def form(user: Any, data: bytes = GOOD, **given: Any) -> SubmissionForm:
    """Filled in and bound."""
    return form_of(user, [("p.json", data)], **given)


def form_of(user: Any, files: list[tuple[str, bytes]], **given: Any) -> SubmissionForm:
    """The same with several files."""
    sent = MultiValueDict({"file": [SimpleUploadedFile(name, data) for name, data in files]})
    return SubmissionForm(
        {"visibility": "public"} | given, sent, user=user, release=Release.objects.get()
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
    assert not asked.judgement_fields
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


def test_several_files_are_kept_as_one_archive(ann: Any, release: Release, sent: Any) -> None:
    """A CSV for each pair test, chosen together."""
    pairs_track(release)
    tests = ("agent_iden", "chrono")
    files = [(f"{test}.csv", as_csv(answers(tests=[test]))) for test in tests]
    filled = form_of(ann, files, name="New", kind="pairs")
    assert filled.is_valid(), filled.errors
    stored = filled.submit()
    assert stored is not None
    assert (stored.kind, stored.format, stored.original_name) == ("pairs", "zip", "upload.zip")


def test_several_files_are_offered_where_something_comes_in_several(
    ann: Any, release: Release
) -> None:
    """Descriptions are one file."""
    assert "multiple" not in str(SubmissionForm(user=ann, release=release)["file"])
    pairs_track(release)
    assert "multiple" in str(SubmissionForm(user=ann, release=release)["file"])


def test_no_file_at_all_is_a_fault(ann: Any, release: Release) -> None:
    """Also where several could be sent."""
    pairs_track(release)
    assert "file" in form_of(ann, [], name="New", kind="pairs").errors


def test_judgements_made_elsewhere_name_their_track_and_judge(
    ann: Any, release: Release, sent: Any
) -> None:
    """Both files of the released scripts; without track or judge each field says so."""
    track = keypoints_track(release, judges=["gpt-4.1"], scores_uploads=False)
    files = judgement_files(annotations())
    given = {"name": "New", "kind": "judgements"}
    unnamed = form_of(ann, files, **given)
    assert set(unnamed.errors) == {"track", "judged_by"}
    filled = form_of(ann, files, **given, track="keypoints", judged_by="GPT-4.1")
    assert filled.is_valid(), filled.errors
    stored = filled.submit()
    assert stored is not None
    assert (stored.kind, stored.track, stored.judged_by) == (Kind.JUDGEMENTS, track, "GPT-4.1")
    assert [run.judge for run in stored.runs.all()] == ["GPT-4.1"]


def test_descriptions_have_no_judge_from_elsewhere(ann: Any, release: Release, sent: Any) -> None:
    """What stands in fields that do not belong to them is not kept."""
    keypoints_track(release)
    filled = form(ann, name="New", kind="descriptions", track="keypoints", judged_by="GPT-4.1")
    assert filled.is_valid(), filled.errors
    stored = filled.submit()
    assert stored is not None
    assert (stored.track, stored.judged_by) == (None, "")
    assert {run.track.slug for run in stored.runs.all()} == {"main", "keypoints"}


def test_where_only_judgements_are_taken_nothing_else_is_assumed(
    ann: Any, release: Release, sent: Any
) -> None:
    """There is no kind to choose then."""
    Track.objects.all().delete()
    keypoints_track(release, judges=["gpt-4.1"], scores_uploads=False)
    filled = form_of(
        ann, judgement_files(annotations()), name="New", track="keypoints", judged_by="GPT-4.1"
    )
    assert "kind" not in filled.fields
    assert filled.is_valid(), filled.errors
    stored = filled.submit()
    assert stored is not None
    assert stored.kind == Kind.JUDGEMENTS

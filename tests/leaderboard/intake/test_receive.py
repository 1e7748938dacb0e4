"""An upload is stored whole or not at all, and its messages leave after the commit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from leaderboard import tasks
from leaderboard.intake import InvalidUpload, Named, SystemTaken, receive
from leaderboard.models import Description, Release, Run, Submission, System
from leaderboard.pipeline import dispatch
from scoring.types import Upload
from tests.support import stored

Submit = Callable[..., Submission]
COMPLETE = {"c1": "One.", "c2": "Two.", "c3": "Three.", "c4": "Four."}


def _refused(release: Release, data: bytes, filename: str = "predictions.json") -> Upload:
    """What the submitter is told; and nothing has been stored."""
    system = System.objects.create(name="Model", slug="model")
    with pytest.raises(InvalidUpload) as caught:
        receive(release=release, user=None, system=system, data=data, filename=filename)
    assert not Submission.objects.exists()
    assert not Run.objects.exists()
    return caught.value.upload


def _codes(upload: Upload) -> set[str]:
    return {problem.code for problem in upload.errors}


@pytest.mark.django_db
def test_a_good_upload_is_stored_as_it_is(submit: Submit, ann: User, release: Release) -> None:
    """Texts exactly as uploaded, beside size and checksum of the bytes."""
    text = "  Spaces stay.\n\nSo do lines.\u2028And \U0001f600.  "
    submission = submit(texts={"c1": text}, note="first try")
    stored = submission.file.read()
    assert submission.sha256 == hashlib.sha256(stored).hexdigest()
    assert submission.size == len(stored)
    assert json.loads(stored)["c1"] == text
    assert submission.descriptions.get(clip__key="c1").text == text
    assert submission.descriptions.count() == 4
    assert (submission.user, submission.format, submission.note) == (ann, "json-map", "first try")


@pytest.mark.django_db
def test_excluded_clips_are_dropped_with_a_warning(submit: Submit) -> None:
    """Whether they are there or not, the means are over the same clips."""
    submission = submit(texts={"c5": "Excluded."})
    assert not Description.objects.filter(clip__key="c5").exists()
    assert [w["code"] for w in submission.warnings] == ["ignored-clip"]
    assert submit("Other").warnings == []


@pytest.mark.django_db
def test_va_01_a_part_of_the_clips_is_refused(release: Release) -> None:
    """Nobody gains by leaving out the hard ones."""
    upload = _refused(release, json.dumps({"c1": "Easy."}).encode())
    assert _codes(upload) == {"missing-clip"}
    assert "3 of 4" in upload.errors[0].message


@pytest.mark.django_db
def test_va_01_a_file_for_another_benchmark_is_told_so(release: Release) -> None:
    """Not with as many messages as it has clips."""
    upload = _refused(release, json.dumps({"x1": "a", "x2": "b"}).encode())
    assert _codes(upload) == {"no-clip-matches"}


@pytest.mark.django_db
def test_va_02_placeholders_are_accepted_with_a_stored_warning(submit: Submit) -> None:
    """The counts go with the submission."""
    submission = submit(texts={"c1": "c1", "c2": "Error code: 429 - slow down"})
    assert {w["code"] for w in submission.warnings} == {"text-is-id", "api-error"}
    assert all(w["message"] for w in submission.warnings)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("data", "filename", "code"),
    [
        (b"", "empty.json", "empty-file"),
        (b"\xff\xfe\xfa{", "latin.csv", None),
        (b"PK\x03\x04", "x.zip", None),
        (b'{"c1": "a", "c1": "b", "c2": "", "c3": "", "c4": ""}', "up-05.json", None),
        (b'{"c1": "A man \\ud83d waves", "c2": "", "c3": "", "c4": ""}', "up-08.json", None),
        (b'{"c1": "A man\\u0000 waves", "c2": "", "c3": "", "c4": ""}', "up-08-nul.json", None),
        (b"[" * 100_000 + b"]" * 100_000, "up-09.json", None),
        (b'{"c1": 7, "c2": "", "c3": "", "c4": ""}', "up-02.json", None),
        (b'clip_id,caption\nc1,"open\nc2,b\nc3,c\nc4,d\n', "up-10.csv", None),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_bad_files_are_refused_with_words(
    release: Release, data: bytes, filename: str, code: str | None
) -> None:
    """UP-*: each gives problems that say what is wrong, and no file is left behind."""
    upload = _refused(release, data, filename)
    assert all(problem.message for problem in upload.errors)
    assert code is None or code in _codes(upload)
    assert stored.names() == []


@pytest.mark.django_db
def test_the_limit_is_the_settings(release: Release, settings: Any) -> None:
    """One byte over it is refused."""
    data = json.dumps(COMPLETE).encode()
    settings.UPLOAD_MAX_BYTES = len(data) - 1
    assert _codes(_refused(release, data)) == {"too-large"}


@pytest.mark.django_db
def test_a_release_that_scores_nothing_takes_nothing(release: Release) -> None:
    """Rather than a submission for ever without a run."""
    release.tracks.update(scores_uploads=False)
    assert "closed-release" in _codes(_refused(release, json.dumps(COMPLETE).encode()))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "filename",
    [
        "my.model.v1.run.2026.11.29.submission.final.final2.with.many.dots.json",
        "x" * 240 + ".json",
        "y" * 4000 + ".json",
        "説明.json",
        ".json",
        "",
        "../../etc/passwd",
        "C:\\runs\\preds.json",
        "a\0b\ud800\n.json",
    ],
)
def test_st_02_any_file_name_is_accepted_and_shown(submit: Submit, filename: str) -> None:
    """The key in the storage is ours; the name is kept as text, shortened in the middle."""
    submission = submit(filename=filename)
    submission.refresh_from_db()
    assert submission.file.name == f"submissions/{submission.pk}"
    assert 0 < len(submission.original_name) <= 255
    assert submission.original_name.isprintable()
    assert not {"/", "\\"} & set(submission.original_name)
    if filename.endswith(".json"):
        assert submission.original_name.endswith(".json")


@pytest.mark.django_db
def test_st_01_two_uploads_of_one_name_are_two_files(submit: Submit) -> None:
    """Nobody is scored on the other's file."""
    first = submit("One", {"c1": "First."}, filename="predictions.json")
    second = submit("Two", {"c1": "Second."}, filename="predictions.json")
    assert json.loads(first.file.read())["c1"] == "First."
    assert json.loads(second.file.read())["c1"] == "Second."


@pytest.mark.django_db
def test_when_storing_fails_no_file_and_no_row_is_left(
    submit: Submit, monkeypatch: pytest.MonkeyPatch, sent: list[Any]
) -> None:
    """And no message either."""

    def broken(_: Submission, **__: Any) -> list[Run]:
        raise RuntimeError("disk full")

    monkeypatch.setattr(dispatch, "create_runs", broken)
    with pytest.raises(RuntimeError):
        submit()
    assert stored.names() == []
    assert not Submission.objects.exists()
    assert not Description.objects.exists()
    assert sent == []


@pytest.mark.django_db(transaction=True)
def test_wq_04_messages_leave_after_the_outermost_commit(submit: Submit, sent: list[Any]) -> None:
    """Also when a request is one transaction: no worker looks for rows that are not there."""
    with transaction.atomic():
        submission = submit()
        assert sent == []
    assert sorted(sent) == sorted(("score", run.pk) for run in submission.runs.all())


@pytest.mark.django_db(transaction=True)
def test_wq_04_a_rollback_sends_nothing(submit: Submit, sent: list[Any]) -> None:
    """No orphan message."""
    with transaction.atomic():
        submit()
        transaction.set_rollback(True)
    assert sent == []
    assert not Submission.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_wq_04_a_broker_that_is_down_hides_no_upload(
    submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The upload is stored; the sweep sends what could not be sent."""

    def down(*_: Any, **__: Any) -> None:
        raise ConnectionError("no broker")

    monkeypatch.setattr(tasks.score_run, "apply_async", down)
    submission = submit()
    assert submission.runs.filter(state=Run.State.QUEUED).count() == 2


@pytest.mark.django_db
def test_a_new_system_comes_with_its_first_submission_or_not_at_all(
    release: Release, ann: User, sent: list[Any]
) -> None:
    """A refused file leaves no empty system behind."""
    card = {"organisation": "Lab", "frames": 8, "link": "https://example.org"}
    arguments: dict[str, Any] = {
        "release": release,
        "user": ann,
        "system": Named("New one", card),
        "filename": "p.json",
    }
    with pytest.raises(InvalidUpload):
        receive(data=b"{}", **arguments)
    assert not System.objects.exists()
    submission = receive(data=json.dumps(COMPLETE).encode(), **arguments)
    assert (submission.system.owner, submission.system.organisation) == (ann, "Lab")


@pytest.mark.django_db
def test_a_name_of_somebody_elses_system_is_refused_before_anything_is_stored(
    release: Release, ann: User
) -> None:
    """The file is not kept either."""
    System.objects.create(name="Taken", slug="taken")
    with pytest.raises(SystemTaken):
        receive(
            release=release,
            user=ann,
            system=Named("taken", {}),
            data=json.dumps(COMPLETE).encode(),
            filename="p.json",
        )
    assert not Submission.objects.exists()
    assert stored.names() == []

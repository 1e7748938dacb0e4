"""Readiness, doctor, backup and restore of a site whose files lie in a bucket."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command
from django.utils import timezone

from leaderboard.curation import refusals, staging
from leaderboard.models import DirectUpload, Ranking, Release, Submission
from leaderboard.operations import archive, configuration, doctor, files, probes
from leaderboard.people.accounts import delete_account
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from leaderboard.storage import multipart
from leaderboard.storage.bucket import BucketStorage
from leaderboard.storage.configuration import FOLDER
from tests.leaderboard.storage.conftest import use

pytestmark = pytest.mark.django_db
LATER = timedelta(days=2)


def test_readiness_tries_the_bucket(bucket: BucketStorage, down: Any) -> None:
    """Nothing of the trial stays; an error when nobody answers, with what to do in the doctor."""
    probes.storage()
    assert list(bucket.dated()) == []
    down()
    with pytest.raises(OSError, match=r"127\.0\.0\.1:9"):
        probes.storage()
    found = {one.code: one for one in doctor.examine(timezone.now())}
    assert "AWS_" in found["storage"].remedy
    assert "orphaned-files" not in found


def test_the_doctor_sees_what_belongs_to_nothing(
    bucket: BucketStorage, submit: Any, ann: User, release: Release
) -> None:
    """Files and parts, once they are old; not those of uploads under way, nor what is beside."""
    now = timezone.now()
    mine = submit()
    lost = bucket.save("submissions/lost", ContentFile(b"x"))
    row = DirectUpload(user=ann, benchmark=release.benchmark, size=1, expires_at=now + LATER * 2)
    row.upload_id = multipart.begin(bucket, row.key)
    row.save()
    forgotten = multipart.begin(bucket, "uploads/forgotten")
    bucket.client.put_object(Bucket=bucket.bucket_name, Key="embeddings/a.seg", Body=b"v")
    assert files.orphaned(now) == []
    assert files.unjoined(now) == []
    assert files.orphaned(now + LATER) == [lost]
    assert files.unjoined(now + LATER) == [("uploads/forgotten", forgotten)]
    codes = {one.code for one in files.findings(now + LATER)}
    assert codes == {"orphaned-files", "unfinished-uploads"}
    done = files.delete_orphans(now + LATER)
    assert done == ["Deleted the parts of uploads/forgotten.", f"Deleted the stored file {lost}."]
    assert [name for name, _ in bucket.dated()] == [mine.file.name]
    assert [name for name, _, _ in multipart.under_way(bucket)] == [row.key]
    assert list(files.findings(now + LATER)) == []


def test_the_doctor_sees_files_that_are_gone_or_others(bucket: BucketStorage, submit: Any) -> None:
    """As in a folder."""
    gone, changed = submit("One"), submit("Two", {"c1": "Another text."})
    bucket.delete(str(gone.file.name))
    bucket.client.put_object(**bucket.at(str(changed.file.name)), Body=b"{}")
    codes = {one.code for one in files.findings(timezone.now())}
    assert codes == {"missing-files", "changed-files"}


def test_links_in_the_clear_are_found(settings: Any) -> None:
    """A browser would show no video on a page that came encrypted."""
    options = {"bucket_name": "site", "public_endpoint": "http://files.example.org", "links": True}
    use(settings, options | {"addressing_style": "path"})
    settings.SITE_URL, settings.HTTPS, settings.MAIL_CONFIGURED = "https://b.org", True, True
    assert "links-in-the-clear" in {one.code for one in configuration.findings()}
    use(settings, options | {"links": False})
    assert "links-in-the-clear" not in {one.code for one in configuration.findings()}


@pytest.fixture
def scored(submit: Any, judges: Any, track: Any) -> Ranking:
    """Two systems, scored and ranked."""
    for one in (submit("One"), submit("Two", {"c1": "A man.", "c2": ""})):
        for run in one.runs.all():
            score_run(run.pk)
    ranking = rank_track(track.pk)
    assert ranking
    return ranking


def emptied() -> None:
    """As after `migrate`: no row."""
    for model in apps.get_models(include_auto_created=True):
        if archive.label(model) not in archive.MADE_BY_MIGRATE:
            model._base_manager.all()._raw_delete("default")  # type: ignore[attr-defined]


def test_from_a_folder_into_a_bucket_and_back(
    folder: Any, scored: Ranking, tmp_path: Path, request: pytest.FixtureRequest, settings: Any
) -> None:
    """The way to move a site: the same ranking, the same files; what is being sent stays behind."""
    before = list(Ranking.objects.values("fingerprint", "rows"))
    call_command("backup", str(tmp_path / "one.tar"))
    emptied()
    bucket: BucketStorage = request.getfixturevalue("bucket")
    call_command("restore", str(tmp_path / "one.tar"))
    assert len(list(bucket.dated())) == 2
    for one in Submission.objects.all():
        assert hashlib.sha256(one.file.open("rb").read()).hexdigest() == one.sha256
    release, user = Release.objects.get(), User.objects.get()
    DirectUpload.objects.create(
        user=user, benchmark=release.benchmark, size=1, expires_at=timezone.now()
    )
    call_command("backup", str(tmp_path / "two.tar"))
    emptied()
    settings.STORAGES = settings.STORAGES | {"default": FOLDER}
    settings.MEDIA_ROOT = tmp_path / "elsewhere"
    call_command("restore", str(tmp_path / "two.tar"))
    assert list(Ranking.objects.values("fingerprint", "rows")) == before
    assert not DirectUpload.objects.exists()
    for one in Submission.objects.all():
        assert hashlib.sha256(one.file.open("rb").read()).hexdigest() == one.sha256


def test_a_bucket_that_fails_restores_nothing(down: Any, scored: Ranking, tmp_path: Path) -> None:
    """No row either; a backup from one that fails is not begun by half."""
    down(back=True)
    call_command("backup", str(tmp_path / "one.tar"))
    down()
    with pytest.raises(CommandError, match=r"127\.0\.0\.1:9"):
        call_command("backup", str(tmp_path / "two.tar"))
    assert [path.name for path in tmp_path.glob("*.tar*")] == ["one.tar"]
    emptied()
    with pytest.raises(CommandError, match=r"127\.0\.0\.1:9"):
        call_command("restore", str(tmp_path / "one.tar"))
    assert not Submission.objects.exists()


def test_what_curators_stage_is_kept_or_said(
    storage: Any, release: Release, ann: User, request: pytest.FixtureRequest
) -> None:
    """Between the check and the use; old ones go."""
    whose = {"benchmark": release.benchmark, "user": ann}
    ticket = staging.stage(data=b"x", filename="a.csv", kind="table", **whose)
    assert staging.staged(ticket, **whose).data == b"x"
    staging.forget(ticket, **whose)
    assert list(storage.dated()) == []
    request.getfixturevalue("down")()
    with pytest.raises(refusals.Refused, match="could not keep the file"):
        staging.stage(data=b"x", filename="a.csv", kind="table", **whose)


def test_an_account_is_deleted_though_its_files_cannot_be(
    down: Any, submit: Any, ann: User, django_capture_on_commit_callbacks: Any
) -> None:
    """The row is what counts; the doctor finds the files."""
    submit(visibility=Submission.Visibility.PRIVATE)
    down()
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(user=ann)
    assert not User.objects.exists()
    down(back=True)
    assert len(files.orphaned(timezone.now() + LATER)) == 1

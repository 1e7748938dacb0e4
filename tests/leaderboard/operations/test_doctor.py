"""Each thing that can be wrong is found, with a remedy, and nothing is on a site that is well."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.utils import timezone

from leaderboard.celery import queue_of
from leaderboard.curation import staging
from leaderboard.models import Run, Track
from leaderboard.operations import configuration, doctor, probes
from leaderboard.pipeline import attendance
from leaderboard.storage.configuration import FOLDER
from tests.support import stored

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def well(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A site on this machine alone, whose broker is there."""
    settings.SECRET_KEY = "a-secret-of-the-tests-with-50-characters-or-more-01"
    settings.SITE_URL = "http://127.0.0.1:8000"
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    settings.DATA_DIR = tmp_path
    settings.DEBUG = False
    monkeypatch.setitem(probes.NEEDED, "broker", lambda: None)  # type: ignore[attr-defined]


@pytest.fixture
def attended(track: Track) -> None:
    """Judges of the catalogue that need nothing, and a worker that serves them."""
    Track.objects.update(judges=["char-tfidf"])
    attendance.note({queue_of("char-tfidf")}, now=timezone.now())


def codes(**options: Any) -> dict[str, str]:
    """Code to level of everything that the command finds; the exit status says whether any is an
    error.
    """
    found = ran(**options)["findings"]
    assert all(one["what"] and one["remedy"] for one in found)
    return {one["code"]: one["level"] for one in found}


def ran(**options: Any) -> dict[str, Any]:
    """What the command says as JSON."""
    out, status = io.StringIO(), 0
    try:
        call_command("doctor", "--json", stdout=out, **options)
    except SystemExit as end:
        status = int(end.code or 0)
    said: dict[str, Any] = json.loads(out.getvalue())
    assert status == int(any(one["level"] == "error" for one in said["findings"]))
    return said


def test_a_site_that_is_well(attended: None, submit: Any) -> None:
    """Nothing is found, and it is said so."""
    submit()
    assert codes() == {}
    out = io.StringIO()
    call_command("doctor", stdout=out)
    assert out.getvalue().strip() == "Nothing is wrong."


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"DEBUG": True}, {"debug": "error"}),
        ({"SECRET_KEY": "x"}, {"secret": "error"}),
        ({"SECRET_KEY": "ab" * 40}, {"secret": "error"}),
        ({"ALLOWED_HOSTS": ["*"]}, {"any-host": "error"}),
        (
            {"SITE_URL": "https://board.example.org", "HTTPS": True, "MAIL_CONFIGURED": True},
            {"own-host": "error"},
        ),
        (
            {"SITE_URL": "https://b.example.org", "ALLOWED_HOSTS": [".example.org"]},
            {"https": "error", "mail": "warning"},
        ),
        (
            {"SITE_URL": "http://b.example.org", "ALLOWED_HOSTS": [".example.org"]},
            {"https": "warning", "mail": "warning"},
        ),
    ],
)
def test_configuration(settings: Any, changed: dict[str, Any], expected: dict[str, str]) -> None:
    """What a public site should not have; of buckets tests/leaderboard/storage has more."""
    settings.STORAGES = settings.STORAGES | {"default": FOLDER}
    for name, value in ({"HTTPS": False, "MAIL_CONFIGURED": False} | changed).items():
        setattr(settings, name, value)
    assert {one.code: one.level for one in configuration.findings()} == expected


def test_a_secret_that_others_read(tmp_path: Path) -> None:
    """The file's mode."""
    file = tmp_path / "secret-key"
    file.write_text("x")
    file.chmod(0o644)
    assert [one.code for one in configuration.findings()] == ["secret-file"]
    file.chmod(0o600)
    assert list(configuration.findings()) == []


@pytest.mark.parametrize("fix", [False, True])
@pytest.mark.parametrize("name", ["database", "migrations", "broker", "storage"])
def test_services(monkeypatch: pytest.MonkeyPatch, name: str, fix: bool) -> None:
    """Named with what they said and a remedy; the command goes on without them, mending too."""

    def gone() -> None:
        raise OSError("nobody answers")

    monkeypatch.setitem(probes.NEEDED, name, gone)  # type: ignore[attr-defined]
    if name in doctor.ROWS:
        monkeypatch.setattr(doctor.stuck, "requeue", lambda _: pytest.fail("needs rows"))
    if name in doctor.ROWS | {"storage"}:
        monkeypatch.setattr(doctor.files, "delete_orphans", lambda _: pytest.fail("needs files"))
    (found,) = ran(fix=fix)["findings"]
    assert (found["code"], found["level"]) == (name, "error")
    assert "nobody answers" in found["what"]


def test_runs_that_fell_silent(attended: None, submit: Any, sent: list[Any]) -> None:
    """Mended, they are queued and their message is sent."""
    run = submit().runs.get()
    then = timezone.now() - timedelta(days=1)
    Run.objects.update(state=Run.State.RUNNING, heartbeat_at=then, attempts=1)
    assert codes() == {"silent-runs": "error"}
    sent.clear()
    said = ran(fix=True)
    assert (said["findings"], len(said["done"])) == ([], 1)
    run.refresh_from_db()
    assert run.state == Run.State.QUEUED


def test_runs_that_no_worker_takes(track: Track, submit: Any) -> None:
    """The remedy names the queue."""
    Track.objects.update(judges=["char-tfidf"])
    submit()
    (found,) = ran()["findings"]
    assert (found["code"], found["level"]) == ("no-worker", "error")
    assert "cliprank-worker --judge char-tfidf" in found["remedy"]


def test_submissions_without_runs(attended: None, submit: Any) -> None:
    """Mended, they have them; a second time does nothing."""
    made = submit()
    made.runs.all().delete()
    assert codes() == {"no-runs": "error"}
    assert codes(fix=True) == {}
    assert [run.judge for run in made.runs.all()] == ["char-tfidf"]
    assert ran(fix=True)["done"] == []


def test_judges(track: Track) -> None:
    """One that nobody knows, one whose weights are nowhere."""
    Track.objects.update(judges=["nobody", "qwen3-embedding-8b"])
    assert codes() == {"unknown-judge": "error", "missing-weights": "warning"}
    Track.objects.update(scores_uploads=False)
    assert codes() == {}


def test_orphaned_files(attended: None, submit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old ones are deleted when asked to, those of uploads under way never."""
    mine = submit().file.name
    old, young = (default_storage.save(f"submissions/{n}", ContentFile(b"x")) for n in "ab")
    staged = default_storage.save(f"{staging.FOLDER}/x", ContentFile(b"x"))
    stored.age(monkeypatch, old, mine, staged)
    assert codes() == {"orphaned-files": "warning"}
    assert default_storage.exists(old)
    assert ran(fix=True)["done"] == [f"Deleted the stored file {old}."]
    assert not default_storage.exists(old)
    assert all(default_storage.exists(name) for name in (young, mine, staged))


def test_files_are_kept_while_the_database_names_none(
    attended: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a database that has not been restored yet: everything would be an orphan."""
    name = default_storage.save("submissions/a", ContentFile(b"x"))
    stored.age(monkeypatch, name)
    said = ran(fix=True)
    assert said["done"] == []
    assert "is it that of this storage" in str(said["findings"])
    assert default_storage.exists(name)


def test_missing_and_changed_files(attended: None, submit: Any) -> None:
    """Both are errors, and neither is mended."""
    gone, changed = submit("One"), submit("Two", {"c1": "Another text."})
    default_storage.delete(gone.file.name)
    stored.put(changed.file.name, b"{}")
    found = {one["code"]: one for one in ran(fix=True)["findings"]}
    assert set(found) == {"missing-files", "changed-files"}
    assert str(gone.pk) in found["missing-files"]["what"]
    assert str(changed.pk) in found["changed-files"]["what"]


def test_what_is_examined_is_not_changed(attended: None, submit: Any) -> None:
    """Without ``--fix``."""
    submit().runs.all().delete()
    doctor.examine(timezone.now())
    assert not Run.objects.exists()

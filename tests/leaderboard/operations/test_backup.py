"""A backup brings everything back: the same rankings, scores to the byte, files and times."""

from __future__ import annotations

import hashlib
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission, User
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from leaderboard.models import (
    Attendance,
    Benchmark,
    Ranking,
    Run,
    ScoreVector,
    Submission,
)
from leaderboard.operations import archive
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from tests.support import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def scored(submit: Any, judges: Any, track: Any) -> None:
    """Two systems, scored and ranked."""
    submit("One")
    submit("Two", {"c1": "A man — “quoted”.\nA second line.", "c2": ""})
    for run in Run.objects.all():
        score_run(run.pk)
    rank_track(track.pk)


@pytest.fixture
def saved(scored: None, tmp_path: Path) -> Path:
    """A backup of that."""
    file = tmp_path / "backup.tar"
    call_command("backup", str(file))
    return file


def everything() -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, as it is in the database."""
    tables = (m for m in archive.kept_models())
    return {
        archive.label(m): [_plain(row) for row in m._base_manager.order_by("pk").values()]
        for m in tables
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {k: bytes(v) if isinstance(v, memoryview) else v for k, v in row.items()}


def emptied() -> None:
    """As after `migrate`: no row, no file."""
    for model in apps.get_models(include_auto_created=True):
        if archive.label(model) not in archive.MADE_BY_MIGRATE:
            model._base_manager.all()._raw_delete("default")  # type: ignore[attr-defined]
    stored.clear()


def test_everything_is_back(saved: Path, client: Client) -> None:
    """Rows, vectors to the byte, rankings, files by hash; and the page shows the same table."""
    before = everything()
    page = client.get("/b/small/1.0/main/export.csv").content
    vectors = {v.pk: bytes(v.values) for v in ScoreVector.objects.all()}
    rankings = list(Ranking.objects.order_by("pk").values())
    assert vectors
    assert rankings
    emptied()
    assert not ScoreVector.objects.exists()
    call_command("restore", str(saved))
    assert {v.pk: bytes(v.values) for v in ScoreVector.objects.all()} == vectors
    assert list(Ranking.objects.order_by("pk").values()) == rankings
    for one in Submission.objects.all():
        assert hashlib.sha256(one.file.read()).hexdigest() == one.sha256
    assert everything() == before
    assert client.get("/b/small/1.0/main/export.csv").content == page
    assert b"One" in page


def test_it_works_on_afterwards(saved: Path, submit: Any, judges: Any) -> None:
    """New rows get keys of their own, and a new upload is scored."""
    emptied()
    call_command("restore", str(saved))
    release = Benchmark.objects.get().releases.get()
    made = submit("Three", {"c3": "Something new."}, release=release, user=User.objects.get())
    for run in made.runs.all():
        score_run(run.pk)
    assert set(made.runs.values_list("state", flat=True)) == {"done"}


def test_permissions_go_with_their_owners(scored: None, tmp_path: Path) -> None:
    """Many-to-many rows come back, also of tables that `migrate` fills."""
    user = User.objects.get(username="ann")
    user.user_permissions.add(Permission.objects.get(codename="change_run"))
    Benchmark.objects.get().curators.add(user)
    call_command("backup", str(tmp_path / "b.tar"))
    emptied()
    call_command("restore", str(tmp_path / "b.tar"))
    user = User.objects.get(username="ann")
    assert user.has_perm("leaderboard.change_run")
    assert list(Benchmark.objects.get().curators.all()) == [user]


def test_not_over_what_is_there(saved: Path) -> None:
    """Named are the tables that hold something."""
    before = everything()
    with pytest.raises(CommandError, match=r"not empty .*leaderboard\.submission"):
        call_command("restore", str(saved))
    assert everything() == before


def test_workers_that_are_there_do_not_matter(saved: Path) -> None:
    """A worker may say that it is there before anything is restored."""
    emptied()
    Attendance.objects.create(judge="x", heard_at="2026-01-01T00:00Z")
    call_command("restore", str(saved))
    assert Submission.objects.count() == 2


def test_not_into_another_version(saved: Path) -> None:
    """It names what differs."""
    emptied()
    MigrationRecorder.Migration.objects.create(app="leaderboard", name="9999_later")
    with pytest.raises(CommandError, match=r"only here: leaderboard\.9999_later"):
        call_command("restore", str(saved))
    assert not User.objects.exists()


def test_not_over_another_file(saved: Path) -> None:
    """The storage holds something else in the place of a submission's file."""
    name = Submission.objects.first().file.name  # type: ignore[union-attr]
    emptied()
    stored.put(str(name), b"another")
    with pytest.raises(CommandError, match="another file at"):
        call_command("restore", str(saved))
    with default_storage.open(str(name)) as kept:
        assert kept.read() == b"another"


@pytest.mark.parametrize("fault", ["damaged", "lacking", "cut", "other"])
def test_a_backup_that_is_not_whole(saved: Path, tmp_path: Path, fault: str) -> None:
    """Nothing of it is restored."""
    emptied()
    broken = tmp_path / "broken.tar"
    if fault == "cut":
        broken.write_bytes(saved.read_bytes()[: saved.stat().st_size // 2])
    elif fault == "other":
        broken.write_text("no archive")
    else:
        _spoiled(saved, broken, tmp_path / "parts", lacking=fault == "lacking")
    with pytest.raises(CommandError):
        call_command("restore", str(broken))
    assert not User.objects.exists()
    assert stored.names() == []


def _spoiled(saved: Path, broken: Path, folder: Path, *, lacking: bool) -> None:
    with tarfile.open(saved) as tar:
        tar.extractall(folder, filter="data")
    rows = folder / "rows" / "leaderboard.scorevector.jsonl"
    if lacking:
        rows.unlink()
    else:
        rows.write_text(rows.read_text().replace('"coarse"', '"course"'))
    with tarfile.open(broken, "w") as tar:
        for path in folder.rglob("*"):
            if path.is_file():
                tar.add(path, str(path.relative_to(folder)))


def test_nobody_else_reads_it(saved: Path) -> None:
    """It holds addresses and hashes of passwords; and it is never written over."""
    assert saved.stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", str(saved))
    assert not list(saved.parent.glob("*.part"))


def test_what_is_missing_is_said(scored: None, tmp_path: Path, capsys: Any) -> None:
    """The backup goes on without the file."""
    one = Submission.objects.all()[0]
    one.file.storage.delete(one.file.name)
    call_command("backup", str(tmp_path / "b.tar"))
    assert one.file.name in capsys.readouterr().err
    with tarfile.open(tmp_path / "b.tar") as tar:
        held = json.load(tar.extractfile(archive.MANIFEST))  # type: ignore[arg-type]
    assert one.file.name not in held["files"]
    assert len(held["files"]) == 1

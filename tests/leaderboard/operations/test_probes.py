"""Alive and ready are said rightly, whatever is broken, and nothing else is said."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from leaderboard.celery import queue_of
from leaderboard.models import Attendance, Release, Track
from leaderboard.operations import probes
from leaderboard.pipeline import attendance
from leaderboard.views.operations import looked_at
from tests.support import stored

pytestmark = pytest.mark.django_db
GENERAL = settings.CELERY_TASK_DEFAULT_QUEUE
SECRET = "host-with-a-name.internal"


@pytest.fixture(autouse=True)
def fresh_look() -> Iterator[None]:
    """Nothing kept of another test's look."""
    looked_at.cache_clear()
    yield
    looked_at.cache_clear()


@pytest.fixture(autouse=True)
def broker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A broker of files of the test's own."""
    folder = tmp_path / "messages"
    folder.mkdir()
    ends = {"data_folder_in": str(folder), "data_folder_out": str(folder)}
    monkeypatch.setattr(probes, "app", _app("filesystem://localhost", options=ends))
    return folder


def _app(url: str, *, options: dict[str, str]) -> Celery:
    transport = "leaderboard.broker:Transport" if options else None
    made = Celery("probed", broker=url, set_as_current=False)
    made.conf.update(broker_transport=transport, broker_transport_options=options)
    return made


def asked(client: Client, status: int) -> dict[str, Any]:
    """What is answered with that status; it never holds what an exception said."""
    answer = client.get("/readyz")
    assert answer.status_code == status, answer.content
    assert SECRET not in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    found: dict[str, Any] = answer.json()
    return found


def test_alive_asks_nothing(client: Client, django_assert_num_queries: Any) -> None:
    """Not even the database, which may be what is down."""
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"alive": True})


def test_ready(client: Client) -> None:
    """All four are there; there is no track, so no judge is missed."""
    checks = dict.fromkeys(("database", "migrations", "broker", "storage", "judges"), "ok")
    expected = {"ready": True, "checks": checks, "judges_without_worker": []}
    assert asked(client, 200) == expected


def test_no_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """It and what is asked of it have failed; of judges nobody can tell."""

    def gone() -> None:
        raise ConnectionError(SECRET)

    monkeypatch.setattr(connection, "cursor", gone)
    checks = asked(client, 503)["checks"]
    assert (checks["database"], checks["migrations"]) == ("failed", "failed")
    assert (checks["judges"], checks["storage"]) == ("unknown", "ok")


def test_a_migration_is_missing(client: Client) -> None:
    """The code is newer than the database."""
    applied = MigrationRecorder(connection).migration_qs.filter(app="leaderboard")
    newest = applied.order_by("name").last()
    applied.filter(pk=newest.pk).delete()
    checks = asked(client, 503)["checks"]
    assert (checks["database"], checks["migrations"]) == ("ok", "failed")


def test_no_broker(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that nobody listens at."""
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)  # Celery would take that one
    monkeypatch.setattr(probes, "app", _app("amqp://guest:guest@127.0.0.1:9//", options={}))
    assert asked(client, 503)["checks"]["broker"] == "failed"


def test_the_folder_of_the_broker_is_gone(client: Client, broker: Path) -> None:
    """The embedded broker."""
    broker.rmdir()
    assert asked(client, 503)["checks"]["broker"] == "failed"


def test_no_storage(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full, a bucket that refuses."""

    def full(*_: Any) -> str:
        raise OSError(SECRET)

    monkeypatch.setattr(stored.kind(), "_save", full)
    assert asked(client, 503)["checks"]["storage"] == "failed"


def test_nothing_stays_in_the_storage(client: Client) -> None:
    """The file that was tried is removed."""
    asked(client, 200)
    assert stored.names() == []


def test_a_judge_without_a_worker_is_a_warning(client: Client, track: Track) -> None:
    """Uploads are taken and wait for it."""
    found = asked(client, 200)
    assert found["checks"]["judges"] == "warning"
    assert found["judges_without_worker"] == ["left", "right"]


def test_a_draft_names_no_judge(client: Client, release: Release) -> None:
    """What is not published is not spoken of."""
    Release.objects.update(published_at=None)
    assert asked(client, 200)["judges_without_worker"] == []


def test_a_worker_is_heard_of(track: Track) -> None:
    """Of the judges whose queues it takes, for as long as it goes on saying so."""
    now = timezone.now()
    attendance.note({queue_of("left"), GENERAL}, now=now)
    attendance.note({queue_of("left"), GENERAL}, now=now)
    assert attendance.unattended(now=now) == ["right"]
    assert Attendance.objects.get(judge="left").heard_at == now
    assert attendance.unattended(now=now + timedelta(hours=1)) == ["left", "right"]


def test_a_worker_without_the_weights_does_not_count(track: Track) -> None:
    """It takes all queues, and its runs of that judge would fail."""
    Track.objects.update(judges=["qwen3-embedding-8b", "char-tfidf"])
    now = timezone.now()
    attendance.note({queue_of("qwen3-embedding-8b"), queue_of("char-tfidf")}, now=now)
    assert attendance.unattended(now=now) == ["qwen3-embedding-8b"]


def test_judges_that_no_track_has_yet_are_heard_of_too(release: Release) -> None:
    """Whoever chooses judges sees who would have to wait."""
    Track.objects.all().delete()
    now = timezone.now()
    attendance.note({queue_of("char-tfidf"), queue_of("qwen3-embedding-8b")}, now=now)
    assert attendance.silent(["char-tfidf", "qwen3-embedding-8b"], now=now) == [
        "qwen3-embedding-8b"
    ]
    assert attendance.silent(["facts-baseline", "exact"], now=now) == ["facts-baseline", "exact"]
    attendance.note({GENERAL}, now=now)
    assert attendance.silent(["facts-baseline", "exact"], now=now) == []


def test_pairs_are_anybodys(track: Track) -> None:
    """No judge is asked about them."""
    Track.objects.update(judges=["exact"], protocol=Track.Protocol.PAIRS)
    now = timezone.now()
    attendance.note({GENERAL}, now=now)
    assert attendance.unattended(now=now) == []

"""The tests' second round: on what is there, saying what is not."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from infra import on_services
from tests.support import services


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The environments in which pytest would have run; no server is started."""
    seen: list[dict[str, str]] = []

    def run(command: list[str], *, env: dict[str, str], **_: Any) -> Any:
        assert command[-1] == "tests/x"
        seen.append(env)
        return subprocess.CompletedProcess(command, 0)

    def given(**variables: str) -> Any:
        @contextmanager
        def made(*_: Any) -> Iterator[dict[str, str]]:
            yield variables

        return made

    monkeypatch.delenv("CLIPRANK_INSIST", raising=False)
    monkeypatch.setattr(on_services.subprocess, "run", run)
    monkeypatch.setattr(on_services, "database", given(DATABASE_URL="postgres://there"))
    monkeypatch.setattr(on_services, "bucket", given(AWS_STORAGE_BUCKET_NAME="there"))
    monkeypatch.setattr(on_services, "broker", given(CELERY_BROKER_URL="redis://there"))
    return seen


@contextmanager
def _absent(*_: Any) -> Iterator[dict[str, str]]:
    services.absent("nobody answers")
    yield {}


def test_everything_is_named_in_the_environment(ran: list[Any], capsys: Any) -> None:
    """Of the tests' own process, and it is said what they run on."""
    assert on_services.main("redis", "tests/x") == 0
    assert ran[0]["DATABASE_URL"] == "postgres://there"
    assert ran[0]["AWS_STORAGE_BUCKET_NAME"] == "there"
    assert ran[0]["CELERY_BROKER_URL"] == "redis://there"
    assert "On PostgreSQL, S3, Redis: tests/x" in capsys.readouterr().out


def test_what_is_absent_is_said(
    ran: list[Any], capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest runs, unless it has run already."""
    monkeypatch.setattr(on_services, "broker", _absent)
    assert on_services.main("redis", "tests/x") == 0
    assert len(ran) == 1
    said = capsys.readouterr().out
    assert "Without Redis: nobody answers" in said
    assert "On PostgreSQL, S3: tests/x" in said
    assert on_services.main("rabbitmq", "tests/x") == 0
    assert len(ran) == 1
    assert "Not run again" in capsys.readouterr().out


def test_with_everything_asked_for_an_absent_one_fails(
    ran: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make test-all`."""
    monkeypatch.setenv("CLIPRANK_INSIST", "1")
    monkeypatch.setattr(on_services, "bucket", _absent)
    assert on_services.main("redis", "tests/x") == 1
    assert ran == []


def test_a_site_of_ones_own_is_embedded_unless_services_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is shared with the site that the environment is of."""
    for name in ("DATABASE_URL", "CELERY_BROKER_URL"):
        monkeypatch.delenv(name, raising=False)
    with services.of_ones_own(tmp_path) as one, services.of_ones_own(tmp_path) as other:
        assert one["DATABASE_URL"] == f"sqlite:///{tmp_path}/db.sqlite3"
        assert one["CELERY_BROKER_URL"] == "filesystem://"
        assert one["QUEUE_PREFIX"] != other["QUEUE_PREFIX"]
        assert one["AWS_LOCATION"] != other["AWS_LOCATION"]

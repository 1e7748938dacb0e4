"""A worker checks its judges before it takes work, and only its own."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from celery.concurrency import get_implementation
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError

from leaderboard import worker
from leaderboard.celery import queue_of
from leaderboard.models import Track
from leaderboard.operations import configuration
from leaderboard.pipeline import judges


def _worker(pool: str, *serves: str) -> Any:
    """One that takes the general queue and those of these judges."""
    queues = [settings.CELERY_TASK_DEFAULT_QUEUE, *map(queue_of, serves)]
    amqp = SimpleNamespace(queues=SimpleNamespace(consume_from=dict.fromkeys(queues)))
    return SimpleNamespace(pool_cls=get_implementation(pool), app=SimpleNamespace(amqp=amqp))


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch, track: Track) -> list[str]:
    """Names of the judges that were loaded and checked."""
    names: list[str] = []
    track.judges = ["char-tfidf", "all-minilm-l6-v2", "qwen3-embedding-8b"]
    track.save()
    monkeypatch.setattr(judges, "ready_judge", names.append)
    monkeypatch.setattr(worker.connections, "close_all", lambda: None)
    return names


def test_the_judges_of_its_queues_whose_weights_are_here(checked: list[str]) -> None:
    """The 8B judge is on the track, and not on this machine."""
    serves = ("all-minilm-l6-v2", "char-tfidf", "qwen3-embedding-8b")
    worker.check_judges(_worker("solo", *serves))
    assert checked == ["all-minilm-l6-v2", "char-tfidf"]


def test_not_those_of_others(checked: list[str]) -> None:
    """One host, one judge."""
    worker.check_judges(_worker("solo", "char-tfidf"))
    assert checked == ["char-tfidf"]


def test_wq_03_no_weights_are_loaded_before_a_fork(
    checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library that has started threads does not survive a fork: each child loads its own."""
    monkeypatch.setattr(worker, "_for_children", [])
    worker.check_judges(_worker("prefork", "char-tfidf"))
    assert checked == []
    worker.warm_child()
    assert checked == ["char-tfidf"]


@pytest.mark.parametrize(
    ("broker", "waits", "named"),
    [
        ("amqp://rabbitmq//", 1800, True),
        ("amqps://rabbitmq//", 20_000, False),
        ("redis://localhost", 1800, False),
    ],
)
def test_a_rabbitmq_that_does_not_wait_for_the_longest_run_is_named(
    checked: list[str],
    settings: Any,
    caplog: pytest.LogCaptureFixture,
    broker: str,
    waits: int,
    named: bool,
) -> None:
    """At the start of every worker, which starts, and by the doctor; with what to set."""
    settings.CELERY_BROKER_URL, settings.BROKER_VISIBILITY_SECONDS = broker, waits
    settings.RUN_HARD_SECONDS = 15_000
    with caplog.at_level("WARNING", "leaderboard.worker"):
        worker.check_judges(_worker("threads", "char-tfidf"))
    assert checked == ["char-tfidf"]
    said = [record.getMessage() for record in caplog.records]
    assert bool(said) == named
    assert all("consumer_timeout = 15600000" in one for one in said)
    assert all("BROKER_VISIBILITY_SECONDS=15600" in one for one in said)
    assert ("broker-impatient" in {one.code for one in configuration.findings()}) == named


def test_a_worker_whose_judge_hangs_starts_anew_in_its_place(
    checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where one judge stops all: with the command that it was started with."""
    monkeypatch.setattr(worker.claim.Heartbeat, "when_hung", None)
    worker.check_judges(_worker("threads"))
    assert worker.claim.Heartbeat.when_hung is None
    worker.check_judges(_worker("solo"))
    assert worker.claim.Heartbeat.when_hung is worker.start_anew
    ran: list[Any] = []
    monkeypatch.setattr(worker.os, "execv", lambda *command: ran.append(command))
    worker.start_anew()
    assert ran == [(sys.executable, [sys.executable, *sys.orig_argv[1:]])]


def test_a_drifted_judge_does_not_stop_the_worker(
    checked: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged; the other judges work, and its own runs fail with the reason."""

    def ready(name: str) -> None:
        if name == "all-minilm-l6-v2":
            raise judges.JudgeNotReady(judges.ScoringError("it has drifted"))
        checked.append(name)

    monkeypatch.setattr(judges, "ready_judge", ready)
    with caplog.at_level(logging.ERROR):
        worker.check_judges(_worker("solo", "all-minilm-l6-v2", "char-tfidf"))
    assert checked == ["char-tfidf"]
    assert "it has drifted" in caplog.text


def test_a_sweep_that_fails_is_not_the_last(
    monkeypatch: pytest.MonkeyPatch, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """A database or broker that is away comes back; the beat notes no judges, having none."""
    settings.SWEEP_SECONDS = 0
    over = threading.Event()
    swept: list[int] = []

    def sweep() -> None:
        swept.append(len(swept))
        if len(swept) == 1:
            raise OperationalError("the database system is starting up")
        over.set()

    monkeypatch.setattr(worker.tasks, "sweep", sweep)
    monkeypatch.setattr(worker.connections, "close_all", lambda: None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(threading, "Event", lambda: over)
    call_command("sweep", beat=True)
    assert swept == [0, 1]
    assert "the sweep failed" in caplog.text

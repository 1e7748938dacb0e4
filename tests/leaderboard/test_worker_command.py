"""`cliprank-worker` serves what it is told to, in the pool that fits, or does not start."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings as site
from typer.testing import CliRunner

from leaderboard import worker_command
from leaderboard.celery import app as celery
from leaderboard.celery import queue_of
from leaderboard.pipeline import judges
from scoring.judges.base import JudgeDrifted

GENERAL = site.CELERY_TASK_DEFAULT_QUEUE


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Judges that were loaded and checked."""
    names: list[str] = []
    monkeypatch.setattr(judges, "make_ready", names.append)
    return names


class Started(dict[str, Any]):
    """What Celery made of its options, in place of a worker."""

    exitcode = 0

    def start(self) -> None:
        """Nothing is."""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Workers as Celery's own command line would start them."""
    made: list[dict[str, Any]] = []

    def worker(**options: Any) -> Started:
        made.append(Started(options))
        return made[-1]  # type: ignore[return-value]

    monkeypatch.setattr(celery, "Worker", worker, raising=False)
    monkeypatch.setitem(celery.conf, "worker_pool", "solo")  # put back afterwards
    return made


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(worker_command.app, arguments)


def _pool(started: dict[str, Any]) -> str:
    return str(started["pool"].__module__).rpartition(".")[2]


def test_all_judges_when_none_is_named(started: list[dict[str, Any]], ready: list[str]) -> None:
    """One process that holds each once."""
    assert _run().exit_code == 0
    (made,) = started
    assert (_pool(made), made["queues"]) == ("solo", None)
    assert ready == []


def test_a_worker_holds_one_message_for_each_run_it_can_do() -> None:
    """And lets go of it when the run is over: what it has not begun, another one takes."""
    assert celery.conf.worker_prefetch_multiplier == 1
    assert celery.conf.task_acks_late
    assert celery.conf.task_reject_on_worker_lost


def test_a_judge_with_weights_is_loaded_before_work_is_taken(
    started: list[dict[str, Any]], ready: list[str]
) -> None:
    """By its alias too; it takes its own queue and, if told so, the general one."""
    assert _run("--judge", "all-minilm-l6-v2", "--cpu", "--name", "w@%h").exit_code == 0
    (made,) = started
    assert ready == ["all-minilm-l6-v2"]
    assert _pool(made) == "solo"
    assert made["queues"] == [queue_of("all-minilm-l6-v2"), GENERAL]
    assert made["hostname"].startswith("w@")


def test_servers_take_threads_and_cpu_work_forks(
    started: list[dict[str, Any]], ready: list[str], settings: Any
) -> None:
    """A child that can no longer keep the limits of a run is ended by Celery, a little later."""
    settings.WORKER_MEMORY_MB = 400
    assert _run("--judge", "endpoint").exit_code == 0
    assert _run("--cpu", "--concurrency", "3").exit_code == 0
    threads, forks = started
    assert (_pool(threads), threads["concurrency"]) == ("thread", 8)
    assert (_pool(forks), forks["concurrency"]) == ("prefork", 3)
    assert forks["time_limit"] > settings.RUN_HARD_SECONDS
    assert forks["max_memory_per_child"] == 300 * 1024
    assert forks["queues"] == [GENERAL]


def test_a_rule_is_served_from_the_general_queue(
    started: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any worker may do it; nothing is checked in this process, which will fork."""
    monkeypatch.setattr(worker_command, "_check", lambda names, *, forks: None)
    assert _run("--judge", "keypoint-baseline").exit_code == 0
    (made,) = started
    assert (_pool(made), made["queues"]) == ("prefork", [GENERAL])


def test_an_unknown_judge_is_answered_with_the_nearest_names(started: list[dict[str, Any]]) -> None:
    """Nothing is started."""
    said = _run("--judge", "all-minilm")
    assert said.exit_code == 2
    assert "no judge 'all-minilm'. Did you mean all-minilm-l6-v2" in said.stderr
    assert "There are: all-minilm-l6-v2" in _run("--judge", "???").stderr
    assert started == []


def test_a_judge_that_is_not_as_the_catalogue_has_it_keeps_the_worker_from_starting(
    started: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is wrong is said in the words of whoever installs it, not of a submitter."""
    drifted = JudgeDrifted("its cosines are off by 0.2: install the pinned version")

    def ready(name: str) -> None:
        raise judges.JudgeNotReady(drifted) from drifted

    monkeypatch.setattr(judges, "make_ready", ready)
    said = _run("--judge", "all-minilm-l6-v2")
    assert said.exit_code == 1
    assert "all-minilm-l6-v2 cannot work here: its cosines are off by 0.2" in said.stderr
    assert "Your file" not in said.stderr
    assert started == []


def test_limits_that_contradict_each_other_keep_it_from_starting(
    started: list[dict[str, Any]], settings: Any
) -> None:
    """WQ-01: asserted at start."""
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": settings.RUN_HARD_SECONDS}
    said = _run("--cpu")
    assert said.exit_code == 2
    assert "BROKER_VISIBILITY_SECONDS" in said.stderr
    assert started == []


def test_a_judge_is_made_ready_by_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoder is compared with its golden similarities; a server without an address is none."""
    checked: list[str] = []
    monkeypatch.setattr(judges, "ready_judge", checked.append)
    for name in ("char-tfidf", "keypoint-baseline", "facts-baseline"):
        judges.make_ready(name)
    assert checked == ["char-tfidf"]
    with pytest.raises(judges.JudgeNotReady):
        judges.make_ready("endpoint")
    assert judges.own_name("char-tfidf") == "char-tfidf"
    assert set(judges.HEAVY) < set(judges.kinds().values())

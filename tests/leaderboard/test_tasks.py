"""Messages: where they go, what they lead to, and what a lost one costs."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from leaderboard import celery_app, tasks
from leaderboard.celery import queue_of
from leaderboard.models import Ranking, Run, Submission, Track
from scoring.judges import catalogue, chat_catalogue

Submit = Callable[..., Submission]


def test_there_is_a_queue_for_each_judge_of_the_catalogue() -> None:
    """A worker that is not told otherwise takes them all; each message reaches one queue."""
    celery_app.amqp  # noqa: B018 - configures the app
    # As configured: a message to any other queue adds that one to what the process knows.
    queues = {queue.name: queue for queue in celery_app.conf.task_queues}
    names = {queue_of(entry.name) for entry in catalogue.entries()}
    names |= {queue_of(entry.name) for entry in chat_catalogue.entries()}
    assert set(queues) == {settings.CELERY_TASK_DEFAULT_QUEUE} | names
    assert all(queue.routing_key == name for name, queue in queues.items())


@pytest.mark.django_db(transaction=True)
def test_a_run_is_sent_to_its_judges_queue(submit: Submit, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that hosts can subscribe to the judges whose weights they hold."""
    calls: list[dict[str, Any]] = []
    monkeypatch.setattr(
        tasks.score_run, "apply_async", lambda args, **more: calls.append({"args": args, **more})
    )
    runs = submit().runs.all()
    assert sorted((call["args"], call["queue"]) for call in calls) == sorted(
        ((run.pk,), queue_of(run.judge)) for run in runs
    )


@pytest.mark.django_db(transaction=True)
def test_from_runs_to_the_ranking(
    submit: Submit, judges: Any, sent: list[Any], track: Track
) -> None:
    """Each message leads to the next one; a message delivered twice leads nowhere."""
    submit()
    for task, key in (*sent, *sent):
        assert task == "score"
        tasks.score_run(key)
    assert sent[2:] == [("rank", track.pk)]
    tasks.rank_track(track.pk)
    assert [row["name"] for row in Ranking.objects.get().rows] == ["Model"]


@pytest.mark.django_db(transaction=True)
def test_the_sweep_finds_lost_runs_and_lost_rankings(
    submit: Submit, judges: Any, sent: list[Any], track: Track
) -> None:
    """From the command line as from a worker; when nothing is lost it sends nothing."""
    runs = list(submit().runs.all())
    sent.clear()
    call_command("sweep")
    assert sent == []
    Run.objects.update(queued_at=timezone.now() - timedelta(hours=1))
    call_command("sweep")
    assert sorted(sent) == sorted(("score", run.pk) for run in runs)
    for run in runs:
        tasks.score_run(run.pk)
    sent.clear()
    call_command("sweep")
    assert sent == [("rank", track.pk)]
    tasks.rank_track(track.pk)
    sent.clear()
    call_command("sweep")
    assert sent == []


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_is_logged_and_the_sweep_goes_on(
    submit: Submit, sent: list[Any], monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """A whole batch does not wait for it message by message."""
    submit()
    tried = []

    def down(args: Any, **_: Any) -> None:
        tried.append(args)
        raise ConnectionError("no broker")

    monkeypatch.setattr(tasks.score_run, "apply_async", down)
    Run.objects.update(queued_at=timezone.now() - timedelta(hours=1))
    with caplog.at_level(logging.ERROR):
        tasks.sweep()
    assert len(tried) == 1
    assert "no broker" in caplog.text

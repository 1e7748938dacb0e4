"""Runs are made once, and what falls silent is tried again, but not for ever."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from leaderboard import tasks
from leaderboard.models import Run, Submission, Track
from leaderboard.pipeline import claim, clock, dispatch

Submit = Callable[..., Submission]
pytestmark = pytest.mark.django_db


def _claimed(run: Run, *, attempts: int, ago: float) -> None:
    Run.objects.filter(pk=run.pk).update(
        state=Run.State.RUNNING,
        claim=uuid.uuid4(),
        attempts=attempts,
        heartbeat_at=timezone.now() - timedelta(seconds=ago),
    )


def test_a_run_for_each_judge_of_each_open_track(submit: Submit, track: Track) -> None:
    """Creating them again adds what is missing and touches nothing else."""
    submission = submit()
    assert {run.judge for run in submission.runs.all()} == {"left", "right"}
    submission.runs.filter(judge="left").update(state=Run.State.DONE)
    track.judges = ["left", "right", "third"]
    track.save()
    to_send = dispatch.create_runs(submission)
    assert {run.judge for run in to_send} == {"right", "third"}
    assert submission.runs.count() == 3


def test_a_closed_track_scores_nothing(submit: Submit, track: Track) -> None:
    """It shows reported results only."""
    Track.objects.create(
        release=track.release, slug="paper", name="Paper", judges=["x"], scores_uploads=False
    )
    assert not submit().runs.filter(track__slug="paper").exists()


def test_wq_05_a_silent_run_goes_back_to_the_queue_once(submit: Submit, settings: Any) -> None:
    """Also when two workers sweep: the second finds nothing to do."""
    silent, living = submit().runs.order_by("judge")
    _claimed(silent, attempts=1, ago=settings.RUN_SILENCE_SECONDS + 1)
    _claimed(living, attempts=1, ago=settings.RUN_SILENCE_SECONDS - 5)
    assert dispatch.due_runs(timezone.now()) == [silent]
    assert dispatch.due_runs(timezone.now()) == []
    silent.refresh_from_db()
    living.refresh_from_db()
    assert (silent.state, silent.claim) == (Run.State.QUEUED, None)
    assert living.state == Run.State.RUNNING


def test_wq_02_a_run_that_kills_its_worker_fails_after_its_attempts(
    submit: Submit, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """It says so, to the site's operator once too, and can be retried with all its attempts."""
    poison, other = submit().runs.order_by("judge")
    _claimed(poison, attempts=settings.RUN_MAX_ATTEMPTS, ago=settings.RUN_SILENCE_SECONDS + 1)
    assert dispatch.due_runs(timezone.now()) == []
    assert dispatch.due_runs(timezone.now()) == []
    errors = [one.message for one in caplog.records if one.levelname == "ERROR"]
    most = settings.RUN_MAX_ATTEMPTS
    assert errors == [f"run {poison.pk}: begun {most} times, its worker silent each time"]
    poison.refresh_from_db()
    assert poison.state == Run.State.FAILED
    assert poison.error_code == "worker-went-silent"
    assert f"{settings.RUN_MAX_ATTEMPTS} times" in poison.error
    assert poison.finished_at
    assert not dispatch.retry(other)
    assert dispatch.retry(poison)
    assert (poison.state, poison.attempts, poison.error) == (Run.State.QUEUED, 0, "")


def test_wq_04_a_run_whose_message_was_lost_is_sent_again(submit: Submit, settings: Any) -> None:
    """Once in a while, not with every sweep."""
    forgotten, fresh = submit().runs.order_by("judge")
    long_ago = timezone.now() - timedelta(seconds=settings.RUN_SILENCE_SECONDS + 1)
    Run.objects.filter(pk=forgotten.pk).update(queued_at=long_ago)
    assert dispatch.due_runs(timezone.now()) == [forgotten]
    assert dispatch.due_runs(timezone.now()) == []
    fresh.refresh_from_db()
    assert fresh.state == Run.State.QUEUED


def test_one_sweep_sends_so_many_messages_at_most(
    submit: Submit, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long backlog is not sent over and over; its oldest come first."""
    monkeypatch.setattr(dispatch, "SWEEP_AT_MOST", 3)
    for hours, name in enumerate(["A", "B"], start=1):
        submit(name).runs.update(queued_at=timezone.now() - timedelta(hours=hours))
    first, second = dispatch.due_runs(timezone.now()), dispatch.due_runs(timezone.now())
    assert [run.submission.system.name for run in first] == ["B", "B", "A"]
    assert [run.submission.system.name for run in second] == ["A"]


def test_claims_are_measured_by_the_clock_of_the_database(
    submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host whose own clock is two hours ahead takes no living run from its worker."""
    assert abs(clock.now() - timezone.now()) < timedelta(minutes=1)
    moment = clock.now()
    monkeypatch.setattr(timezone, "now", lambda: moment + timedelta(hours=2))
    monkeypatch.setattr(clock, "now", lambda: moment)
    first, second = submit().runs.order_by("judge")
    taken = claim.claim(first.pk, "w")
    assert taken is not None
    assert taken.heartbeat_at == moment
    monkeypatch.setattr(tasks, "send_runs", lambda runs, **_: sent.extend(runs))
    sent: list[Run] = []
    tasks.sweep()
    assert sent == []
    second.refresh_from_db()
    assert second.queued_at == moment

"""A cancelled run stops, scores nothing, stands on no board, and can be tried again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from leaderboard.models import Evidence, Run, ScoreVector, Submission, Track
from leaderboard.pipeline import claim, dispatch, rank, score
from scoring.types import Progress

Submit = Callable[..., Submission]
pytestmark = pytest.mark.django_db


def _said(run: Run) -> list[str]:
    run.refresh_from_db()
    return [sentence for _, sentence in run.log]


def _work_off(submission: Submission) -> None:
    for run in submission.runs.filter(state=Run.State.QUEUED):
        score.score_run(run.pk)


def _on_board(track: Track) -> dict[str, str]:
    ranking = rank.rank_track(track.pk)
    return {row["system"]: row["submission"] for row in ranking.rows} if ranking else {}


def test_queued_runs_are_cancelled_and_never_begun(submit: Submit, judges: Any) -> None:
    """Also when their message arrives later."""
    submission = submit()
    now = timezone.now()
    assert len(dispatch.cancel(submission, now=now)) == 2
    for run in submission.runs.all():
        assert (run.state, run.finished_at, run.error_code) == ("cancelled", now, "cancelled")
        assert score.score_run(run.pk) == score.Outcome()
    submission.refresh_from_db()
    assert submission.cancelled_at == now
    assert judges["left"].calls == 0
    assert dispatch.cancel(submission, now=now) == []


def test_a_running_run_stops_with_its_next_heartbeat(submit: Submit, judges: Any) -> None:
    """Its worker has lost the claim: nothing of its work is stored."""
    submission = submit()
    run = submission.runs.get(judge="left")

    def cancel(progress: Progress | None) -> None:
        dispatch.cancel(submission, now=timezone.now())
        assert progress
        progress(1, 2)
        pytest.fail("the worker went on")

    judges["left"].before = cancel
    assert score.score_run(run.pk) == score.Outcome()
    run.refresh_from_db()
    assert (run.state, run.claim) == (Run.State.CANCELLED, None)
    assert not ScoreVector.objects.exists()
    assert not Evidence.objects.exists()


def test_one_that_is_about_to_finish_stores_nothing_either(submit: Submit, judges: Any) -> None:
    """Cancelled between its last progress and its end."""
    submission = submit()
    judges["left"].before = lambda _: dispatch.cancel(submission, now=timezone.now()) and None
    judges["left"].encode = _without_progress(judges["left"])
    score.score_run(submission.runs.get(judge="left").pk)
    assert set(submission.runs.values_list("state", flat=True)) == {"cancelled"}
    assert not ScoreVector.objects.exists()


def _without_progress(judge: Any) -> Callable[..., Any]:
    encode = type(judge).encode
    return lambda texts, progress=None, **more: encode(judge, texts, None, **more)


def test_what_is_done_stays_done(submit: Submit, judges: Any) -> None:
    """Only what is open is cancelled; when nothing is open nothing is."""
    submission = submit()
    score.score_run(submission.runs.get(judge="left").pk)
    assert [run.judge for run in dispatch.cancel(submission, now=timezone.now())] == ["right"]
    assert submission.runs.get(judge="left").state == Run.State.DONE
    whole = submit("Whole")
    _work_off(whole)
    assert dispatch.cancel(whole, now=timezone.now()) == []
    whole.refresh_from_db()
    assert whole.cancelled_at is None


def test_a_half_cancelled_submission_stands_on_no_board(
    submit: Submit, judges: Any, track: Track
) -> None:
    """It neither gets a place without a judge nor takes that of the system's older submission."""
    older = submit("Model")
    _work_off(older)
    assert _on_board(track) == {"model": str(older.pk)}
    newer = submit("Model", {"c1": "Something else."})
    score.score_run(newer.runs.get(judge="left").pk)
    dispatch.cancel(newer, now=timezone.now())
    assert _on_board(track) == {"model": str(older.pk)}
    alone = submit("Alone")
    score.score_run(alone.runs.get(judge="left").pk)
    dispatch.cancel(alone, now=timezone.now())
    assert _on_board(track) == {"model": str(older.pk)}
    assert rank.stale_tracks() == []


def test_tried_again_a_cancelled_submission_counts(
    submit: Submit, judges: Any, track: Track
) -> None:
    """With all its attempts; only what was cancelled is done anew."""
    submission = submit()
    score.score_run(submission.runs.get(judge="left").pk)
    dispatch.cancel(submission, now=timezone.now())
    again = dispatch.retry_all(submission)
    assert [run.judge for run in again] == ["right"]
    submission.refresh_from_db()
    assert submission.cancelled_at is None
    _work_off(submission)
    assert judges["left"].calls == 1
    assert _on_board(track) == {"model": str(submission.pk)}
    assert dispatch.retry_all(submission) == []


def test_the_log_says_what_workers_did_and_no_more(
    submit: Submit, judges: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-02: neither the exception's text nor the host's name is in it."""
    settings.RUN_MAX_ATTEMPTS = 3
    monkeypatch.setattr(claim, "SECONDS_BETWEEN_WRITES", 0)
    run = submit().runs.get(judge="left")

    def broken(_: Progress | None) -> None:
        raise RuntimeError("A man walks into a bar.")

    judges["left"].before = broken
    score.score_run(run.pk, worker="celery@secret-host")
    judges["left"].before = lambda progress: [progress(n, 8) for n in range(1, 9)] and None  # type: ignore[misc]
    score.score_run(run.pk, worker="celery@secret-host")
    said = _said(run)
    mark = said[0].split("worker ")[1].split(",")[0]
    assert said == [
        f"Taken by worker {mark}, attempt 1 of 3.",
        "The attempt broke off with an internal error; another one follows in 5 s.",
        f"Taken by worker {mark}, attempt 2 of 3.",
        "The judge is ready and at work on 8 texts.",
        "2 of 8 texts done.",
        "4 of 8 texts done.",
        "6 of 8 texts done.",
        "8 of 8 texts done.",
        "Finished.",
    ]
    assert "secret" not in str(run.log)
    assert "bar" not in str(run.log)


def test_silence_and_giving_up_stand_in_the_log(submit: Submit, settings: Any) -> None:
    """WQ-05: within minutes it is queued again, at most so many times, then it failed and why."""
    assert settings.RUN_SILENCE_SECONDS <= 300
    assert settings.SWEEP_SECONDS <= 60
    run = submit().runs.get(judge="left")
    for attempt in range(1, settings.RUN_MAX_ATTEMPTS + 1):
        taken = claim.claim(run.pk, "w")
        assert taken is not None
        assert taken.attempts == attempt
        dispatch.due_runs(timezone.now() + timedelta(seconds=settings.RUN_SILENCE_SECONDS + 1))
    run.refresh_from_db()
    assert (run.state, run.error_code) == ("failed", "worker-went-silent")
    assert "costs no quota" in run.error
    said = _said(run)
    assert said.count("No sign of life from the worker; the run went back to the queue.") == 2
    assert said[-1].endswith("given up.")
    assert dispatch.retry(run)
    assert _said(run)[-1] == "Queued again."


def test_a_rescoring_waits_until_nothing_else_does(submit: Submit, judges: Any) -> None:
    """The sweep sends a run of low priority only while its judge is free; then one leads on."""
    low = submit("Old")
    low.runs.update(low_priority=True)
    other = submit("Older")
    other.runs.update(low_priority=True)
    new = submit("New").runs.get(judge="left")
    new.submission.runs.get(judge="right").delete()
    now = timezone.now()
    assert {run.judge for run in dispatch.due_runs(now)} == {"right"}
    first = low.runs.get(judge="left")
    assert score.score_run(first.pk) == score.Outcome()
    first.refresh_from_db()
    assert first.state == Run.State.QUEUED
    score.score_run(new.pk)
    assert first in dispatch.due_runs(now)
    outcome = score.score_run(first.pk)
    assert [run.pk for run in outcome.again] == [other.runs.get(judge="left").pk]
    long_after = now + timedelta(hours=1)
    due = dispatch.due_runs(long_after)
    assert sorted((run.submission.system.name, run.judge) for run in due) == [
        ("Old", "right"),
        ("Older", "left"),
    ]

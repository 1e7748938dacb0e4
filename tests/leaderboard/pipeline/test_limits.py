"""A limit never makes a score: the run has failed, says why, costs no quota, and can be retried."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.utils import timezone

from leaderboard.intake import quota
from leaderboard.models import Evidence, QuotaPolicy, Ranking, Run, ScoreVector, Submission, Track
from leaderboard.pipeline import claim, dispatch, limits, rank, score
from scoring.types import Progress

Submit = Callable[..., Submission]
pytestmark = pytest.mark.django_db


@pytest.fixture
def run(submit: Submit, judges: Any, track: Track) -> Run:
    """The only run of a submission, under a quota."""
    track.judges = ["left"]
    track.save()
    QuotaPolicy.objects.create(benchmark=track.release.benchmark, limit=3, at_once=1)
    return submit().runs.get()


def _failed_without_a_trace(run: Run, code: str, ann: User) -> None:
    run.refresh_from_db()
    assert (run.state, run.error_code) == (Run.State.FAILED, code)
    assert "costs no quota" in run.error
    assert not ScoreVector.objects.exists()
    assert not Evidence.objects.exists()
    assert rank.rank_track(run.track_id) is None
    assert not Ranking.objects.exists()
    allowed = quota.allowance(run.submission.release, ann)
    assert (allowed.used, allowed.running, allowed.refusal) == (0, 0, None)


def test_beyond_the_soft_limit_the_next_word_of_progress_ends_it(
    run: Run, judges: Any, settings: Any, ann: User
) -> None:
    """It is not tried again by itself: it would take as long."""

    def slow(progress: Progress | None) -> None:
        settings.RUN_SOFT_SECONDS = 1e-9
        assert progress
        progress(1, 2)
        pytest.fail("the judge went on")

    judges["left"].before = slow
    outcome = score.score_run(run.pk)
    assert (outcome.again, outcome.ended) == ((), (run.submission_id,))
    _failed_without_a_trace(run, "took-too-long", ann)
    assert dispatch.retry(run)
    settings.RUN_SOFT_SECONDS = 60
    judges["left"].before = lambda _: None
    score.score_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == (Run.State.DONE, "")


@pytest.mark.django_db(transaction=True)
def test_beyond_the_hard_limit_a_judge_that_says_nothing_is_given_up(
    run: Run, judges: Any, settings: Any, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By another thread; what the judge returns after all is dropped, and a worker that still hangs
    starts anew.
    """
    settings.RUN_HARD_SECONDS = 0.05
    monkeypatch.setattr(limits, "GRACE_SECONDS", 0.05)
    hung: list[bool] = []
    monkeypatch.setattr(claim.Heartbeat, "when_hung", lambda: hung.append(True))

    def hang(_: Progress | None) -> None:
        deadline = time.monotonic() + 20
        while not hung and time.monotonic() < deadline:
            time.sleep(0.01)

    judges["left"].before = hang
    assert score.score_run(run.pk) == score.Outcome()
    assert hung == [True]
    _failed_without_a_trace(run, "took-too-long", ann)


@pytest.mark.parametrize(
    "error",
    [MemoryError(), RuntimeError("CUDA out of memory."), RuntimeError("can't allocate memory")],
)
def test_out_of_memory_is_said_and_not_tried_again(
    run: Run, judges: Any, ann: User, error: Exception
) -> None:
    """Whoever's allocator says so."""

    def greedy(_: Progress | None) -> None:
        raise error

    judges["left"].before = greedy
    assert score.score_run(run.pk).again == ()
    _failed_without_a_trace(run, "out-of-memory", ann)


def test_a_cancelled_run_never_becomes_a_score(run: Run, judges: Any, ann: User) -> None:
    """Cancelled while the judge computes, which says nothing until it is through."""

    def cancel(_: Progress | None) -> None:
        dispatch.cancel(run.submission, now=timezone.now())

    judges["left"].before = cancel
    assert score.score_run(run.pk) == score.Outcome()
    run.refresh_from_db()
    assert run.state == Run.State.CANCELLED
    assert not ScoreVector.objects.exists()
    assert rank.rank_track(run.track_id) is None


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_for_a_moment_costs_no_run(
    run: Run, judges: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What was to be noted is not; the judge goes on, and its numbers are stored."""
    claimed = claim.claimed

    def away(_: Run) -> Any:
        monkeypatch.setattr(claim, "claimed", claimed)
        raise OperationalError("the database system is starting up")

    def interrupted(progress: Progress | None) -> None:
        assert progress
        monkeypatch.setattr(claim, "claimed", away)
        progress(1, 4)

    judges["left"].before = interrupted
    score.score_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.attempts) == (Run.State.DONE, 1)
    assert "nothing noted" in caplog.text


def test_numbers_stand_when_scoring_them_again_takes_too_long(
    run: Run, judges: Any, settings: Any
) -> None:
    """Nor do they carry an error."""
    score.score_run(run.pk)
    run.refresh_from_db()
    before = {v.metric: bytes(v.data) for v in run.vectors.all()}
    assert dispatch.score_again(run)
    settings.RUN_SOFT_SECONDS = 0
    score.score_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.stands, run.error_code, run.error) == (Run.State.DONE, False, "", "")
    assert {v.metric: bytes(v.data) for v in run.vectors.all()} == before


def test_the_limit_of_memory_is_one_of_data(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Address space is reserved far beyond what is used; none is set unless asked for."""
    set_to: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(limits.resource, "setrlimit", lambda *what: set_to.append(what))
    limits.limit_memory()
    settings.WORKER_MEMORY_MB = 100
    limits.limit_memory()
    assert set_to == [(resource.RLIMIT_DATA, (104_857_600, resource.RLIM_INFINITY))]


@pytest.mark.parametrize(
    ("soft", "hard", "visibility", "named"),
    [
        (10, 20, 21, ""),
        (10, 20, None, ""),
        (10, 20, 20, "BROKER_VISIBILITY_SECONDS is 20"),
        (30, 20, 100, "RUN_SOFT_SECONDS is 30"),
        (0, 20, 100, "RUN_SOFT_SECONDS is 0"),
    ],
)
def test_wq_01_the_visibility_timeout_is_longer_than_the_hard_limit(
    settings: Any, soft: int, hard: int, visibility: int | None, named: str
) -> None:
    """Else a worker does not start, and says which setting to mend."""
    from leaderboard import worker  # noqa: PLC0415

    settings.RUN_SOFT_SECONDS, settings.RUN_HARD_SECONDS = soft, hard
    options = {} if visibility is None else {"visibility_timeout": visibility}
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = options
    assert limits.contradiction().startswith(named)
    assert bool(limits.contradiction()) == bool(named)
    if named:
        with pytest.raises(SystemExit, match=named):
            worker.check_judges(SimpleNamespace())

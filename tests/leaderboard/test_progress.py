"""Places in the queue and time left: what can be told, and nothing where nothing can."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from leaderboard.models import Run, Submission
from leaderboard.tables import progress

Submit = Callable[..., Submission]
pytestmark = pytest.mark.django_db
NOW = timezone.now()


def _runs(*submissions: Submission) -> list[Run]:
    return [s.runs.select_related("track").get(judge="left") for s in submissions]


def _done(submission: Submission, seconds: float, ago: float = 60) -> None:
    end = NOW - timedelta(seconds=ago)
    submission.runs.update(
        state="done", started_at=end - timedelta(seconds=seconds), finished_at=end
    )


def test_the_place_in_the_queue_of_the_judge(submit: Submit) -> None:
    """By the time of queueing; what is sent again keeps its place."""
    made = [submit(name) for name in "ABC"]
    first, second, third = _runs(*made)
    Run.objects.filter(pk=first.pk).update(sent_at=NOW + timedelta(hours=1))
    Run.objects.filter(pk=third.pk).update(queued_at=first.queued_at - timedelta(minutes=1))
    found = progress.waiting(_runs(*made), now=NOW)
    assert [found[run.pk].place for run in (first, second, third)] == [2, 3, 1]


def test_runs_of_low_priority_come_after_all_others(submit: Submit) -> None:
    """However long they have waited; among themselves the oldest is first."""
    made = [submit(name) for name in "ABC"]
    for submission in made[:2]:
        submission.runs.update(low_priority=True)
    found = progress.waiting(_runs(*made), now=NOW)
    assert [found[run.pk].place for run in _runs(*made)] == [2, 3, 1]


def test_nothing_is_estimated_from_nothing(submit: Submit) -> None:
    """No run of the judge has ended, and no worker is at it: nobody can tell."""
    run, other = _runs(submit("A"), submit("B"))
    found = progress.waiting([run, other], now=NOW)
    assert (found[run.pk].seconds, found[run.pk].attended) == (None, False)
    run.state, run.started_at = Run.State.RUNNING, NOW
    run.save()
    found = progress.waiting([run, other], now=NOW)
    assert found[run.pk] == progress.Waiting(None, None, attended=True)
    assert (found[other.pk].seconds, found[other.pk].attended) == (None, True)


def test_a_run_is_estimated_from_its_own_pace(submit: Submit) -> None:
    """A quarter done in ten seconds: thirty to go. Too early to tell is too early."""
    run = submit().runs.select_related("track").get(judge="left")
    run.state, run.done, run.total = Run.State.RUNNING, 25, 100
    run.started_at = NOW - timedelta(seconds=10)
    assert progress.remaining(run, None, NOW) == pytest.approx(30)
    run.started_at = NOW - timedelta(seconds=1)
    assert progress.remaining(run, None, NOW) is None
    assert progress.remaining(run, 21, NOW) == pytest.approx(20)
    run.done, run.started_at = 0, NOW - timedelta(seconds=100)
    assert progress.remaining(run, 50, NOW) is None


def test_a_waiting_run_is_estimated_from_those_before_it(submit: Submit) -> None:
    """The median of what the judge took lately, once for each turn until its own is over."""
    for name, seconds in zip("ABC", (10, 20, 600), strict=True):
        _done(submit(name), seconds)
    before, run = submit("D"), submit("E")
    mine = _runs(run)[0]
    assert progress.waiting([mine], now=NOW)[mine.pk].seconds == pytest.approx(40)
    before.runs.update(state="running", started_at=NOW)
    assert progress.waiting([mine], now=NOW)[mine.pk].seconds == pytest.approx(40)
    later = NOW + timedelta(hours=1)
    before.runs.update(state="cancelled")
    waits = progress.waiting([mine], now=later)[mine.pk]
    assert (waits.seconds, waits.attended) == (None, False)


def test_the_queries_do_not_grow_with_the_queue(
    submit: Submit, django_assert_num_queries: Any
) -> None:
    """Pages ask every second."""
    made = [submit(name) for name in "ABCDEF"]
    few, many = _all(made[:1]), _all(made)
    for runs in (few, many):
        with django_assert_num_queries(3):
            progress.waiting(runs, now=NOW)
    made[0].runs.update(state="done")
    over = _all(made[:1])
    with django_assert_num_queries(0):
        progress.waiting(over, now=NOW)


def _all(made: list[Submission]) -> list[Run]:
    return list(Run.objects.filter(submission__in=made).select_related("track"))

"""What is asked for many submissions is done by workers, one by one, once, and to its end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard import tasks
from leaderboard.celery import app
from leaderboard.curation import corrections, panels, rescoring, stepping
from leaderboard.curation import tasks as curation_tasks
from leaderboard.curation.refusals import Refused
from leaderboard.models import Batch, Release, Run, Submission, Track
from leaderboard.pipeline import dispatch

Submit = Callable[..., Submission]


@pytest.fixture
def lacking(track: Track, cora: User, submit: Submit, sent: list[tuple[str, Any]]) -> Batch:
    """Three submissions without their runs, and the wish to have them."""
    for name in ("One", "Two", "Three"):
        submit(name)
    Run.objects.all().delete()
    sent.clear()
    return panels.queue_lacking(track=track, actor=cora)


def test_a_worker_is_told_after_the_commit(
    track: Track,
    cora: User,
    submit: Submit,
    sent: list[tuple[str, Any]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    """By the name under which workers know the task; with nothing to do nobody is told."""
    submit("One")
    Run.objects.all().delete()
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        batch = panels.queue_lacking(track=track, actor=cora)
    assert sent == [("batch", batch.pk)]
    app.loader.import_default_modules()
    assert tasks.WORK_BATCH in app.tasks
    stepping.work_off(batch)
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        assert panels.queue_lacking(track=track, actor=cora).finished_at
    assert sent == []


def test_other_work_gets_its_turn(
    lacking: Batch,
    sent: Any,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    """A message does some, and sends the next one; each judge is told of its oldest run."""
    monkeypatch.setattr(stepping, "AT_ONCE", 2)
    with django_capture_on_commit_callbacks(execute=True):
        curation_tasks.work_batch(lacking.pk)
    lacking.refresh_from_db()
    assert (lacking.done, lacking.runs, lacking.finished_at) == (2, 4, None)
    assert [kind for kind, _ in sent] == ["score", "score", "batch"]
    with django_capture_on_commit_callbacks(execute=True):
        curation_tasks.work_batch(lacking.pk)
    lacking.refresh_from_db()
    assert (lacking.done, lacking.runs) == (3, 6)
    assert lacking.finished_at
    assert Run.objects.filter(low_priority=True).count() == 6
    curation_tasks.work_batch(lacking.pk)  # delivered once more
    assert Run.objects.count() == 6


def test_a_lost_message_is_sent_again(lacking: Batch, settings: Any) -> None:
    """Once it has been silent for long enough, by one sweep of several."""
    now = timezone.now()
    assert dispatch.due_batches(now) == []
    later = now + timedelta(seconds=settings.RUN_SILENCE_SECONDS + 1)
    assert dispatch.due_batches(later) == [lacking.pk]
    assert dispatch.due_batches(later) == []
    stepping.work_off(lacking)
    assert dispatch.due_batches(later + timedelta(days=1)) == []


def test_two_workers_do_not_do_the_same(lacking: Batch, settings: Any) -> None:
    """Who has claimed it goes on; whoever was silent for too long has lost it."""
    Batch.objects.update(claim=uuid4())
    assert not stepping.step(lacking.pk)
    assert not Run.objects.exists()
    long_ago = timezone.now() - timedelta(seconds=settings.RUN_SILENCE_SECONDS + 1)
    Batch.objects.update(heard_at=long_ago)
    assert stepping.work_off(lacking).finished_at
    assert Run.objects.count() == 6


def test_a_claim_that_is_lost_ends_the_work(
    lacking: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker has it: the first one stops and writes nothing over what that one has done."""
    work = dict(stepping.WORK)

    def slow(batch: Batch, one: Submission) -> int:
        Batch.objects.update(claim=uuid4())
        return work[batch.kind](batch, one)

    monkeypatch.setattr(stepping, "WORK", dict.fromkeys(work, slow))
    assert not stepping.step(lacking.pk)
    lacking.refresh_from_db()
    assert (lacking.done, Run.objects.count()) == (0, 2)


def test_one_that_breaks_does_not_stop_the_others(
    lacking: Batch, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is named with an id that the log has, and nothing of the exception."""
    work = dict(stepping.WORK)

    def breaks(batch: Batch, one: Submission) -> int:
        if one.system.name == "Two":
            raise RuntimeError("the references say: A man walks")
        return work[batch.kind](batch, one)

    monkeypatch.setattr(stepping, "WORK", dict.fromkeys(work, breaks))
    done = stepping.work_off(lacking)
    (refused,) = done.refused
    assert refused["system"] == "Two"
    assert "A man walks" not in str(refused)
    assert refused["reasons"][0].split("error ")[1].split(")")[0] in caplog.text
    assert (done.done, done.runs, Run.objects.count()) == (3, 4, 4)


def test_the_same_is_not_begun_twice(lacking: Batch, track: Track, cora: User) -> None:
    """Until it is over."""
    with pytest.raises(Refused, match="0 of 3"):
        panels.queue_lacking(track=track, actor=cora)
    stepping.work_off(lacking)
    assert panels.queue_lacking(track=track, actor=cora).total == 0


def test_copies_look_at_each_other_once_all_are_there(
    release: Release, cora: User, ann: User, ben: User, submit: Submit
) -> None:
    """Whose text was there first is that of the first release, also on the next one."""
    first = submit("First")
    later = submit("Later", user=ben)
    Submission.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(days=2))
    Submission.objects.filter(pk=later.pk).update(created_at=timezone.now() - timedelta(days=1))
    new = corrections.correct(release=release, version="1.1", notes="", actor=cora)
    new.published_at = timezone.now()
    new.save(update_fields=["published_at"])
    stepping.work_off(rescoring.rescore(old=release, new=new, actor=cora))
    flagged = {
        one.system.name: [f["code"] for f in one.diagnostics["flags"] if "others" in f]
        for one in new.submissions.select_related("system")
    }
    assert flagged == {"First": [], "Later": ["copy-of-submission"]}


def test_what_went_meanwhile_is_left_out(lacking: Batch) -> None:
    """A submission that its owner has deleted with the account."""
    Submission.objects.filter(system__name="Two").delete()
    done = stepping.work_off(lacking)
    assert (done.done, done.runs, done.refused) == (3, 4, [])

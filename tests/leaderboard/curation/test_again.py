"""Scoring again where a run is: the board keeps its numbers until the new ones are there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from leaderboard.curation import again
from leaderboard.curation.refusals import Refused
from leaderboard.curation.stepping import work_off
from leaderboard.models import AuditEntry, Batch, Notice, Ranking, Run, Submission, Track
from leaderboard.pipeline import dispatch
from leaderboard.pipeline.entries import entries_of
from leaderboard.pipeline.rank import rank_track, stale_tracks
from leaderboard.pipeline.score import score_run
from scoring.types import ScoringError

Submit = Callable[..., Submission]


class TooBadError(ScoringError):
    """What a judge says that cannot."""

    code = "too-bad"


def score_all() -> None:
    """What workers do."""
    for key in Run.objects.filter(state=Run.State.QUEUED).values_list("pk", flat=True):
        score_run(key)


@pytest.fixture
def one(submit: Submit, track: Track, judges: Any) -> Submission:
    """On the board."""
    made = submit("One", {"c1": "A man walks."})
    score_all()
    rank_track(track.pk)
    return made


def values(submission: Submission) -> dict[str, bytes]:
    """What a judge gave each clip."""
    runs = submission.runs.filter(judge="left")
    return {v.metric: bytes(v.data) for run in runs for v in run.vectors.all()}


def test_it_stays_on_the_board_meanwhile(
    one: Submission, track: Track, cora: User, judges: Any
) -> None:
    """Queued, running, and between its judges: the entry and its numbers are there."""
    before, (entry,) = values(one), entries_of(track)
    assert work_off(again.score_again(track=track, actor=cora)).runs == 2
    assert set(one.runs.values_list("state", "low_priority")) == {("queued", True)}
    assert entries_of(track) == [entry]
    assert stale_tracks() == []
    seen = []

    def look(_: Any) -> None:
        seen.append((values(one) == before, entries_of(track) == [entry]))

    judges["left"].before = look
    score_run(one.runs.get(judge="left").pk)
    assert seen
    assert all(map(all, seen))


def test_new_numbers_replace_old_ones_and_make_a_new_ranking(
    one: Submission, track: Track, cora: User, judges: Any
) -> None:
    """Even when every signature is the same."""
    first = rank_track(track.pk)
    judges["left"].encode = judges["right"].encode = _reversed(judges["left"].encode)
    work_off(again.score_again(track=track, actor=cora, reason="The judge was broken."))
    score_all()
    second = rank_track(track.pk)
    assert first is not None
    assert second is not None
    assert list(Ranking.objects.order_by("pk")) == [first, second]
    assert first.rows[0]["mean"] != second.rows[0]["mean"]
    assert second.inputs["entries"][0]["revisions"] == {"left": 1, "right": 1}
    assert not Run.objects.filter(stands=True).exists()
    written = AuditEntry.objects.get(action="track.score-again")
    assert written.after == {"runs": 2, "submissions": [str(one.pk)]}
    assert written.reason == "The judge was broken."
    assert Notice.objects.count() == 0


def _reversed(encode: Any) -> Any:
    def made(texts: Any, *args: Any, **more: Any) -> Any:
        return encode([text[: len(text) // 2] for text in texts], *args, **more)

    return made


def test_a_failed_rescoring_leaves_what_was_there(
    one: Submission, track: Track, cora: User, judges: Any
) -> None:
    """Neither a judge's fault, nor a silent worker, nor a cancel costs the old numbers."""
    before, (entry,) = values(one), entries_of(track)

    def fail(_: Any) -> None:
        raise TooBadError("No.")

    judges["left"].before = judges["right"].before = fail
    work_off(again.score_again(track=track, actor=cora))
    score_all()
    assert set(one.runs.values_list("state", "stands", "error")) == {("done", False, "")}
    assert (values(one), entries_of(track)) == (before, [entry])
    work_off(again.score_again(track=track, actor=cora))
    one.refresh_from_db()
    assert dispatch.cancel(one, now=one.created_at) == []
    one.refresh_from_db()
    assert (one.cancelled_at, set(one.runs.values_list("state", flat=True))) == (None, {"done"})
    assert (values(one), entries_of(track)) == (before, [entry])


def test_a_silent_worker_leaves_what_was_there(
    one: Submission, track: Track, cora: User, settings: Any
) -> None:
    """Given up after so many tries."""
    (entry,) = entries_of(track)
    work_off(again.score_again(track=track, actor=cora))
    one.runs.update(
        state="running", attempts=settings.RUN_MAX_ATTEMPTS, heartbeat_at=one.created_at
    )
    dispatch.due_runs(one.created_at + timedelta(days=1))
    assert set(one.runs.values_list("state", "stands")) == {("done", False)}
    assert entries_of(track) == [entry]


def test_one_many_or_all(one: Submission, track: Track, cora: User, submit: Submit) -> None:
    """A plan says what would run; what was taken back is left, what failed is tried."""
    two = submit("Two")
    three = submit("Three")
    score_all()
    Submission.objects.filter(pk=three.pk).update(withdrawn_at=three.created_at)
    two.runs.filter(judge="left").update(state="failed")
    assert again.plan(track).cost.runs == 4
    assert again.plan(track, [two.pk]).submissions == [str(two.pk)]
    assert again.plan(track, [three.pk]).runs == ()
    assert work_off(again.score_again(track=track, actor=cora, submissions=[two.pk])).runs == 2
    assert dict(two.runs.values_list("judge", "stands")) == {"left": False, "right": True}
    assert again.plan(track).cost.runs == 2
    assert again.score_again(track=track, actor=cora, submissions=[two.pk]).total == 0
    track.scores_uploads = False
    with pytest.raises(Refused):
        again.score_again(track=track, actor=cora)


def test_the_page_previews_and_queues(
    one: Submission, track: Track, cora: User, submit: Submit, client: Client
) -> None:
    """Private ones are not listed; they count among all."""
    submit("Secret", visibility="private")
    score_all()
    client.force_login(cora)
    address = reverse("curate-again", args=["small", "1.0", "main"])
    page = client.get(address).content.decode()
    assert "One" in page
    assert "Secret" not in page
    chosen = client.get(address, {"submission": str(one.pk)})
    assert chosen.context["plan"].cost.runs == 2
    assert client.get(address, {"everything": "on"}).context["plan"].cost.runs == 4
    client.post(address, {"submission": str(one.pk), "reason": "Mended."})
    work_off(Batch.objects.get())
    assert Run.objects.filter(stands=True).count() == 2
    assert client.post(address, {}).status_code == 422
    assert client.get(address, {"submission": "x"}).status_code == 200


def test_what_became_of_its_numbers_is_written_down(
    one: Submission, track: Track, cora: User, judges: Any
) -> None:
    """Before and after, of each judge; the first score of an upload changes nothing."""
    entries = AuditEntry.objects.filter(action="submission.scored-again")
    assert not entries.exists()
    one.runs.get(judge="left").vectors.filter(metric="coarse").update(mean=0.25)
    work_off(again.score_again(track=track, actor=cora))
    score_all()
    changed = {entry.before["judge"]: entry for entry in entries}
    assert set(changed) == {"left", "right"}
    assert changed["left"].before["coarse"] == 0.25
    mean = one.runs.get(judge="left").vectors.get(metric="coarse").mean
    assert changed["left"].after["coarse"] == mean != 0.25
    assert (changed["left"].target_id, changed["left"].actor) == (str(one.pk), "the site")

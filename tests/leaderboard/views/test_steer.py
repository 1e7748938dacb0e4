"""Cancelling and trying again on the page and by the API: one's own, and nobody else's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from leaderboard.models import (
    ApiToken,
    AuditEntry,
    Membership,
    Notice,
    QuotaPolicy,
    Run,
    Submission,
    Team,
)
from leaderboard.pipeline import dispatch
from leaderboard.pipeline.score import score_run
from scoring.types import Progress, ScoringError

Submit = Callable[..., Submission]


def _states(submission: Submission) -> list[str]:
    return list(submission.runs.order_by("judge").values_list("state", flat=True))


def _token(user: User) -> dict[str, Any]:
    _, secret = ApiToken.objects.issue(user=user, name="t")
    return {"headers": {"authorization": f"Bearer {secret}"}}


def _post(client: Client, submission: Submission, verb: str) -> Any:
    return client.post(f"{submission.get_absolute_url()}{verb}/")


def test_cancel_and_try_again_on_the_page(
    as_ann: Client,
    submit: Submit,
    sent: list[Any],
    text: Callable[[Any], str],
    ann: User,
    django_capture_on_commit_callbacks: Any,
) -> None:
    """Each button is there when there is something to do, and what was done is on record."""
    submission = submit()
    address = submission.get_absolute_url()
    said = text(as_ann.get(address))
    assert "Cancel scoring" in said
    assert "Try again" not in said
    assert _post(as_ann, submission, "cancel")["Location"] == address
    assert _states(submission) == ["cancelled", "cancelled"]
    said = text(as_ann.get(address))
    assert "Cancelled: 2 judges." in said
    assert "Cancel scoring" not in said
    assert "Try again: 2 judges without a score" in said
    with django_capture_on_commit_callbacks(execute=True):
        _post(as_ann, submission, "retry")
    assert _states(submission) == ["queued", "queued"]
    assert sorted(sent) == sorted(("score", run.pk) for run in submission.runs.all())
    entries = (
        AuditEntry.objects.exclude(action="submission.create")
        .order_by("pk")
        .values_list("action", "user")
    )
    assert list(entries) == [("submission.cancel", ann.pk), ("submission.retry", ann.pk)]


def test_nothing_to_cancel_and_nothing_to_try_again(
    as_ann: Client, submit: Submit, work_off: Callable[[], None], text: Callable[[Any], str]
) -> None:
    """It is said, and nothing changes."""
    submission = submit()
    work_off()
    _post(as_ann, submission, "cancel")
    assert "nothing was cancelled" in text(as_ann.get(submission.get_absolute_url()))
    _post(as_ann, submission, "retry")
    said = text(as_ann.get(submission.get_absolute_url()))
    assert "nothing to try again" in said
    assert _states(submission) == ["done", "done"]
    assert not AuditEntry.objects.exclude(action="submission.create").exists()


@pytest.mark.parametrize("who", ["nobody", "ben", "ann", "member", "invited", "staff"])
def test_who_may(client: Client, submit: Submit, ben: User, ann: User, who: str) -> None:
    """Its people and staff; a public one of somebody else is 404 to touch."""
    submission = submit()
    team = Team.objects.create(slug="t", name="T")
    Submission.objects.filter(pk=submission.pk).update(team=team)
    joined = timezone.now() if who == "member" else None
    if who in {"member", "invited"}:
        Membership.objects.create(team=team, user=ben, joined_at=joined)
    if who == "staff":
        User.objects.filter(pk=ben.pk).update(is_staff=True)
        ben.refresh_from_db()
    user = {"nobody": None, "ann": ann}.get(who, ben)
    if user:
        client.force_login(user)
    expected = {"nobody": 302, "ben": 404, "invited": 404}.get(who, 302)
    answer = _post(client, submission, "cancel")
    assert answer.status_code == expected
    done = who in {"ann", "member", "staff"}
    assert set(_states(submission)) == ({"cancelled"} if done else {"queued"})
    assert Notice.objects.filter(user=ann).count() == (who in {"member", "staff"})
    if user:
        api = client.post(f"/api/v1/submissions/{submission.pk}/retry", **_token(user))
        assert api.status_code == (200 if done else 404)
    assert client.post(f"/api/v1/submissions/{submission.pk}/cancel").status_code == 401


def test_the_api_cancels_and_tries_again(client: Client, submit: Submit, ann: User) -> None:
    """It answers with the submission as it then is; 409 when there is nothing to do."""
    submission = submit()
    token = _token(ann)
    address = f"/api/v1/submissions/{submission.pk}"
    answer = client.post(f"{address}/cancel", **token)
    assert answer.status_code == 200
    said = answer.json()
    assert said["final"]
    assert said["cancelled_at"]
    assert {run["state"] for run in said["runs"]} == {"cancelled"}
    assert {run["error_code"] for run in said["runs"]} == {"cancelled"}
    assert client.post(f"{address}/cancel", **token).status_code == 409
    said = client.post(f"{address}/retry", **token).json()
    assert [run["queue_place"] for run in said["runs"]] == [1, 1]
    assert said["runs"][0]["log"][-1]["sentence"] == "Queued again."
    assert said["cancelled_at"] is None
    assert client.post(f"{address}/retry", **token).status_code == 409


def test_an_incomplete_or_failed_run_is_tried_again_by_its_owner(
    as_ann: Client, submit: Submit, judges: Any, text: Callable[[Any], str]
) -> None:
    """What is done is not done again."""

    def broken(_: Progress | None) -> None:
        raise ScoringError("the judge is away")

    judges["left"].before = broken
    submission = submit()
    for run in submission.runs.all():
        score_run(run.pk)
    assert "Try again: 1 judge without a score" in text(as_ann.get(submission.get_absolute_url()))
    _post(as_ann, submission, "retry")
    assert _states(submission) == ["queued", "done"]
    judges["left"].before = lambda _: None
    score_run(submission.runs.get(judge="left").pk)
    assert _states(submission) == ["done", "done"]
    assert judges["right"].calls == 1


def test_ap_03_a_cancelled_submission_gives_its_place_away(
    as_ann: Client, submit: Submit, track: Any, text: Callable[[Any], str]
) -> None:
    """Tried again it asks for one: cancel, send another, try again does not pass the limit."""
    benchmark = track.release.benchmark
    QuotaPolicy.objects.create(benchmark=benchmark, limit=1)
    first = submit("A")
    _post(as_ann, first, "cancel")
    second = submit("B")
    _post(as_ann, first, "retry")
    assert set(_states(first)) == {"cancelled"}
    assert "The limit is 1 submission" in text(as_ann.get(first.get_absolute_url()))
    _post(as_ann, second, "cancel")
    _post(as_ann, first, "retry")
    assert set(_states(first)) == {"queued"}


def test_a_failure_of_ours_costs_no_quota_and_can_be_tried_again(
    as_ann: Client, submit: Submit, track: Any
) -> None:
    """Also when another one has been sent meanwhile."""
    QuotaPolicy.objects.create(benchmark=track.release.benchmark, limit=1)
    first = submit("A")
    first.runs.update(state=Run.State.FAILED, error_code="internal-error")
    submit("B")
    _post(as_ann, first, "retry")
    assert set(_states(first)) == {"queued"}


def test_the_page_tells_how_far_it_is(
    as_ann: Client, submit: Submit, judges: Any, text: Callable[[Any], str]
) -> None:
    """Place in the queue, counts, last sign of life, what the workers did, time left if known."""
    waits, submission = submit("A"), submit("B")
    said = text(as_ann.get(submission.get_absolute_url()))
    assert "1 run of this judge before it" in said
    assert "No worker has been at this judge lately" in said
    assert "Next in the queue" in text(as_ann.get(waits.get_absolute_url()))
    now = timezone.now()
    submission.runs.filter(judge="left").update(
        state="running",
        attempts=1,
        done=30,
        total=40,
        started_at=now - timedelta(seconds=60),
        heartbeat_at=now - timedelta(seconds=7),
        log=[[now.isoformat(), "30 of 40 texts done."]],
    )
    response = as_ann.get(f"{submission.get_absolute_url()}progress/")
    said = text(response)
    assert "30 of 40 texts. About 20 seconds to go." in said
    assert "Last sign of life 7 seconds ago." in said
    assert "left: 30 of 40 texts done." in said
    assert b'max="40"' in response.content
    dispatch.cancel(submission, now=now)
    said = text(as_ann.get(submission.get_absolute_url()))
    assert "30 of 40 texts when it ended" in said
    assert "Cancelled before all judges were through" in said


def test_notices_are_counted_listed_and_read(
    as_ann: Client, submit: Submit, ben: User, text: Callable[[Any], str], ann: User
) -> None:
    """One's own only; following one marks it, and all can be marked at once."""
    submission = submit()
    made = [
        Notice.objects.create(user=user, submission=submission, key=key, text=f"Told {key}.")
        for user, key in ((ann, "one"), (ann, "two"), (ben, "three"))
    ]
    said = text(as_ann.get("/notices/"))
    assert "Notices 2 new" in said
    assert "Told one." in said
    assert "Told three." not in said
    assert as_ann.get(f"/notices/{made[0].pk}/")["Location"] == submission.get_absolute_url()
    assert Notice.objects.unread().filter(user=ann).count() == 1
    assert as_ann.get(f"/notices/{made[2].pk}/").status_code == 404
    assert as_ann.post("/notices/read/").status_code == 302
    assert not Notice.objects.unread().filter(user=ann).exists()
    assert Notice.objects.unread().get() == made[2]
    assert "new" not in text(as_ann.get("/notices/")).split("Notices")[1][:8]
    assert as_ann.get("/notices/read/").status_code in {404, 405}
    assert Client().get("/notices/").status_code == 302

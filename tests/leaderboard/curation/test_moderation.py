"""Held, flagged and hidden submissions; banned accounts; accounts that share files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from leaderboard.curation import bans, moderation
from leaderboard.curation.refusals import Refused
from leaderboard.intake import allowance
from leaderboard.intake.quota import Banned
from leaderboard.models import (
    ApiToken,
    AuditEntry,
    Benchmark,
    Notice,
    Release,
    Run,
    Submission,
    Track,
)
from leaderboard.pipeline.entries import entries_of
from leaderboard.pipeline.score import score_run
from leaderboard.tables.shared_files import shared_files

Submit = Callable[..., Submission]


def score_all() -> None:
    """What workers do."""
    for key in Run.objects.filter(state=Run.State.QUEUED).values_list("pk", flat=True):
        score_run(key)


def on_the_board(track: Track) -> set[str]:
    """Names."""
    return {entry.name for entry in entries_of(track)}


def test_a_first_submission_waits_scored_until_it_is_approved(
    release: Release,
    track: Track,
    cora: User,
    submit: Submit,
    judges: Any,
    sent: list[tuple[str, Any]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    """Then it stands on the board at once, and the next one does not wait."""
    release.benchmark.holds_first = True
    release.benchmark.save()
    first = submit("One")
    score_all()
    assert (first.standing, on_the_board(track)) == ("held", set())
    assert {run.state for run in first.runs.all()} == {"done"}
    with django_capture_on_commit_callbacks(execute=True):
        moderation.set_standing(submission=first, standing="clear", actor=cora)
    assert ("rank", track.pk) in sent
    assert on_the_board(track) == {"One"}
    assert submit("Two").standing == "clear"
    entry = AuditEntry.objects.get(action="submission.approve")
    assert (entry.before, entry.after) == ({"standing": "held"}, {"standing": "clear"})
    assert "let onto the board" in Notice.objects.get(user=first.user).text


def test_hiding_needs_a_reason_and_can_be_taken_back(
    track: Track, cora: User, submit: Submit, judges: Any
) -> None:
    """The board follows; whoever sent it reads why; every step is in the trail."""
    one = submit("One")
    score_all()
    with pytest.raises(Refused, match="Say why"):
        moderation.set_standing(submission=one, standing="hidden", actor=cora)
    moderation.set_standing(submission=one, standing="hidden", actor=cora, reason="Copied.")
    assert on_the_board(track) == set()
    assert "Copied." in Notice.objects.get().text
    with pytest.raises(Refused, match="already"):
        moderation.set_standing(submission=one, standing="hidden", actor=cora, reason="Again.")
    moderation.set_standing(submission=one, standing="clear", actor=cora)
    one.refresh_from_db()
    assert (one.standing_reason, on_the_board(track)) == ("", {"One"})
    actions = (
        AuditEntry.objects.exclude(action="submission.create")
        .order_by("pk")
        .values_list("action", "reason")
    )
    assert list(actions) == [("submission.hide", "Copied."), ("submission.unhide", "")]


def test_a_flag_is_for_its_sender_and_curators(
    track: Track, cora: User, ben: User, submit: Submit, judges: Any, client: Client
) -> None:
    """It stays on the board, and nobody else reads of it."""
    one = submit("One")
    score_all()
    moderation.flag(submission=one, actor=cora, reason="Looks generated twice.")
    assert on_the_board(track) == {"One"}
    seen = {}
    for user in (one.user, cora, ben):
        client.force_login(user)
        page = client.get(one.get_absolute_url()).content.decode()
        seen[user.username] = "Looks generated twice." in page
    assert seen == {"ann": True, "cora": True, "ben": False}
    moderation.unflag(submission=one, actor=cora)
    with pytest.raises(Refused):
        moderation.unflag(submission=one, actor=cora)


def test_banned_accounts_submit_nothing(
    release: Release, ann: User, cora: User, submit: Submit, client: Client
) -> None:
    """With a clear message, on the page and to scripts; taken back they may again."""
    bans.ban(user=ann, reason="Two accounts.", actor=cora)
    with pytest.raises(Banned, match=r"may not submit any more. Two accounts."):
        submit("One")
    assert not Submission.objects.exists()
    client.force_login(ann)
    page = client.get(reverse("submit", args=["small"])).content.decode()
    assert "Two accounts." in page
    _, secret = ApiToken.objects.issue(user=ann, name="t")
    answer = client.post(
        "/api/v1/benchmarks/small/submissions?system=One",
        b"{}",
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert answer.json()["problems"][0]["code"] == "banned"
    assert answer.status_code == 403
    with pytest.raises(Refused):
        bans.ban(user=ann, reason="Again.", actor=cora)
    bans.unban(user=ann, actor=cora)
    assert submit("One").pk
    assert list(
        AuditEntry.objects.exclude(action="submission.create")
        .order_by("pk")
        .values_list("action", flat=True)
    ) == [
        "account.ban",
        "account.unban",
    ]


def test_staff_cannot_be_banned(cora: User, ann: User) -> None:
    """Their right goes first."""
    ann.is_staff = True
    with pytest.raises(Refused, match="Staff"):
        bans.ban(user=ann, reason="x", actor=cora)


def test_accounts_that_share_files(release: Release, cora: User, ben: User, submit: Submit) -> None:
    """The same bytes, and near copies; one's own do not count, and private ones stay private."""
    mine, again = submit("One"), submit("Two")
    theirs = submit("Three", user=ben)
    alike = submit("Four", {"c1": "A man walks into a bar. He orders a glass of milk."}, user=ben)
    submit("Five", {"c1": "Something else altogether here."})
    private = submit("Six", user=ben, visibility="private")
    same, *near = shared_files(cora, release.benchmark)
    assert same.kind == "same file"
    assert set(same.submissions) == {mine, again, theirs}
    assert same.accounts == ("ann", "ben")
    assert {(one.kind, alike in one.submissions) for one in near} >= {("alike texts", True)}
    assert all(private not in one.submissions for one in near)


def test_the_queue_shows_what_waits_and_acts(
    release: Release, cora: User, submit: Submit, client: Client
) -> None:
    """Held first; others by search; a refused act says why."""
    held, other = submit("Waiting one"), submit("Another")
    Submission.objects.filter(pk=held.pk).update(standing="held")
    client.force_login(cora)
    address = reverse("curate-moderation", args=["small"])
    page = client.get(address).content.decode()
    assert "Waiting one" in page
    assert "Another" not in page
    assert "Another" in client.get(address, {"q": str(other.pk)}).content.decode()
    act = reverse("curate-moderate", args=["small", held.pk])
    client.post(act, {"do": "clear"})
    held.refresh_from_db()
    assert held.standing == "clear"
    answer = client.post(act, {"do": "hidden", "reason": " "}, follow=True)
    assert "Say why" in answer.content.decode()
    client.post(act, {"do": "hidden", "reason": "Bad.", "next": f"{address}?show=hidden"})
    assert "Bad." in client.get(address, {"show": "hidden"}).content.decode()


def test_a_sender_is_banned_from_one_benchmark(
    release: Release, ann: User, cora: User, ben: User, submit: Submit, client: Client
) -> None:
    """With the reason, told and written down; other benchmarks and other people are as before."""
    one = submit("One")
    client.force_login(cora)
    act = reverse("curate-moderate", args=["small", one.pk])
    assert "Say why" in client.post(act, {"do": "ban"}, follow=True).content.decode()
    client.post(act, {"do": "ban", "reason": "Ten accounts."})
    page = client.get(reverse("curate-moderation", args=["small"])).content.decode()
    assert "Ten accounts." in page
    with pytest.raises(Banned, match="Ten accounts"):
        submit("Two")
    assert submit("Three", user=ben).pk
    other = Release.objects.create(
        benchmark=Benchmark.objects.create(slug="other", name="Other", summary="x"), version="1"
    )
    assert allowance(other, ann).refusal is None
    assert "Ten accounts." in Notice.objects.get(user=ann).text
    assert AuditEntry.objects.get(action="benchmark.ban").benchmark == release.benchmark
    again = client.post(act, {"do": "ban", "reason": "Again."}, follow=True)
    assert "banned already" in again.content.decode()
    _, secret = ApiToken.objects.issue(user=cora, name="t")
    headers = {"Authorization": f"Bearer {secret}"}
    address = "/api/v1/curate/small/bans"
    assert [one["username"] for one in client.get(address, headers=headers).json()] == ["ann"]
    for name in ("cora", "nobody"):
        sent = {"reason": "R."}
        answer = client.put(f"{address}/{name}", sent, "application/json", headers=headers)
        assert answer.status_code == 404
    client.post(reverse("curate-unban-here", args=["small", "ann"]))
    assert submit("Two").pk

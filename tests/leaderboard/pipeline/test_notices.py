"""People are told once when their submission is through, on the site and by mail if they like."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone

from leaderboard import tasks
from leaderboard.curation import moderation
from leaderboard.models import Membership, Notice, Profile, Run, Submission, Team
from leaderboard.pipeline import dispatch, notices
from scoring.types import Progress, ScoringError

Submit = Callable[..., Submission]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def mailed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Mails are sent when their message is; the messages are kept."""
    sent: list[int] = []

    def at_once(key: int) -> None:
        sent.append(key)
        tasks.mail_notice(key)

    monkeypatch.setattr(tasks.mail_notice, "delay", at_once)
    return sent


@pytest.fixture
def reader(ann: User, settings: Any) -> User:
    """Ann, who wants every mail, on a site that sends mails."""
    settings.MAIL_CONFIGURED = True
    ann.email = "ann@example.org"
    ann.save()
    Profile.objects.create(user=ann, mail_when_done=True)
    return ann


def _work_off(submission: Submission) -> None:
    for run in submission.runs.filter(state=Run.State.QUEUED):
        tasks.score_run(run.pk)


def _broken(_: Progress | None) -> None:
    raise ScoringError("the judge has no weights here")


def test_one_notice_and_one_mail_when_all_judges_are_through(
    submit: Submit, judges: Any, reader: User, mailed: list[int]
) -> None:
    """Not before the last one, and not again by a sweep."""
    submission = submit("Model-1")
    first, second = submission.runs.all()
    tasks.score_run(first.pk)
    assert not Notice.objects.exists()
    tasks.score_run(second.pk)
    tasks.sweep()
    notice = Notice.objects.get()
    assert (notice.user, notice.text) == (reader, "Model-1 on Small is scored.")
    assert notice.mailed_at
    (letter,) = mail.outbox
    assert letter.to == ["ann@example.org"]
    assert letter.subject == "ClipRank: Model-1 on Small is scored."
    assert submission.get_absolute_url() in letter.body
    assert "judge left: done" in letter.body


def test_the_kind_is_named_where_it_is_not_the_usual_one(submit: Submit) -> None:
    """A system may have descriptions and answers, each with an end of its own."""
    submission = submit("Model-1")
    Submission.objects.filter(pk=submission.pk).update(kind="pairs")
    submission.refresh_from_db()
    (notice,) = notices.tell_of_cancel(submission, by=None, now=timezone.now())
    assert notice.text.startswith("Model-1 (answers to pair tests) on Small was cancelled")


def test_failure_is_mailed_unless_one_does_not_want_it(
    submit: Submit, judges: Any, reader: User, mailed: list[int]
) -> None:
    """The reason stands in the mail; the notice is there all the same."""
    judges["left"].before = _broken
    _work_off(submit("A"))
    assert "the judge has no weights here" in mail.outbox[0].body
    assert Notice.objects.get().text == "A on Small: 1 of 2 judges have no score. See why."
    Profile.objects.filter(user=reader).update(mail_when_failed=False)
    _work_off(submit("B"))
    assert Notice.objects.count() == 2
    assert len(mail.outbox) == 1


def test_by_default_success_is_told_on_the_site_only(
    submit: Submit, judges: Any, ann: User, mailed: list[int]
) -> None:
    """An account without an address gets no mail at all."""
    _work_off(submit("A"))
    judges["left"].before = _broken
    _work_off(submit("B"))
    assert Notice.objects.filter(user=ann).count() == 2
    assert mail.outbox == []


def test_a_site_without_a_mail_server_tells_on_its_pages_only(
    submit: Submit, judges: Any, reader: User, mailed: list[int], settings: Any
) -> None:
    """And does not say that it has mailed."""
    settings.MAIL_CONFIGURED = False
    _work_off(submit("A"))
    assert mail.outbox == []
    assert Notice.objects.get().mailed_at is None


def test_a_retry_that_ends_is_told_anew(
    submit: Submit, judges: Any, reader: User, mailed: list[int]
) -> None:
    """First that it failed, then that it is scored."""
    judges["left"].before = _broken
    submission = submit("A")
    _work_off(submission)
    judges["left"].before = lambda _: None
    dispatch.retry_all(submission)
    tasks.sweep()
    assert Notice.objects.count() == 1
    _work_off(submission)
    assert Notice.objects.first().text == "A on Small is scored."  # type: ignore[union-attr]
    assert len(mail.outbox) == 2


def test_a_mail_that_is_refused_is_logged_and_tried_again(
    submit: Submit,
    judges: Any,
    reader: User,
    mailed: list[int],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """By the sweep, for a day; the score is not touched."""

    def refused(*_: Any, **__: Any) -> int:
        raise ConnectionRefusedError("no mail server")

    with monkeypatch.context() as broken, caplog.at_level(logging.ERROR):
        broken.setattr(notices, "send_mail", refused)
        submission = submit("A")
        _work_off(submission)
    assert "no mail server" in caplog.text
    assert set(submission.runs.values_list("state", flat=True)) == {"done"}
    assert Notice.objects.get().mailed_at is None
    tasks.sweep()
    assert len(mail.outbox) == 1
    Notice.objects.update(mailed_at=None, created_at=timezone.now() - timedelta(days=2))
    tasks.sweep()
    assert len(mail.outbox) == 1


def test_what_a_sweep_gave_up_is_told_by_the_sweep(
    submit: Submit, reader: User, mailed: list[int], settings: Any
) -> None:
    """No task of the run is alive to tell it."""
    submission = submit("A")
    long_ago = timezone.now() - timedelta(seconds=settings.RUN_SILENCE_SECONDS + 1)
    submission.runs.update(state="running", attempts=99, heartbeat_at=long_ago)
    tasks.sweep()
    assert "2 of 2 judges have no score" in Notice.objects.get().text
    assert len(mail.outbox) == 1


def test_one_is_not_told_of_what_one_cancelled(
    submit: Submit, reader: User, ben: User, mailed: list[int]
) -> None:
    """But of what somebody else did."""
    submission = submit("A")
    now = timezone.now()
    dispatch.cancel(submission, now=now)
    tasks.sweep()
    assert notices.tell_of_cancel(submission, by=reader, now=now) == []
    assert not Notice.objects.exists()
    (told,) = notices.tell_of_cancel(submission, by=ben, now=now)
    assert told is not None
    assert told.user == reader
    assert "was cancelled" in told.text


def test_nobody_is_told_of_a_rescoring(
    submit: Submit, judges: Any, reader: User, mailed: list[int]
) -> None:
    """A curator that scores a release anew would write to everybody at once."""
    submission = submit("A")
    _work_off(submission)
    Notice.objects.all().delete()
    submission.runs.update(state="queued", low_priority=True)
    _work_off(submission)
    tasks.sweep()
    assert not Notice.objects.exists()


def test_names_cannot_write_headers(
    submit: Submit, judges: Any, reader: User, mailed: list[int]
) -> None:
    """SE-01: markup in a system's name stays text."""
    _work_off(submit("<b>Bcc: x</b> & Co"))
    (letter,) = mail.outbox
    assert letter.subject == "ClipRank: <b>Bcc: x</b> & Co on Small is scored."
    assert letter.recipients() == ["ann@example.org"]


def test_a_team_is_told_each_by_their_own_preference(
    submit: Submit, judges: Any, reader: User, ben: User, mailed: list[int]
) -> None:
    """Whoever has joined, once; an invitation that is open is not enough."""
    team = Team.objects.create(slug="lab", name="Lab")
    invited = User.objects.create_user("cleo", email="cleo@example.org")
    now = timezone.now()
    User.objects.filter(pk=ben.pk).update(email="ben@example.org")
    Profile.objects.create(user=ben, mail_when_done=False, mail_when_failed=True)
    for user, joined in ((reader, now), (ben, now), (invited, None)):
        Membership.objects.create(team=team, user=user, joined_at=joined)
    submission = submit("Model-1", team=team)
    _work_off(submission)
    tasks.sweep()
    told = set(Notice.objects.values_list("user__username", "wants_mail"))
    assert told == {("ann", True), ("ben", False)}
    assert [letter.to for letter in mail.outbox] == [["ann@example.org"]]
    tell = {"by": ben, "now": timezone.now()}
    (notice,) = notices.tell_of_cancel(submission, **tell)
    assert notice.user == reader
    User.objects.filter(pk=reader.pk).update(is_active=False)
    (notice,) = notices.tell_of_moderation(submission, "waits.", by=invited, now=timezone.now())
    assert (notice.user, notice.wants_mail) == (ben, True)


def test_a_team_is_told_when_its_sender_has_left_the_site(
    submit: Submit, judges: Any, ann: User, ben: User, mailed: list[int]
) -> None:
    """Its members go on working with it."""
    team = Team.objects.create(slug="lab", name="Lab")
    for user in (ann, ben):
        Membership.objects.create(team=team, user=user, joined_at=timezone.now())
    submission = submit("Model-1", team=team)
    Membership.objects.filter(user=ann).delete()
    Submission.objects.filter(pk=submission.pk).update(user=None, sender_left=True)
    _work_off(submission)
    assert Notice.objects.get().user == ben


@pytest.mark.parametrize("outcome", ["done", "failed"])
@pytest.mark.parametrize("on_site", [True, False])
@pytest.mark.parametrize("by_mail", [True, False])
def test_each_way_of_telling_is_by_choice(
    submit: Submit,
    judges: Any,
    reader: User,
    mailed: list[int],
    outcome: str,
    on_site: bool,
    by_mail: bool,
    client: Client,
) -> None:
    """For each event; whoever wants to hear nothing is not told by the next sweep either."""
    wishes = {f"notice_when_{outcome}": on_site, f"mail_when_{outcome}": by_mail}
    Profile.objects.filter(user=reader).update(**wishes)
    if outcome == "failed":
        judges["left"].before = _broken
    _work_off(submit("Model-1"))
    tasks.sweep()
    client.force_login(reader)
    page = client.get("/notices/").content.decode()
    assert ("Model-1 on Small" in page) == on_site
    assert Notice.objects.unread().count() == int(on_site)
    assert len(mail.outbox) == int(by_mail)
    assert Notice.objects.count() == 1


def test_what_curators_do_is_told_whatever_somebody_wishes(
    submit: Submit, judges: Any, reader: User, ben: User, mailed: list[int]
) -> None:
    """A submission that is hidden is news also for who reads of no scores."""
    Profile.objects.filter(user=reader).update(notice_when_done=False, notice_when_failed=False)
    moderation.set_standing(submission=submit("M"), standing="hidden", actor=ben, reason="Copied.")
    assert Notice.objects.unread().get().user == reader

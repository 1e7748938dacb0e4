"""What people are told when a submission is through: on the site and by mail, each by choice.

What others do about a submission or an account (cancel, moderate, ban) is always told on the site.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db.models import Count, Max, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from leaderboard.models import Kind, Notice, Profile, Run, Submission

logger = logging.getLogger(__name__)

LOOK_BACK = timedelta(days=1)
"""What ended longer ago is not told any more, and no mail is tried for so long."""


def tell_when_over(submissions: Iterable[UUID], *, now: datetime) -> list[Notice]:
    """Notices, made now, to the people of those submissions whose runs have all ended: whoever sent
    it, and everybody who has joined its team.

    Each end is told once, whoever asks and however often: the notice's key names the moment of
    the last run's end. A retry that ends is a new end. What somebody cancelled is told by
    ``tell_of_cancel``, and a curator's rescoring (runs of low priority) to nobody.
    """
    ended = _ended(now).filter(pk__in=list(submissions))
    return [notice for submission in ended for notice in _tell(submission)]


def overlooked(now: datetime) -> list[UUID]:
    """Submissions that ended lately and that nobody has been told of since."""
    told = Max("notices__created_at")
    found = _ended(now).annotate(told=told)
    untold = found.filter(Q(told__isnull=True) | Q(told__lt=Max("runs__finished_at")))
    return list(untold.values_list("pk", flat=True))


def tell_of_cancel(submission: Submission, *, by: User | None, now: datetime) -> list[Notice]:
    """Tell its people that the submission was cancelled, but not whoever did it."""
    text = f"{_named(submission)} was cancelled by the site's staff or by your team."
    key = f"cancelled:{submission.pk}:{now.isoformat()}"
    return _made(submission, key, text, done=False, by=by)


def tell_of_moderation(
    submission: Submission, said: str, *, by: User, now: datetime
) -> list[Notice]:
    """Tell its people what a curator did about it, but not the curator."""
    key = f"moderated:{submission.pk}:{now.isoformat()}"
    return _made(submission, key, f"{_named(submission)} {said}", done=False, by=by)


def tell_person(user: User, key: str, text: str) -> Notice | None:
    """Tell somebody what is about their account; None when it was told before."""
    notice, new = Notice.objects.get_or_create(
        user=user, key=key, defaults={"text": text[:300], "wants_mail": bool(user.email)}
    )
    return notice if new else None


def mail(notice: Notice) -> bool:
    """Send a notice as a mail, once; True when it went out.

    It is marked before, so that no second worker sends it too. When the mail server refuses, that
    is logged and the mark taken back: the sweep tries again.
    """
    marked = Notice.objects.to_mail().filter(pk=notice.pk).update(mailed_at=timezone.now())
    if not marked:
        return False
    try:
        subject = " ".join(f"ClipRank: {notice.text}".split())  # no name breaks the line
        send_mail(subject, _body(notice), None, [notice.user.email])
    except Exception:
        logger.exception("notice %s could not be mailed; it is tried again", notice.pk)
        Notice.objects.filter(pk=notice.pk).update(mailed_at=None)
        return False
    return True


def mails_due(now: datetime) -> QuerySet[Notice]:
    """Mails that have not gone out, of notices that are still news."""
    return Notice.objects.to_mail().filter(created_at__gt=now - LOOK_BACK, user__is_active=True)


def _ended(now: datetime) -> QuerySet[Submission]:
    """Submissions of somebody whose runs have all ended, lately, and not by a rescoring."""
    still_open = Count("runs", filter=Q(runs__state__in=Run.OPEN))
    lately = Run.objects.filter(finished_at__gt=now - LOOK_BACK, low_priority=False)
    found = Submission.objects.filter(
        Q(user__isnull=False) | Q(team__isnull=False),
        cancelled_at__isnull=True,
        pk__in=lately.values("submission"),
    )
    ended = found.annotate(still_open=still_open).filter(still_open=0)
    return ended.select_related("system", "release__benchmark", "user")


def _tell(submission: Submission) -> list[Notice]:
    runs = list(submission.runs.all())
    last = max(runs, key=lambda run: run.finished_at or run.queued_at)
    if last.low_priority:
        return []
    short = sum(run.state != Run.State.DONE for run in runs)
    outcome = "failed" if short else "done"
    text = f"{_named(submission)} is scored."
    if short:
        text = f"{_named(submission)}: {short} of {len(runs)} judges have no score. See why."
    key = f"{outcome}:{submission.pk}:{last.finished_at or last.queued_at:%Y%m%dT%H%M%S.%f}"
    return _made(submission, key, text, done=not short)


def _people(submission: Submission) -> list[User]:
    """Whoever sent it, and everybody who has joined its team, if their accounts are open."""
    people = User.objects.filter(
        Q(pk=submission.user_id)
        | Q(memberships__team=submission.team_id, memberships__joined_at__isnull=False)
        if submission.team_id
        else Q(pk=submission.user_id)
    )
    return list(people.filter(is_active=True).distinct().order_by("pk"))


def _made(
    submission: Submission, key: str, text: str, *, done: bool, by: User | None = None
) -> list[Notice]:
    """The notices that are new and say something: those of people not told of ``key`` before.

    What somebody did (``by``) is told to everybody but them.
    """
    people = [user for user in _people(submission) if by is None or user.pk != by.pk]
    made = (_notice(user, submission, key, text, done=done, deed=by is not None) for user in people)
    return [notice for notice in made if notice is not None]


def _notice(
    user: User, submission: Submission, key: str, text: str, *, done: bool, deed: bool
) -> Notice | None:
    """By the person's own preferences; None when they were told before, or wish to hear nothing."""
    profile = Profile.objects.of(user)
    shown = profile.notice_when_done if done else profile.notice_when_failed
    mailed = profile.mail_when_done if done else profile.mail_when_failed
    notice, new = Notice.objects.get_or_create(
        user=user,
        key=key,
        defaults={
            "submission": submission,
            "text": text[:300],
            "on_site": shown or deed,
            "wants_mail": mailed and bool(user.email) and settings.MAIL_CONFIGURED,
        },
    )
    return notice if new and (notice.on_site or notice.wants_mail) else None


def _named(submission: Submission) -> str:
    """Of a kind that is not the usual one, the kind too: a system may have one of each."""
    kind = submission.get_kind_display()
    what = "" if submission.kind == Kind.DESCRIPTIONS else f" ({kind[0].lower()}{kind[1:]})"
    return f"{submission.system.name}{what} on {submission.release.benchmark.name}"


def _body(notice: Notice) -> str:
    submission = notice.submission
    site = settings.SITE_URL.rstrip("/")
    runs = list(submission.runs.select_related("track").order_by("pk")) if submission else []
    context = {
        "notice": notice,
        "runs": runs,
        "address": site + (submission.get_absolute_url() if submission else reverse("notices")),
        "account": site + reverse("account"),
    }
    return render_to_string("mail/submission.txt", context)

"""Who sees a submission: made public, anonymous or private, or withdrawn, by its owner."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from leaderboard import audit, tasks
from leaderboard.models import Submission

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Visibility = Submission.Visibility
FIELDS = ("visibility", "named_from", "published_at", "withdrawn_at")


class NotAllowed(Exception):  # noqa: N818 - named as the fault is spoken of
    """The benchmark's rules, or what was done before, forbid it; the message says which."""

    code = "not-allowed"


def set_visibility(
    submission: Submission,
    *,
    actor: User,
    visibility: str,
    named_from: datetime | None = None,
) -> Submission:
    """Make it public, anonymous (until ``named_from``, if given) or private; boards follow at once.

    More can always be shown. What others have seen can be taken back, wholly or its names, only
    within the benchmark's days (``Benchmark.unpublish_days``) since it was published. Raises
    ``NotAllowed``, which says why.
    """
    now = timezone.now()
    if visibility != Visibility.ANONYMOUS:
        named_from = None
    with transaction.atomic():
        held = _locked(submission)
        if held.withdrawn_at is not None:
            raise NotAllowed("It is withdrawn; submit the file again to bring it back.")
        _check(held, visibility, named_from, now)
        before = _fields(held)
        if held.visibility == Visibility.PRIVATE and visibility != Visibility.PRIVATE:
            held.published_at = now
        held.visibility, held.named_from = visibility, named_from
        _change(held, actor, f"submission.{_verb(visibility)}", before)
    return held


def withdraw(submission: Submission, *, actor: User, reason: str = "") -> Submission:
    """Take it off the board for good; boards follow at once.

    Where the benchmark shows what is withdrawn, its row stays there, marked and without a place;
    elsewhere only its owner sees it from now on. Raises ``NotAllowed`` when it is withdrawn.
    """
    with transaction.atomic():
        held = _locked(submission)
        if held.withdrawn_at is not None:
            raise NotAllowed("It is withdrawn already.")
        before = _fields(held)
        held.withdrawn_at, held.withdrawal_reason = timezone.now(), reason[:300]
        _change(held, actor, "submission.withdraw", before, reason)
    return held


def hideable_until(submission: Submission) -> datetime | None:
    """Until when it can be made private again; None for always."""
    days = submission.release.benchmark.unpublish_days
    if days is None or submission.visibility == Visibility.PRIVATE:
        return None
    return (submission.published_at or submission.created_at) + timedelta(days=days)


def may_hide(submission: Submission, now: datetime) -> bool:
    """Whether it can be made private, or a public one anonymous, at ``now``."""
    end = hideable_until(submission)
    return submission.withdrawn_at is None and (end is None or now < end)


def _check(
    submission: Submission, visibility: str, named_from: datetime | None, now: datetime
) -> None:
    if visibility not in Visibility.values:
        raise NotAllowed(f"There is no visibility {visibility!r}.")
    if named_from is not None and named_from <= now:
        raise NotAllowed("The moment from which the names show must lie ahead.")
    if _hides(submission, visibility, named_from, now) and not may_hide(submission, now):
        days = submission.release.benchmark.unpublish_days
        raise NotAllowed(
            "What was published here can be hidden again only within "
            f"{days} day{'' if days == 1 else 's'}, which have passed. You can still withdraw it, "
            "or ask a curator."
        )


def _hides(
    submission: Submission, visibility: str, named_from: datetime | None, now: datetime
) -> bool:
    """Whether others would see less of it than they do."""
    if submission.visibility == Visibility.PRIVATE:
        return False
    named = not submission.is_nameless(now)
    return visibility == Visibility.PRIVATE or (named and visibility == Visibility.ANONYMOUS)


def _locked(submission: Submission) -> Submission:
    rows = Submission.objects.select_for_update(of=("self",)).select_related(
        "system", "release__benchmark"
    )
    return rows.get(pk=submission.pk)


def _fields(submission: Submission) -> dict[str, Any]:
    return {name: getattr(submission, name) for name in FIELDS}


def _change(
    submission: Submission, actor: User, action: str, before: dict[str, Any], reason: str = ""
) -> None:
    """Store what has changed, tell it, and have the boards follow."""
    after = _fields(submission)
    changed = [name for name in FIELDS if before[name] != after[name]]
    if not changed:
        return
    submission.save(update_fields=[*FIELDS, "withdrawal_reason"])
    audit.record(
        actor=actor,
        action=action,
        target=submission,
        benchmark=submission.release.benchmark,
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
        reason=reason,
    )
    tracks = submission.runs.order_by().values_list("track", flat=True).distinct()
    tasks.send_ranks(list(tracks))


def _verb(visibility: str) -> str:
    verbs = {
        Visibility.PUBLIC: "publish",
        Visibility.ANONYMOUS: "anonymise",
        Visibility.PRIVATE: "unpublish",
    }
    return verbs[Visibility(visibility)]

"""What curators do about a single submission: let it pass, hold it, hide it, flag it.

Its sender is told, with the reason, and the boards follow at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from leaderboard import audit, tasks
from leaderboard.curation.refusals import Refused
from leaderboard.models import Submission
from leaderboard.pipeline import notices

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Standing = Submission.Standing
FIELDS = ("standing", "standing_reason")
REASON_LENGTH = 300
SAID = {
    "submission.approve": "was let onto the board by a curator.",
    "submission.unhide": "is back on the board: a curator hides it no more.",
    "submission.hold": "waits for a curator.",
    "submission.hide": "was hidden by a curator.",
    "submission.flag": "was flagged by a curator; it stays on the board.",
    "submission.unflag": "is no longer flagged.",
}


def set_standing(
    *, submission: Submission, standing: str, actor: User, reason: str = ""
) -> Submission:
    """Clear it for the board, hold it until a curator clears it, or hide it.

    Holding and hiding need a reason, which its sender reads. Raises Refused without one, or when it
    stands so already.
    """
    if standing not in Standing.values:
        raise Refused("no-such-standing", f"A submission is {', '.join(Standing.values)}.")
    reason = _reason(reason, needed=standing != Standing.CLEAR)
    with transaction.atomic():
        held = _locked(submission)
        if held.standing == standing:
            raise Refused("stands-so", f"It is so already: {held.get_standing_display()}.")
        before = _fields(held)
        action = _action(held.standing, standing)
        held.standing, held.standing_reason = standing, _kept(reason, standing)
        _change(held, actor, action, before, reason)
        tracks = held.runs.order_by().values_list("track", flat=True).distinct()
        tasks.send_ranks(list(tracks))
    return held


def flag(*, submission: Submission, actor: User, reason: str) -> Submission:
    """Mark one that stands on the board, for its sender and the curators; nobody else sees it.

    Raises Refused without a reason, or when it is held or hidden and has one already.
    """
    reason = _reason(reason, needed=True)
    with transaction.atomic():
        held = _locked(submission)
        if held.standing != Standing.CLEAR:
            raise Refused("not-clear", "It is held or hidden, which says more than a flag.")
        before = _fields(held)
        held.standing_reason = reason
        _change(held, actor, "submission.flag", before, reason)
    return held


def unflag(*, submission: Submission, actor: User) -> Submission:
    """Take the mark away; Refused when there is none."""
    with transaction.atomic():
        held = _locked(submission)
        if held.standing != Standing.CLEAR or not held.standing_reason:
            raise Refused("not-flagged", "It is not flagged.")
        before = _fields(held)
        held.standing_reason = ""
        _change(held, actor, "submission.unflag", before, "")
    return held


def _action(before: str, after: str) -> str:
    if after == Standing.CLEAR:
        return "submission.approve" if before == Standing.HELD else "submission.unhide"
    return "submission.hold" if after == Standing.HELD else "submission.hide"


def _kept(reason: str, standing: str) -> str:
    """What stands beside it from now on: why it is let pass is for the trail only."""
    return "" if standing == Standing.CLEAR else reason


def _reason(reason: str, *, needed: bool) -> str:
    said = reason.strip()[:REASON_LENGTH]
    if needed and not said:
        raise Refused("no-reason", "Say why: whoever sent it reads the reason.")
    return said


def _locked(submission: Submission) -> Submission:
    rows = Submission.objects.select_for_update(of=("self",))
    return rows.select_related("system", "release__benchmark", "user").get(pk=submission.pk)


def _fields(submission: Submission) -> dict[str, Any]:
    return {name: getattr(submission, name) for name in FIELDS}


def _change(
    submission: Submission, actor: User, action: str, before: dict[str, Any], reason: str
) -> None:
    """Store what has changed, write it down, and tell whoever sent it."""
    after = _fields(submission)
    changed = [name for name in FIELDS if before[name] != after[name]]
    submission.save(update_fields=FIELDS)
    audit.record(
        actor=actor,
        action=action,
        target=submission,
        benchmark=submission.release.benchmark,
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
        reason=reason,
    )
    said = f"{SAID[action]} {reason}".strip()
    told = notices.tell_of_moderation(submission, said, by=actor, now=timezone.now())
    tasks.send_mails(told)

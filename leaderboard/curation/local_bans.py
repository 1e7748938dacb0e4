"""Accounts from which one benchmark takes nothing more; its curators decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from leaderboard import audit, tasks
from leaderboard.curation.bans import REASON_LENGTH
from leaderboard.curation.refusals import Refused
from leaderboard.models import Ban, Benchmark
from leaderboard.pipeline import notices

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def ban(*, benchmark: Benchmark, user: User, reason: str, actor: User) -> Ban:
    """Take no more submissions from ``user`` to the benchmark; what is there stays as it is.

    The person is told why. Raises Refused without a reason, for oneself, and when it is so already.
    """
    said = reason.strip()[:REASON_LENGTH]
    if not said:
        raise Refused("no-reason", "Say why: the person reads the reason.")
    if user.pk == actor.pk:
        raise Refused("oneself", "This is your own account.")
    try:
        with transaction.atomic():
            made = Ban.objects.create(benchmark=benchmark, user=user, reason=said)
            after = {"banned": True, "reason": said}
            _record(actor, "benchmark.ban", benchmark, user, {"banned": False}, after, said)
            _tell(user, benchmark, f"You may not submit to {benchmark.name} any more. {said}")
    except IntegrityError as error:
        raise Refused("banned", f"{user.get_username()} is banned already.") from error
    return made


def unban(*, banned: Ban, actor: User) -> None:
    """Take submissions from the account again; the person is told."""
    with transaction.atomic():
        before = {"banned": True, "reason": banned.reason}
        after = {"banned": False}
        _record(actor, "benchmark.unban", banned.benchmark, banned.user, before, after, "")
        _tell(banned.user, banned.benchmark, f"You may submit to {banned.benchmark.name} again.")
        banned.delete()


def _tell(user: User, benchmark: Benchmark, text: str) -> None:
    key = f"ban:{benchmark.pk}:{timezone.now().isoformat()}"
    told = notices.tell_person(user, key, text)
    tasks.send_mails([told] if told else [])


def _record(
    actor: User,
    action: str,
    benchmark: Benchmark,
    user: User,
    before: dict[str, Any],
    after: dict[str, Any],
    reason: str,
) -> None:
    audit.record(
        actor=actor,
        action=action,
        target=user,
        benchmark=benchmark,
        before=before,
        after=after,
        reason=reason,
    )

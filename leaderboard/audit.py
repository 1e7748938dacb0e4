"""The audit trail: who changed what, when, from what to what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models, transaction

from leaderboard.models import AuditEntry, Benchmark

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SITE = "the site"
TARGET_LENGTH = 300
REASON_LENGTH = 300


def record(
    *,
    actor: User | None,
    action: str,
    target: models.Model,
    benchmark: Benchmark | None = None,
    before: dict[str, Any],
    after: dict[str, Any],
    reason: str = "",
) -> AuditEntry:
    """Write one entry, in the transaction of the change that it tells of.

    ``action`` is a noun and a verb (``submission.withdraw``); ``before`` and ``after`` hold the
    fields that changed, in values that JSON can hold (moments, ids and decimals too). Without an
    ``actor`` the site acted by itself. Raises ``TransactionManagementError`` outside a transaction:
    a change and its entry are stored together or not at all.
    """
    if not transaction.get_connection().in_atomic_block:
        message = "An audit entry is written in the transaction of the change it tells of."
        raise transaction.TransactionManagementError(message)
    return AuditEntry.objects.create(
        user=actor,
        actor=actor.get_username() if actor is not None else SITE,
        benchmark=benchmark,
        action=action,
        target=str(target)[:TARGET_LENGTH],
        target_id=str(target.pk),
        before=before,
        after=after,
        reason=reason[:REASON_LENGTH],
    )

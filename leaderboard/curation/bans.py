"""Accounts that may submit no more; staff decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.models import User as Account
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from leaderboard import audit, tasks
from leaderboard.curation.refusals import Refused
from leaderboard.models import Profile
from leaderboard.pipeline import notices

if TYPE_CHECKING:
    from django.contrib.auth.models import User

REASON_LENGTH = 300


def banned() -> QuerySet[Profile]:
    """The profiles of banned accounts, the latest first."""
    found = Profile.objects.filter(banned_at__isnull=False).select_related("user")
    return found.order_by("-banned_at", "pk")


def ban(*, user: User, reason: str, actor: User) -> Profile:
    """Take no more submissions from ``user``, who is told why; what is there stays as it is.

    Raises Refused without a reason, for staff, and when it is so already.
    """
    said = reason.strip()[:REASON_LENGTH]
    if not said:
        raise Refused("no-reason", "Say why: the person reads the reason.")
    if user.is_staff:
        raise Refused("staff", "Staff cannot be banned; take the right away in the admin first.")
    with transaction.atomic():
        profile = _locked(user)
        if profile.banned_at is not None:
            raise Refused("banned", f"{user.get_username()} is banned already.")
        profile.banned_at, profile.ban_reason = timezone.now(), said
        profile.save(update_fields=["banned_at", "ban_reason"])
        after = {"banned_at": profile.banned_at, "ban_reason": said}
        _record(actor, "account.ban", user, {"banned_at": None, "ban_reason": ""}, after, said)
        text = f"Your account may not submit any more. {said}"
        told = notices.tell_person(user, f"banned:{profile.banned_at.isoformat()}", text)
        tasks.send_mails([told] if told else [])
    return profile


def unban(*, user: User, actor: User) -> Profile:
    """Take submissions from ``user`` again, who is told; Refused when they are not banned."""
    with transaction.atomic():
        profile = _locked(user)
        if profile.banned_at is None:
            raise Refused("not-banned", f"{user.get_username()} is not banned.")
        before = {"banned_at": profile.banned_at, "ban_reason": profile.ban_reason}
        profile.banned_at, profile.ban_reason = None, ""
        profile.save(update_fields=["banned_at", "ban_reason"])
        _record(actor, "account.unban", user, before, {"banned_at": None, "ban_reason": ""}, "")
        key = f"unbanned:{timezone.now().isoformat()}"
        told = notices.tell_person(user, key, "Your account may submit again.")
        tasks.send_mails([told] if told else [])
    return profile


def _locked(user: User) -> Profile:
    Account.objects.select_for_update().get(pk=user.pk)
    return Profile.objects.of(user)


def _record(
    actor: User,
    action: str,
    user: User,
    before: dict[str, object],
    after: dict[str, object],
    reason: str,
) -> None:
    audit.record(actor=actor, action=action, target=user, before=before, after=after, reason=reason)

"""Moderation for scripts: standing, flags, shared files; for staff bans."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema, Status
from ninja.pagination import paginate

from leaderboard import access, access_curated
from leaderboard.api.auth import Token
from leaderboard.api.curate_schemas import ReasonIn
from leaderboard.api.schemas import ErrorOut
from leaderboard.curation import bans, local_bans, moderation
from leaderboard.models import Ban, Profile, Submission
from leaderboard.tables.moderation import queue
from leaderboard.tables.shared_files import shared_files
from leaderboard.tables.shared_machines import SharedMachine, shared_machines

router = Router(tags=["curators"], auth=Token())
ERRORS = dict.fromkeys((400, 401, 403, 404, 409, 422), ErrorOut)
ONE = "/{slug}/submissions/{uuid:pk}"


class StandingIn(ReasonIn):
    """Where a submission stands; holding and hiding need a reason."""

    standing: Literal["clear", "held", "hidden"]


class ModeratedOut(Schema):
    """A submission as its curators see it."""

    id: UUID
    system: str
    user: str
    release: str
    visibility: str
    standing: str
    standing_reason: str
    created_at: datetime

    @staticmethod
    def of(one: Submission) -> dict[str, Any]:
        """The row, with names in place of keys."""
        return {
            "id": one.pk,
            "system": one.system.name,
            "user": one.user.get_username() if one.user else "",
            "release": one.release.version,
            "visibility": one.visibility,
            "standing": one.standing,
            "standing_reason": one.standing_reason,
            "created_at": one.created_at,
        }


class SharedOut(Schema):
    """Submissions of different accounts with one file, or with texts that are near copies."""

    kind: str
    accounts: list[str]
    submissions: list[UUID]
    clips: int | None


class AccountThereOut(Schema):
    """An account at a machine, and how many of its submissions to the benchmark you may see."""

    username: str
    submissions: int
    browsers: list[str]
    last_on: date


class MachineOut(Schema):
    """Accounts that came from one network address, which is known by a keyed hash only."""

    accounts: list[AccountThereOut]
    submissions: int
    same_browser: bool
    first_on: date
    last_on: date


class BannedOut(Schema):
    """An account that may not submit."""

    username: str
    banned_at: datetime | None
    reason: str

    @staticmethod
    def of(profile: Profile) -> dict[str, Any]:
        """The profile in short."""
        return {
            "username": profile.user.get_username(),
            "banned_at": profile.banned_at,
            "reason": profile.ban_reason,
        }


@router.get("/people/banned", response={200: list[BannedOut]} | ERRORS)
def list_banned(request: HttpRequest) -> list[dict[str, Any]]:
    """Staff: who may not submit, and why."""
    access_curated.staff_only(_user(request))
    return [BannedOut.of(profile) for profile in bans.banned()]


@router.put("/people/{username}/ban", response={200: BannedOut} | ERRORS)
def ban(request: HttpRequest, username: str, given: ReasonIn) -> dict[str, Any]:
    """Staff: take no more submissions from an account."""
    user = access_curated.person(_user(request), username)
    return BannedOut.of(bans.ban(user=user, reason=given.reason, actor=_user(request)))


@router.delete("/people/{username}/ban", response={200: BannedOut} | ERRORS)
def unban(request: HttpRequest, username: str) -> dict[str, Any]:
    """Staff: let an account submit again."""
    user = access_curated.person(_user(request), username)
    return BannedOut.of(bans.unban(user=user, actor=_user(request)))


@router.get("/{slug}/submissions", response=list[ModeratedOut])
@paginate
def list_submissions(request: HttpRequest, slug: str, show: str = "", q: str = "") -> list[Any]:
    """What waits; with `show` flagged, hidden or all; with `q` those of a system or sender."""
    found = access.curated_benchmark(_user(request), slug)
    return [ModeratedOut.of(one) for one in queue(_user(request), found, show, q).submissions]


@router.get("/{slug}/shared-files", response={200: list[SharedOut]} | ERRORS)
def list_shared(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """Accounts that sent the same file, or near copies of each other's texts."""
    found = access.curated_benchmark(_user(request), slug)
    return [
        {
            "kind": one.kind,
            "accounts": list(one.accounts),
            "submissions": [submission.pk for submission in one.submissions],
            "clips": one.clips,
        }
        for one in shared_files(_user(request), found)
    ]


@router.get("/{slug}/shared-machines", response={200: list[MachineOut]} | ERRORS)
def list_machines(request: HttpRequest, slug: str) -> tuple[SharedMachine, ...]:
    """Accounts that were used from one machine; an institute has one address, too."""
    found = access.curated_benchmark(_user(request), slug)
    return shared_machines(_user(request), found)


@router.get("/{slug}/bans", response={200: list[BannedOut]} | ERRORS)
def list_local_bans(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """Accounts from which the benchmark takes no more submissions."""
    found = access.curated_benchmark(_user(request), slug)
    return [
        {"username": one.user.get_username(), "banned_at": one.banned_at, "reason": one.reason}
        for one in Ban.objects.filter(benchmark=found).select_related("user")
    ]


@router.put("/{slug}/bans/{username}", response={200: BannedOut} | ERRORS)
def ban_here(request: HttpRequest, slug: str, username: str, given: ReasonIn) -> dict[str, Any]:
    """Take no more submissions to the benchmark from somebody who has sent one."""
    found = access.curated_benchmark(_user(request), slug)
    user = access_curated.sender(_user(request), slug, username)
    made = local_bans.ban(benchmark=found, user=user, reason=given.reason, actor=_user(request))
    return {"username": username, "banned_at": made.banned_at, "reason": made.reason}


@router.delete("/{slug}/bans/{username}", response={204: None} | ERRORS)
def unban_here(request: HttpRequest, slug: str, username: str) -> Status[None]:
    """Take them again."""
    banned = access_curated.local_ban(_user(request), slug, username)
    local_bans.unban(banned=banned, actor=_user(request))
    return Status(204, None)


@router.put(f"{ONE}/standing", response={200: ModeratedOut} | ERRORS)
def set_standing(request: HttpRequest, slug: str, pk: UUID, given: StandingIn) -> dict[str, Any]:
    """Let a submission onto the board, hold it, or hide it; its sender is told why."""
    found = access_curated.moderated_submission(_user(request), slug, pk)
    changed = moderation.set_standing(submission=found, actor=_user(request), **given.dict())
    return ModeratedOut.of(changed)


@router.put(f"{ONE}/flag", response={200: ModeratedOut} | ERRORS)
def flag(request: HttpRequest, slug: str, pk: UUID, given: ReasonIn) -> dict[str, Any]:
    """Mark a submission for its sender and the curators; it stays on the board."""
    found = access_curated.moderated_submission(_user(request), slug, pk)
    return ModeratedOut.of(
        moderation.flag(submission=found, actor=_user(request), reason=given.reason)
    )


@router.delete(f"{ONE}/flag", response={200: ModeratedOut} | ERRORS)
def unflag(request: HttpRequest, slug: str, pk: UUID) -> dict[str, Any]:
    """Take the mark away."""
    found = access_curated.moderated_submission(_user(request), slug, pk)
    return ModeratedOut.of(moderation.unflag(submission=found, actor=_user(request)))


def _user(request: HttpRequest) -> Any:
    return request.auth  # type: ignore[attr-defined]

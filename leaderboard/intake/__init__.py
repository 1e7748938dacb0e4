"""From uploaded bytes to a stored submission, or to every problem of the file at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import transaction

from leaderboard.intake.contents import (
    JUDGE_LENGTH,
    NO_JUDGE,
    NO_TRACK,
    Contents,
    examine,
    packed,
    read,
)
from leaderboard.intake.flags import with_copies
from leaderboard.intake.quota import Allowance, NotOpen, NotTaken, QuotaSpent, allowance, allowances
from leaderboard.intake.report import CheckReport
from leaderboard.intake.store import NotKept, kept, store
from leaderboard.intake.systems import SystemTaken, system_for
from leaderboard.intake.teams import team_for
from leaderboard.intake.validate import InvalidUpload
from leaderboard.models import Submission, System

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import Release, Team

__all__ = [
    "JUDGE_LENGTH",
    "NO_JUDGE",
    "NO_TRACK",
    "Allowance",
    "CheckReport",
    "Contents",
    "InvalidUpload",
    "NotKept",
    "NotOpen",
    "NotTaken",
    "QuotaSpent",
    "SystemTaken",
    "allowance",
    "allowances",
    "check",
    "packed",
    "receive",
    "receive_for",
    "system_for",
    "team_for",
]


def receive(  # noqa: PLR0913 - what an upload comes with
    *,
    release: Release,
    user: User | None,
    system: System,
    data: bytes,
    filename: str,
    contents: Contents | None = None,
    team: Team | None = None,
    visibility: str = Submission.Visibility.PUBLIC,
    named_from: datetime | None = None,
    note: str = "",
    low_priority: bool = False,
) -> Submission:
    """Read, check and store one upload, and have it scored: the one way in.

    The form, the API and the importers all come through here; ``contents`` says what the file
    holds, where that is not what the release usually takes; ``team`` is whose it is, if not
    ``user``'s alone (see ``team_for``); ``low_priority`` lets its runs wait until nothing else
    does. Raises ``InvalidUpload``, which carries every problem, ``ValidationError`` on ``team``, or
    ``NotTaken``, when the quota is spent or the release is closed; then nothing has been stored.
    The runs are sent to their queues when the outermost transaction commits.
    """
    team = team_for(user=user, team=team, system=system)
    _taken_now(release, user, team)
    held = (contents or Contents()).of(release)
    upload = read(data, filename, release, held)
    with kept(data) as draft:
        return store(
            upload,
            held,
            draft=draft,
            release=release,
            user=user,
            team=team,
            system=system,
            filename=filename,
            visibility=visibility,
            named_from=named_from,
            note=note,
            low_priority=low_priority,
        )


def receive_for(  # noqa: PLR0913 - `receive`, with the card of a new system
    *,
    release: Release,
    user: User,
    name: str,
    card: dict[str, Any],
    data: bytes,
    filename: str,
    contents: Contents | None = None,
    team: Team | None = None,
    visibility: str = Submission.Visibility.PUBLIC,
    named_from: datetime | None = None,
    note: str = "",
    pk: UUID | None = None,
) -> Submission:
    """``receive`` for the system called ``name`` (see ``system_for``).

    A new system is stored together with its first submission or not at all; the file is read and
    kept before, so that no transaction waits for it. ``pk`` becomes the submission's id.
    """
    _taken_now(release, user, team)
    held = (contents or Contents()).of(release)
    upload = read(data, filename, release, held)
    with kept(data, pk) as draft, transaction.atomic():
        system = system_for(user=user, name=name, team=team, **card)
        return store(
            upload,
            held,
            draft=draft,
            release=release,
            user=user,
            team=team_for(user=user, team=team, system=system),
            system=system,
            filename=filename,
            visibility=visibility,
            named_from=named_from,
            note=note,
        )


def check(
    *,
    release: Release,
    data: bytes,
    filename: str,
    user: User | None = None,
    contents: Contents | None = None,
    refused: InvalidUpload | None = None,
) -> CheckReport:
    """All that can be said of a file before it is scored; nothing is stored and nothing counted.

    Copies are looked for among the submissions of systems that are not ``user``'s. ``refused`` is
    what an upload of the file was refused with: the report says the same then.
    """
    held = (contents or Contents()).of(release)
    examined = examine(data, filename, release, held)
    if refused is not None:
        examined = replace(examined, upload=refused.upload)
    else:
        own = System.objects.owned_by(user).values_list("pk", flat=True) if user else ()
        compared = with_copies(examined.upload, release, list(own))
        examined = replace(examined, upload=compared[0]) if compared else examined
    return CheckReport.of(examined, held, release, data=data, filename=filename)


def _taken_now(release: Release, user: User | None, team: Team | None) -> None:
    """Say at once what would be refused anyway; the word that counts is said while storing."""
    refusal = user and allowance(release, user, team).refusal
    if refusal:
        raise refusal

"""From uploaded bytes to a stored submission, or to every problem of the file at once."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
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
    "Named",
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
    "system_for",
    "team_for",
]


@dataclass(frozen=True, slots=True)
class Named:
    """A system by its name; ``card`` describes it where it is new (see ``system_for``)."""

    name: str
    card: dict[str, Any]


def receive(  # noqa: PLR0913 - what an upload comes with
    *,
    release: Release,
    user: User | None,
    system: System | Named,
    data: bytes,
    filename: str,
    contents: Contents | None = None,
    team: Team | None = None,
    visibility: str = Submission.Visibility.PUBLIC,
    named_from: datetime | None = None,
    note: str = "",
    low_priority: bool = False,
    pk: UUID | None = None,
) -> Submission:
    """Read, check and store one upload, and have it scored: the one way in.

    The form, the API and the importers all come through here; ``contents`` says what the file
    holds, where that is not what the release usually takes; ``team`` is whose it is, if not
    ``user``'s alone (see ``team_for``); ``low_priority`` lets its runs wait until nothing else
    does; ``pk`` becomes the submission's id. A new system is stored together with its first
    submission or not at all; the file is read and kept before, so that no transaction waits for it.

    Raises ``InvalidUpload``, which carries every problem, ``ValidationError`` on ``team``,
    ``NotTaken``, when the quota is spent or the release is closed, or what ``system_for`` raises;
    then nothing has been stored. The runs are sent to their queues when the outermost transaction
    commits.
    """
    if isinstance(system, System):
        team = team_for(user=user, team=team, system=system)
    _taken_now(release, user, team)
    held = (contents or Contents()).of(release)
    upload = read(data, filename, release, held)
    # A known system needs no transaction yet: texts are compared before `store` begins its own.
    whole = transaction.atomic() if isinstance(system, Named) else nullcontext()
    with kept(data, pk) as draft, whole:
        if isinstance(system, Named):
            system = _entered(system, user, team)
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
            low_priority=low_priority,
        )


def _entered(named: Named, user: User | None, team: Team | None) -> System:
    if user is None:
        raise ValueError("A system without a person is named by its row.")
    return system_for(user=user, name=named.name, team=team, **named.card)


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

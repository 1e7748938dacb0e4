"""Which system an upload is for."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction

from leaderboard import audit
from leaderboard.models import System

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import Team


class SystemTaken(Exception):  # noqa: N818 - named as the fault is spoken of
    """The name belongs to a system that somebody else entered."""

    code = "system-taken"


def system_for(*, user: User, name: str, team: Team | None = None, **card: Any) -> System:
    """The system called ``name`` that ``user`` may submit for, else a new one of theirs.

    A new one is ``team``'s, where one is given: every member may submit for it.

    Names are compared without regard to case and runs of spaces. ``card`` (organisation,
    parameters, family, frames, open_weights, link) describes a new system; a known one keeps its
    own. Staff may submit for every system.

    Raises ``SystemTaken`` when somebody else's system has the name and ``ValidationError`` when
    the name or the card is not fit to be stored.
    """
    name = tidy_name(name)
    namesakes = System.objects.filter(name__iexact=name).order_by("pk")
    known = namesakes.may_submit_for(user).first()
    if known is not None:
        return known
    if namesakes.exists():
        raise SystemTaken(
            f"A system called {name} was entered by somebody else. Choose another name (add a "
            "version, a number of frames or your team), or ask the site's staff."
        )
    system = System(owner=user, team=team, name=name, slug=System.objects.free_slug(name), **card)
    system.full_clean()
    with transaction.atomic():
        system.save(force_insert=True)
        after = {"name": name, "team": team and team.name, **card}
        audit.record(actor=user, action="system.create", target=system, before={}, after=after)
    return system


def tidy_name(name: str) -> str:
    """The name with single spaces; ValidationError when it cannot be seen what it says."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name.isprintable():
        raise ValidationError({"name": "A name holds printable characters only."})
    return name

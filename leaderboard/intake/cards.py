"""Changes of a system's card: its history keeps each, and boards follow a new name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction

from leaderboard import audit, tasks
from leaderboard.intake.systems import SystemTaken, tidy_name
from leaderboard.models import Run, System

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def edit_card(system: System, *, actor: User, card: dict[str, Any]) -> System:
    """Store the fields of ``card`` (a name among them, perhaps) that differ.

    Raises ``SystemTaken`` when somebody else's system has the new name, ``ValidationError`` when a
    field is not fit to be stored. The system's slug stays: addresses go on working.
    """
    with transaction.atomic():
        held = System.objects.select_for_update(of=("self",)).get(pk=system.pk)
        if "name" in card:
            card = card | {"name": tidy_name(card["name"])}
            _check_name(held, card["name"])
        before = {name: getattr(held, name) for name in card if getattr(held, name) != card[name]}
        after = {name: card[name] for name in before}
        if not after:
            return held
        for name, value in after.items():
            setattr(held, name, value)
        held.full_clean(validate_unique=False)
        held._history_user = actor  # type: ignore[attr-defined]
        held.save()
        audit.record(actor=actor, action="system.edit", target=held, before=before, after=after)
        if "name" in after:
            _rank_again(held)
    return held


def _check_name(system: System, name: str) -> None:
    others = System.objects.filter(name__iexact=name).exclude(pk=system.pk)
    if others.exclude(owner=system.owner_id).exists() or others.filter(owner=None).exists():
        raise SystemTaken(
            f"A system called {name} was entered by somebody else. Choose another name."
        )
    if others.exists():
        raise ValidationError({"name": f"You have another system called {name}."})


def _rank_again(system: System) -> None:
    """A table holds the names that its systems had when it was computed."""
    runs = Run.objects.filter(submission__system=system)
    scored = set(runs.order_by().values_list("track", flat=True))
    reported = set(system.reported.order_by().values_list("track", flat=True))
    tasks.send_ranks(sorted(scored | reported))

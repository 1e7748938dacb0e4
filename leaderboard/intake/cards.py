"""Changes of a system's card, and whose it is: history keeps each, boards follow a new name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction

from leaderboard import audit, tasks
from leaderboard.intake.systems import SystemTaken, tidy_name
from leaderboard.intake.visibility import NotAllowed
from leaderboard.models import Run, System, Team

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


def hand_over(system: System, *, actor: User, team: Team | None) -> System:
    """Give one's own system to a team that one has joined; or, with None, back to its owner.

    An owner of the team gives it back; where whoever entered it has left the site, it is theirs
    from then on. Raises ``NotAllowed`` where ``actor`` may not.
    """
    with transaction.atomic():
        held = System.objects.select_for_update(of=("self",)).get(pk=system.pk)
        before = {"team": held.team_id and str(held.team), "owner": str(held.owner or "")}
        if team is None:
            _take_back(held, actor)
        elif held.owner_id != actor.pk or held.team_id is not None:
            raise NotAllowed("Only your own systems can be handed over, and to one team at a time.")
        elif not Team.objects.of(actor).contains(team):
            raise NotAllowed("You are not in this team.")
        held.team = team
        held._history_user = actor  # type: ignore[attr-defined]
        held.save(update_fields=["team", "owner"])
        after = {"team": team and str(team), "owner": str(held.owner or "")}
        audit.record(
            actor=actor, action="system.hand-over", target=held, before=before, after=after
        )
    return held


def _take_back(system: System, actor: User) -> None:
    if system.team is None:
        raise NotAllowed("It belongs to no team.")
    if not Team.objects.owned_by(actor).contains(system.team):
        raise NotAllowed("Only an owner of its team can give it back.")
    if system.owner is None:
        system.owner = actor


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

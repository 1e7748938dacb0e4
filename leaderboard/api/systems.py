"""The card of a system: read by whoever may know it, changed by its people."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import model_to_dict
from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import ConfigDict

from leaderboard import access, access_systems
from leaderboard.api.auth import OptionalToken, Token
from leaderboard.api.schemas import ErrorOut
from leaderboard.forms import SystemForm
from leaderboard.intake import cards
from leaderboard.models import System
from leaderboard.tables.system_page import system_page

router = Router(tags=["systems"])
FIELDS = tuple(SystemForm.Meta.fields)


class CardOut(Schema):
    """A system. `team` is the one that it belongs to, for its members only."""

    slug: str
    name: str
    organisation: str
    parameters: str
    family: str
    frames: int | None
    modality: str
    open_weights: bool | None
    licence: str
    link: str
    paper: str
    code: str
    outputs: str
    decoding: str
    prompt: str
    training_data: str
    note: str
    team: str


class ChangeOut(Schema):
    """A field of a card, and its value before and after as the page says them."""

    field: str
    before: str
    after: str


class EditOut(Schema):
    """What was changed at a time."""

    at: datetime
    changes: list[ChangeOut]


class CardIn(Schema):
    """What shall be changed; what is left out stays. An empty `team` gives it back to its owner."""

    model_config = ConfigDict(extra="forbid")

    name: str = ""
    organisation: str = ""
    parameters: str = ""
    family: str = ""
    frames: int | None = None
    modality: str = ""
    open_weights: bool | None = None
    licence: str = ""
    link: str = ""
    paper: str = ""
    code: str = ""
    outputs: str = ""
    decoding: str = ""
    prompt: str = ""
    training_data: str = ""
    note: str = ""
    team: str = ""


@router.get(
    "/systems/{slug}",
    response={200: CardOut} | dict.fromkeys((401, 404), ErrorOut),
    auth=OptionalToken(),
)
def get_system(request: HttpRequest, slug: str) -> dict[str, Any]:
    """The card of a system that you may know by name."""
    viewer = request.auth  # type: ignore[attr-defined]
    return _card(viewer, access_systems.system(viewer, slug))


@router.get(
    "/systems/{slug}/edits",
    response={200: list[EditOut]} | dict.fromkeys((401, 404), ErrorOut),
    auth=OptionalToken(),
)
def list_edits(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """How the card was changed since readers know the system by name, the newest first."""
    viewer = request.auth  # type: ignore[attr-defined]
    page = system_page(
        access_systems.system(viewer, slug),
        releases=access_systems.releases_with_scores(viewer),
        submissions=access_systems.named_submissions(viewer),
    )
    names = ("field", "before", "after")
    return [
        {
            "at": edit.at,
            "changes": [dict(zip(names, change, strict=True)) for change in edit.changes],
        }
        for edit in page.edits
    ]


@router.patch(
    "/systems/{slug}",
    response={200: CardOut} | dict.fromkeys((401, 403, 404, 409, 422), ErrorOut),
    auth=Token(),
)
def change_system(request: HttpRequest, slug: str, wish: CardIn) -> dict[str, Any]:
    """Change the card of a system of yours or of a team of yours; its history keeps the old one.

    The checks are those of the page. 409 when the name is somebody else's, or when you may not
    hand the system over.
    """
    user: User = request.auth  # type: ignore[attr-defined]
    found = access_systems.own_system(user, slug)
    given = wish.dict(exclude_unset=True)
    hands_over, team = "team" in given, given.pop("team", "")
    form = SystemForm(model_to_dict(found, FIELDS) | given, instance=found)
    if not form.is_valid():
        raise ValidationError(form.errors.as_data())
    with transaction.atomic():
        cards.edit_card(found, actor=user, card=form.cleaned_data)
        if hands_over:
            to = access.team(user, team) if team else None
            cards.hand_over(found, actor=user, team=to)
    return _card(user, System.objects.get(pk=found.pk))


def _card(viewer: access.Viewer, system: System) -> dict[str, Any]:
    own = access_systems.own_systems(viewer).contains(system)
    team = system.team.slug if own and system.team else ""
    return {"slug": system.slug, "team": team} | model_to_dict(system, FIELDS)

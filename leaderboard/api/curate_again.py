"""Scoring submissions of a track again, for scripts."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from leaderboard import access
from leaderboard.api.auth import Token
from leaderboard.api.curate_schemas import ReasonIn
from leaderboard.api.curate_score_schemas import BatchOut, CostOut
from leaderboard.api.schemas import ErrorOut
from leaderboard.curation import again

router = Router(tags=["curators"], auth=Token())
ERRORS = dict.fromkeys((400, 401, 403, 404, 409, 422), ErrorOut)
TRACK = "/{slug}/releases/{version}/tracks/{track}"


class AgainIn(ReasonIn):
    """Ids of submissions; null: all of the track."""

    submissions: list[UUID] | None = Field(None)


class AgainOut(Schema):
    """What would run."""

    submissions: list[str]
    cost: CostOut


@router.get(f"{TRACK}/again", response={200: AgainOut} | ERRORS)
def preview_again(
    request: HttpRequest,
    slug: str,
    version: str,
    track: str,
    submission: list[UUID] = Query([]),  # type: ignore[type-arg] # noqa: B008 - read from the query
) -> dict[str, Any]:
    """What scoring these submissions again would take; without any, all of the track."""
    found = access.curated_track(_user(request), slug, version, track)
    planned = again.plan(found, submission or None)
    return {"submissions": planned.submissions, "cost": CostOut.of(planned.cost)}


@router.post(f"{TRACK}/again", response={202: BatchOut} | ERRORS)
def score_again(
    request: HttpRequest, slug: str, version: str, track: str, given: AgainIn
) -> Status[dict[str, Any]]:
    """Have these runs queued at low priority; the board keeps each number until the new one."""
    found = access.curated_track(_user(request), slug, version, track)
    begun = again.score_again(track=found, actor=_user(request), **given.dict())
    return Status(202, BatchOut.of(begun))


def _user(request: HttpRequest) -> Any:
    return request.auth  # type: ignore[attr-defined]

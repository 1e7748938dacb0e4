"""Rankings as they were, for scripts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Router, Schema
from ninja.errors import ValidationError

from leaderboard import access
from leaderboard.api.auth import OptionalToken
from leaderboard.api.schemas import ErrorOut
from leaderboard.models import Provenance, Track
from leaderboard.tables import ranking_history as stored

router = Router(tags=["benchmarks"], auth=OptionalToken())
TRACK = "/benchmarks/{slug}/releases/{version}/tracks/{track}"
ERRORS = dict.fromkeys((404, 422), ErrorOut)
LISTED = 100


class EventOut(Schema):
    """One thing that changed; `system` is empty for what concerns all."""

    kind: str
    words: str
    system: str


class StepOut(Schema):
    """A stored ranking, and what was new in it; `first` when none was before it."""

    computed_at: datetime
    fingerprint: str
    systems: int
    first: bool
    events: list[EventOut]


class WhyOut(Schema):
    """A stored ranking in which a system's place, or what it follows from, changed."""

    computed_at: datetime
    fingerprint: str
    before: int | None
    after: int | None
    reasons: list[str]


class ThenOut(Schema):
    """The newest ranking of a moment. What is no longer public has no name any more."""

    computed_at: datetime
    fingerprint: str
    provenance: str
    signature: str
    rows: list[dict[str, Any]]


@router.get(f"{TRACK}/ranking/at/{{at}}", response={200: ThenOut} | ERRORS)
def get_ranking_at(
    request: HttpRequest,
    slug: str,
    version: str,
    track: str,
    at: str,
    provenance: Provenance = Provenance.VERIFIED,
) -> dict[str, Any]:
    """The table as it was at the end of a day (2026-11-30, by UTC) or at a moment (ISO 8601)."""
    found = _track(request, slug, version, track)
    moment = stored.moment_of(at)
    if moment is None:
        message = f"{at} is no date; write one as in 2026-11-30."
        raise ValidationError([{"loc": ("path", "at"), "msg": message}])
    ranking = stored.ranking_at(found, provenance, moment)
    if ranking is None:
        raise Http404
    names = ("computed_at", "fingerprint", "provenance", "signature", "rows")
    return {name: getattr(ranking, name) for name in names}


@router.get(f"{TRACK}/history", response={200: list[StepOut]} | ERRORS)
def get_history(
    request: HttpRequest,
    slug: str,
    version: str,
    track: str,
    provenance: Provenance = Provenance.VERIFIED,
) -> list[dict[str, Any]]:
    """The newest stored rankings, each with what was new in it."""
    found = _track(request, slug, version, track)
    rankings = list(stored.light(stored.rankings_of(found, provenance))[: LISTED + 1])
    older = rankings[LISTED] if len(rankings) > LISTED else None
    return [
        {
            "computed_at": step.ranking.computed_at,
            "fingerprint": step.ranking.fingerprint,
            "systems": step.systems,
            "first": step.first,
            "events": [
                {"kind": event.kind, "words": event.words, "system": event.system}
                for event in step.events
            ],
        }
        for step in stored.steps(rankings[:LISTED], older)
    ]


@router.get(f"{TRACK}/history/{{system}}", response={200: list[WhyOut]} | ERRORS)
def get_system_history(
    request: HttpRequest,
    slug: str,
    version: str,
    track: str,
    system: str,
    provenance: Provenance = Provenance.VERIFIED,
) -> list[dict[str, Any]]:
    """Why a system's place changed, the newest step first."""
    way = stored.way_of(_track(request, slug, version, track), provenance, system)
    if not way.steps:
        raise Http404
    return [
        {
            "computed_at": step.ranking.computed_at,
            "fingerprint": step.ranking.fingerprint,
            "before": step.why.before,
            "after": step.why.after,
            "reasons": list(step.why.reasons),
        }
        for step in way.steps
    ]


def _track(request: HttpRequest, slug: str, version: str, track: str) -> Track:
    found = access.track(slug, version, track)
    if not access.shows_scores(request.auth, found.release):  # type: ignore[attr-defined]
        raise Http404
    return found

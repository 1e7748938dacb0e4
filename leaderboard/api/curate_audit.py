"""The audit trail for scripts."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from leaderboard import access, access_curated
from leaderboard.api.auth import Token
from leaderboard.api.schemas import ErrorOut
from leaderboard.models import AuditEntry
from leaderboard.tables.audit_trail import Search, as_dicts

router = Router(tags=["curators"], auth=Token())
ERRORS = dict.fromkeys((400, 401, 403, 404, 422), ErrorOut)
AT_MOST = 500


class SearchIn(Schema):
    """What is looked for. Days are as in 2026-11-30, the last one included."""

    q: str = Field("", description="Words in actor, action, target or reason.")
    action: str = ""
    since: str = ""
    until: str = ""
    offset: int = Field(0, ge=0)
    limit: int = Field(100, ge=1, le=AT_MOST)


class EntryOut(Schema):
    """Who changed what, when, from what to what."""

    at: str
    actor: str
    benchmark: str | None
    action: str
    target: str
    target_id: str
    before: dict[str, Any]
    after: dict[str, Any]
    reason: str


class TrailOut(Schema):
    """A page of the trail, the newest first; `count` is of all that was found."""

    count: int
    entries: list[EntryOut]


@router.get("/audit", response={200: TrailOut} | ERRORS)
def whole_trail(request: HttpRequest, search: Query[SearchIn]) -> dict[str, Any]:
    """Staff: the trail of the whole site."""
    return _page(access_curated.audit_entries(_user(request), None), search)


@router.get("/{slug}/audit", response={200: TrailOut} | ERRORS)
def trail(request: HttpRequest, slug: str, search: Query[SearchIn]) -> dict[str, Any]:
    """The trail of a benchmark."""
    benchmark = access.curated_benchmark(_user(request), slug)
    return _page(access_curated.audit_entries(_user(request), benchmark), search)


def _page(entries: Any, asked: SearchIn) -> dict[str, Any]:
    found = Search.parse(asked.dict(include={"q", "action", "since", "until"})).of(entries)
    pks = found.values_list("pk", flat=True)[asked.offset : asked.offset + asked.limit]
    page = AuditEntry.objects.filter(pk__in=list(pks)).select_related("benchmark")
    return {"count": found.count(), "entries": list(as_dicts(page.order_by("-at", "-pk")))}


def _user(request: HttpRequest) -> Any:
    return request.auth  # type: ignore[attr-defined]

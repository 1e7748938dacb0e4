"""Before an upload: what a file would be told, and how much may still be sent."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja import Router

from leaderboard import access, intake
from leaderboard.api.auth import Token
from leaderboard.api.body import sent
from leaderboard.api.fields import FileFields, openapi_body, read_fields
from leaderboard.api.schemas import CheckOut, ErrorOut, QuotaOut

router = Router(tags=["submissions"])


@router.post(
    "/benchmarks/{slug}/check",
    response={200: CheckOut} | dict.fromkeys((400, 401, 404, 413, 422), ErrorOut),
    auth=Token(),
    openapi_extra=openapi_body(FileFields),
)
def check_file(request: HttpRequest, slug: str) -> dict[str, Any]:
    """A dry run: check a file against the benchmark's newest release, and store nothing.

    It is sent as an upload is. The answer is 200 for a bad file too: `ok` says whether it would be
    accepted and `problems` all that was found. Nothing is scored and no quota is used.
    """
    release = access.newest_release(slug)
    values, data, filename = sent(request)
    fields = read_fields(FileFields, values)
    report = intake.check(
        release=release,
        data=data,
        filename=filename,
        user=request.auth,  # type: ignore[attr-defined]
        contents=fields.contents(release),
    )
    return {"benchmark": slug, "release": release.version} | report.to_json()


@router.get(
    "/benchmarks/{slug}/quota",
    response={200: QuotaOut} | dict.fromkeys((401, 404), ErrorOut),
    auth=Token(),
)
def get_quota(request: HttpRequest, slug: str, team: str = "") -> dict[str, Any]:
    """What you may still submit to the benchmark, and when the next one is taken.

    `team` asks the same for a team that you have joined (404 for another), which counts for itself
    where `per` is `team`.

    Null where there is no limit. Only accepted submissions count: not refused files, dry runs,
    submissions cancelled before anything was scored, or failures on the site's side.
    """
    release = access.newest_release(slug)
    user: User = request.auth  # type: ignore[attr-defined]
    found = intake.allowance(release, user, access.team(user, team) if team else None)
    policy = found.policy
    return {
        "benchmark": slug,
        "release": release.version,
        "team": team,
        "limit": found.limit,
        "used": found.used,
        "left": found.left,
        "window": policy.window if policy else "",
        "hours": policy.hours if policy and policy.window == policy.Window.ROLLING else None,
        "per": policy.per if policy else "",
        "at_once": found.at_once,
        "running": found.running,
        "opens_at": found.opens_at,
        "closes_at": found.closes_at,
        "next_at": found.next_at,
        "taken_now": found.refusal is None,
        "why_not": str(found.refusal or ""),
    }

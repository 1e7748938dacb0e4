"""News, and numbers of papers, for scripts of curators."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from leaderboard import access, access_curated
from leaderboard.api.auth import Token
from leaderboard.api.curate_schemas import Given
from leaderboard.api.schemas import ErrorOut
from leaderboard.curation import news, reported
from leaderboard.models import Announcement, ReportedResult

router = Router(tags=["curators"], auth=Token())
ERRORS = dict.fromkeys((400, 401, 403, 404, 409, 422), ErrorOut)
TRACK = "/{slug}/releases/{version}/tracks/{track}"


class AnnouncementIn(Given):
    """News in Markdown."""

    title: str = Field(max_length=160)
    text: str = ""


class AnnouncementOut(Schema):
    """News as they were posted."""

    id: int
    title: str
    text: str
    posted_at: datetime


class ReportedIn(Given):
    """A number of a paper; those fields left out of a change stay as they are."""

    judge: str = Field("", max_length=80)
    metric: str = Field("", max_length=40)
    part: str = Field("", max_length=40, description="Empty: all of the benchmark.")
    mean: float = 0.0
    std: float | None = None
    clips: int | None = Field(None, ge=1)
    source: str = Field("", max_length=300, description="Address of the paper.")


class NewReportedIn(ReportedIn):
    """The same, with the system by its name or slug; one that is new is made."""

    system: str = Field(max_length=140)
    judge: str = Field(max_length=80)
    metric: str = Field(max_length=40)
    mean: float
    source: str = Field(max_length=300, description="Address of the paper.")


class ReportedOut(Schema):
    """A number of a paper."""

    id: int
    system: str
    judge: str
    metric: str
    part: str
    mean: float
    std: float | None
    clips: int | None
    source: str

    @staticmethod
    def of(row: ReportedResult) -> dict[str, Any]:
        """The row, with the system's slug."""
        values = {name: getattr(row, name) for name in reported.VALUES}
        return {"id": row.pk, "system": row.system.slug, **values}


@router.get("/{slug}/news", response={200: list[AnnouncementOut]} | ERRORS)
def list_news(request: HttpRequest, slug: str) -> list[Announcement]:
    """What was announced, the newest first."""
    return list(access.curated_benchmark(_user(request), slug).announcements.all())


@router.post("/{slug}/news", response={201: AnnouncementOut} | ERRORS)
def post_news(request: HttpRequest, slug: str, given: AnnouncementIn) -> Status[Announcement]:
    """Announce something; it stands on the benchmark's page and in its feed."""
    found = access.curated_benchmark(_user(request), slug)
    return Status(201, news.post(benchmark=found, actor=_user(request), **given.dict()))


@router.put("/{slug}/news/{int:pk}", response={200: AnnouncementOut} | ERRORS)
def edit_news(request: HttpRequest, slug: str, pk: int, given: AnnouncementIn) -> Announcement:
    """Say it otherwise."""
    found = access_curated.curated_announcement(_user(request), slug, pk)
    return news.edit(announcement=found, actor=_user(request), **given.dict())


@router.delete("/{slug}/news/{int:pk}", response={204: None} | ERRORS)
def remove_news(request: HttpRequest, slug: str, pk: int) -> Status[None]:
    """Take it away."""
    found = access_curated.curated_announcement(_user(request), slug, pk)
    news.remove(announcement=found, actor=_user(request))
    return Status(204, None)


@router.get(f"{TRACK}/reported", response={200: list[ReportedOut]} | ERRORS)
def list_reported(request: HttpRequest, slug: str, version: str, track: str) -> list[Any]:
    """The numbers of papers on a track."""
    found = access.curated_track(_user(request), slug, version, track)
    return [ReportedOut.of(row) for row in found.reported.select_related("system")]


@router.post(f"{TRACK}/reported", response={201: ReportedOut} | ERRORS)
def add_reported(
    request: HttpRequest, slug: str, version: str, track: str, given: NewReportedIn
) -> Status[dict[str, Any]]:
    """Add a number of a paper; the reported table follows at once."""
    found = access.curated_track(_user(request), slug, version, track)
    values = given.dict()
    system = values.pop("system")
    row = reported.add_result(track=found, system=system, values=values, actor=_user(request))
    return Status(201, ReportedOut.of(row))


@router.patch(f"{TRACK}/reported/{{int:pk}}", response={200: ReportedOut} | ERRORS)
def edit_reported(
    request: HttpRequest, slug: str, version: str, track: str, pk: int, given: ReportedIn
) -> dict[str, Any]:
    """Change a number of a paper."""
    found = access.curated_track(_user(request), slug, version, track)
    row = access_curated.reported_result(found, pk)
    values = given.dict(exclude_unset=True)
    return ReportedOut.of(reported.edit_result(result=row, values=values, actor=_user(request)))


@router.delete(f"{TRACK}/reported/{{int:pk}}", response={204: None} | ERRORS)
def remove_reported(
    request: HttpRequest, slug: str, version: str, track: str, pk: int
) -> Status[None]:
    """Take a number away."""
    found = access.curated_track(_user(request), slug, version, track)
    row = access_curated.reported_result(found, pk)
    reported.remove_result(result=row, actor=_user(request))
    return Status(204, None)


def _user(request: HttpRequest) -> Any:
    return request.auth  # type: ignore[attr-defined]

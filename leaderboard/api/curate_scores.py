"""What follows from corrections and from other panels: differences, costs, rescoring."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router, Status
from ninja.pagination import paginate

from leaderboard import access
from leaderboard.api.auth import Token
from leaderboard.api.curate_score_schemas import (
    BatchOut,
    ChangesOut,
    CostOut,
    LackingOut,
    PanelIn,
    TrackIn,
    UploadsIn,
)
from leaderboard.api.schemas import ErrorOut, TrackOut
from leaderboard.curation import batches, diff, new_tracks, panels, rescoring
from leaderboard.models import Release, Track

router = Router(tags=["curators"], auth=Token())
ERRORS = dict.fromkeys((400, 401, 403, 404, 409, 422), ErrorOut)
AT = "/{slug}/releases/{version}"
TRACK = f"{AT}/tracks/{{track}}"


@router.get(f"{AT}/changes", response={200: ChangesOut} | ERRORS)
def get_changes(request: HttpRequest, slug: str, version: str, older: str = "") -> dict[str, Any]:
    """What differs from an older release, and what rescoring its submissions would take.

    Without `older` that is the release which this one corrects.
    """
    old, new = _both(request, slug, version, older)
    return ChangesOut.of(diff.compare(old, new), rescoring.plan(old, new))


@router.post(f"{AT}/rescore", response={202: BatchOut} | ERRORS)
def rescore(
    request: HttpRequest, slug: str, version: str, older: str = ""
) -> Status[dict[str, Any]]:
    """Have the public submissions of the older release taken in again, at low priority."""
    old, new = _both(request, slug, version, older)
    return Status(202, BatchOut.of(rescoring.rescore(old=old, new=new, actor=_user(request))))


@router.get("/{slug}/batches", response=list[BatchOut])
@paginate
def list_batches(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """What was begun for many submissions at once, the newest first."""
    found = access.curated_benchmark(_user(request), slug)
    return [BatchOut.of(batch) for batch in batches.of(found)]


@router.get("/{slug}/batches/{pk}", response={200: BatchOut} | ERRORS)
def get_batch(request: HttpRequest, slug: str, pk: int) -> dict[str, Any]:
    """How far one of them is."""
    found = access.curated_benchmark(_user(request), slug)
    return BatchOut.of(get_object_or_404(batches.of(found), pk=pk))


@router.post(f"{AT}/tracks", response={201: TrackOut} | ERRORS)
def create_track(request: HttpRequest, slug: str, version: str, given: TrackIn) -> Status[Track]:
    """Add a track to a release, draft or published; it holds no data."""
    found = access.curated_release(_user(request), slug, version)
    made = new_tracks.add_track(release=found, values=given.dict(), actor=_user(request))
    return Status(201, made)


@router.put(f"{TRACK}/judges", response={200: TrackOut} | ERRORS)
def set_judges(request: HttpRequest, slug: str, version: str, track: str, given: PanelIn) -> Track:
    """Choose a track's judges; once it has numbers this makes a new version of it."""
    found = access.curated_track(_user(request), slug, version, track)
    return panels.change_panel(track=found, actor=_user(request), **given.dict())


@router.put(f"{TRACK}/uploads", response={200: TrackOut} | ERRORS)
def take_uploads(
    request: HttpRequest, slug: str, version: str, track: str, given: UploadsIn
) -> Track:
    """Open a track to uploads, or close it; what was scored stays."""
    found = access.curated_track(_user(request), slug, version, track)
    return panels.take_uploads(track=found, actor=_user(request), **given.dict())


@router.get(f"{TRACK}/lacking", response={200: LackingOut} | ERRORS)
def get_lacking(request: HttpRequest, slug: str, version: str, track: str) -> dict[str, Any]:
    """What has to be scored before the track ranks everybody, and what it takes."""
    found = panels.lacking(access.curated_track(_user(request), slug, version, track))
    return {"submissions": len(found.submissions), "cost": CostOut.of(found.cost)}


@router.post(f"{TRACK}/lacking", response={202: BatchOut} | ERRORS)
def queue_lacking(
    request: HttpRequest, slug: str, version: str, track: str
) -> Status[dict[str, Any]]:
    """Have these runs queued at low priority."""
    found = access.curated_track(_user(request), slug, version, track)
    return Status(202, BatchOut.of(panels.queue_lacking(track=found, actor=_user(request))))


def _both(request: HttpRequest, slug: str, version: str, older: str) -> tuple[Release, Release]:
    new = access.curated_release(_user(request), slug, version)
    old = access.curated_release(_user(request), slug, older) if older else new.corrects
    if old is None:
        raise Http404
    return old, new


def _user(request: HttpRequest) -> Any:
    return request.auth  # type: ignore[attr-defined]

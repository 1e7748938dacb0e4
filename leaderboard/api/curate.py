"""What curators do to benchmarks and releases; whoever is none of theirs gets 404."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.http import HttpRequest
from ninja import Router, Status
from ninja.pagination import paginate

from leaderboard import access
from leaderboard.api.auth import Token
from leaderboard.api.body import sent
from leaderboard.api.curate_schemas import (
    BenchmarkIn,
    CardIn,
    CuratedClipOut,
    CuratedOut,
    CuratedReleaseOut,
    CuratorsIn,
    DataFields,
    DataOut,
    QuotaIn,
    ReasonIn,
    SettingsIn,
    VersionIn,
)
from leaderboard.api.fields import openapi_body, read_fields
from leaderboard.api.schemas import ErrorOut
from leaderboard.curation import benchmarks, corrections, quotas, releases, sources
from leaderboard.curation.readiness import obstacles
from leaderboard.models import Release

router = Router(tags=["curators"], auth=Token())
ERRORS = dict.fromkeys((400, 401, 403, 404, 409, 413, 422), ErrorOut)
BENCHMARK = {200: CuratedOut} | ERRORS
RELEASE = {200: CuratedReleaseOut} | ERRORS
NEW_RELEASE = {201: CuratedReleaseOut} | ERRORS
FILE = openapi_body(DataFields)
AT = "/{slug}/releases/{version}"


@router.get("", response={200: list[CuratedOut]} | ERRORS)
def list_curated(request: HttpRequest) -> list[dict[str, Any]]:
    """The benchmarks that you curate."""
    return [CuratedOut.of(one) for one in access.curated_benchmarks(_user(request))]


@router.post("", response={201: CuratedOut} | ERRORS)
def create_benchmark(request: HttpRequest, given: BenchmarkIn) -> Status[dict[str, Any]]:
    """A benchmark without releases, seen by its curators only; you become one."""
    access.adds_benchmarks(_user(request))
    values = given.dict(exclude_unset=True)
    slug = values.pop("slug")
    made = benchmarks.create_benchmark(slug=slug, values=values, actor=_user(request))
    return Status(201, CuratedOut.of(made))


@router.get("/{slug}", response=BENCHMARK)
def get_curated(request: HttpRequest, slug: str) -> dict[str, Any]:
    """One benchmark with its card, curators and releases, drafts too."""
    return CuratedOut.of(access.curated_benchmark(_user(request), slug))


@router.patch("/{slug}", response=BENCHMARK)
def edit_card(request: HttpRequest, slug: str, given: CardIn) -> dict[str, Any]:
    """Change the card and the policies."""
    found = access.curated_benchmark(_user(request), slug)
    values = given.dict(exclude_unset=True)
    return CuratedOut.of(benchmarks.edit_card(benchmark=found, values=values, actor=_user(request)))


@router.put("/{slug}/curators", response=BENCHMARK)
def set_curators(request: HttpRequest, slug: str, given: CuratorsIn) -> dict[str, Any]:
    """Say who curates; staff always do."""
    found = access.curated_benchmark(_user(request), slug)
    benchmarks.set_curators(benchmark=found, usernames=given.curators, actor=_user(request))
    return CuratedOut.of(found)


@router.put("/{slug}/quota", response=BENCHMARK)
def set_quota(request: HttpRequest, slug: str, given: QuotaIn) -> dict[str, Any]:
    """Say how much may be submitted; what is left out stays. Null lifts a limit."""
    found = access.curated_benchmark(_user(request), slug)
    values = given.dict(exclude_unset=True)
    quotas.set_policy(benchmark=found, values=values, actor=_user(request))
    return CuratedOut.of(found)


@router.post("/{slug}/check", response={200: DataOut} | ERRORS, openapi_extra=FILE)
def check_data(request: HttpRequest, slug: str) -> dict[str, Any]:
    """All that is wrong with a file of data, and its first clips; nothing is stored."""
    access.curated_benchmark(_user(request), slug)
    return DataOut.of(_data(request)[0])


@router.post("/{slug}/releases", response=NEW_RELEASE, openapi_extra=FILE)
def add_release(request: HttpRequest, slug: str) -> Status[dict[str, Any]]:
    """A draft from a file of data; 422 with every problem when it cannot be one."""
    found = access.curated_benchmark(_user(request), slug)
    data, fields = _data(request)
    made = releases.add_release(
        benchmark=found,
        version=fields.version,
        notes=fields.notes,
        data=data,
        actor=_user(request),
    )
    return Status(201, _shown(made))


@router.get(AT, response=RELEASE)
def get_release(request: HttpRequest, slug: str, version: str) -> dict[str, Any]:
    """A release, draft or published, and what keeps a draft from being published."""
    return _shown(access.curated_release(_user(request), slug, version))


@router.patch(AT, response=RELEASE)
def change_settings(
    request: HttpRequest, slug: str, version: str, given: SettingsIn
) -> dict[str, Any]:
    """Notes, opening times, embargo, hidden references, missing clips."""
    found = access.curated_release(_user(request), slug, version)
    values = given.dict(exclude_unset=True)
    return _shown(releases.change_settings(release=found, values=values, actor=_user(request)))


@router.delete(AT, response={204: None} | ERRORS)
def discard_release(request: HttpRequest, slug: str, version: str) -> Status[None]:
    """Delete a draft; 409 for what is published."""
    found = access.curated_release(_user(request), slug, version)
    releases.discard(release=found, actor=_user(request))
    return Status(204, None)


@router.put(f"{AT}/data", response=RELEASE, openapi_extra=FILE)
def replace_data(request: HttpRequest, slug: str, version: str) -> dict[str, Any]:
    """Other data for a draft; 409 for what is published."""
    found = access.curated_release(_user(request), slug, version)
    data, _ = _data(request)
    return _shown(releases.replace_data(release=found, data=data, actor=_user(request)))


@router.post(f"{AT}/publish", response=RELEASE)
def publish_release(request: HttpRequest, slug: str, version: str) -> dict[str, Any]:
    """Open a draft to everybody and freeze its data."""
    found = access.curated_release(_user(request), slug, version)
    return _shown(releases.publish(release=found, actor=_user(request)))


@router.post(f"{AT}/correct", response=NEW_RELEASE)
def correct_release(
    request: HttpRequest, slug: str, version: str, given: VersionIn
) -> Status[dict[str, Any]]:
    """A draft with the data and tracks of a published release."""
    found = access.curated_release(_user(request), slug, version)
    made = corrections.correct(release=found, actor=_user(request), **given.dict())
    return Status(201, _shown(made))


@router.get(f"{AT}/clips", response=list[CuratedClipOut])
@paginate
def list_clips(request: HttpRequest, slug: str, version: str) -> list[dict[str, Any]]:
    """The clips of a release, draft or published, in their order."""
    found = access.curated_release(_user(request), slug, version)
    texts = found.clips.order_by().values_list("pk").annotate(texts=Count("references"))
    counts = dict(texts)
    return [CuratedClipOut.of(clip, counts[clip.pk]) for clip in found.clips.order_by("position")]


@router.put(f"{AT}/exclusions/{{path:key}}", response=RELEASE)
def exclude_clip(
    request: HttpRequest, slug: str, version: str, key: str, given: ReasonIn
) -> dict[str, Any]:
    """Leave a clip of a draft out for everybody, for a reason that everybody reads."""
    clip = access.curated_clip(_user(request), slug, version, key)
    releases.exclude_clip(clip=clip, reason=given.reason, actor=_user(request))
    return _shown(clip.release)


@router.delete(f"{AT}/exclusions/{{path:key}}", response=RELEASE)
def include_clip(request: HttpRequest, slug: str, version: str, key: str) -> dict[str, Any]:
    """Let a clip of a draft count again."""
    clip = access.curated_clip(_user(request), slug, version, key)
    releases.include_clip(clip=clip, actor=_user(request))
    return _shown(clip.release)


def _user(request: HttpRequest) -> Any:
    return request.auth  # type: ignore[attr-defined]


def _data(request: HttpRequest) -> tuple[sources.Data, DataFields]:
    values, data, filename = sent(request)
    fields = read_fields(DataFields, values)
    return sources.read(data, filename, fields.kind), fields


def _shown(release: Release) -> dict[str, Any]:
    return CuratedReleaseOut.of(release, [] if release.is_frozen else obstacles(release))

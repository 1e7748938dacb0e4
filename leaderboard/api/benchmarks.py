"""Benchmarks, their releases, and the rankings of their tracks."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest
from ninja import Router

from leaderboard import access, exports
from leaderboard.api.auth import OptionalToken
from leaderboard.api.schemas import BenchmarkDetail, BenchmarkOut, ErrorOut, RankingOut, ReleaseOut
from leaderboard.intake import direct
from leaderboard.models import Benchmark, Provenance, Release
from leaderboard.tables import by_baseline, newest_shown

router = Router(tags=["benchmarks"], auth=OptionalToken())


@router.get("/benchmarks", response=list[BenchmarkOut])
def list_benchmarks(request: HttpRequest) -> list[dict[str, Any]]:
    """All benchmarks with a published release."""
    return [_benchmark(benchmark) for benchmark in access.benchmarks()]


@router.get("/benchmarks/{slug}", response={200: BenchmarkDetail, 404: ErrorOut})
def get_benchmark(request: HttpRequest, slug: str) -> dict[str, Any]:
    """One benchmark with its published releases and their tracks."""
    found = access.benchmark(slug)
    return _benchmark(found) | {
        "description": found.description,
        "licence_url": found.licence_url,
        "homepage": found.homepage,
        "citation": found.citation,
        "upload_limit": settings.UPLOAD_MAX_BYTES,
        "direct_upload_from": direct.offered_from(),
        "releases": [_release(release) for release in found.releases.all()],
    }


@router.get("/benchmarks/{slug}/releases/{version}", response={200: ReleaseOut, 404: ErrorOut})
def get_release(request: HttpRequest, slug: str, version: str) -> dict[str, Any]:
    """One published release with its tracks."""
    return _release(access.release(slug, version))


@router.get(
    "/benchmarks/{slug}/releases/{version}/tracks/{track}/ranking",
    response={200: RankingOut, 404: ErrorOut},
)
def get_ranking(
    request: HttpRequest,
    slug: str,
    version: str,
    track: str,
    provenance: Provenance = Provenance.VERIFIED,
) -> dict[str, Any]:
    """The newest ranking of a track; 404 while there is none of that provenance, or an embargo."""
    found = access.track(slug, version, track)
    if not access.shows_scores(request.auth, found.release):  # type: ignore[attr-defined]
        raise Http404
    ranking = newest_shown(found, provenance)
    if ranking is None:
        raise Http404
    return {
        "benchmark": slug,
        "release": version,
        "track": track,
        "provenance": ranking.provenance,
        "computed_at": ranking.computed_at,
        "signature": ranking.signature,
        "fingerprint": ranking.fingerprint,
        "permalink": exports.permalink(ranking),
        "agreement": ranking.agreement,
        "baseline": by_baseline(found),
        "rows": ranking.rows,
    }


def _benchmark(benchmark: Benchmark) -> dict[str, Any]:
    return {
        "slug": benchmark.slug,
        "name": benchmark.name,
        "summary": benchmark.summary,
        "licence": benchmark.licence,
        "versions": [release.version for release in benchmark.releases.all()],
    }


def _release(release: Release) -> dict[str, Any]:
    clips = dict(release.clips.order_by("position").values_list("key", "excluded"))
    excluded = [key for key, left_out in clips.items() if left_out]
    return {
        "version": release.version,
        "notes": release.notes,
        "published_at": release.published_at,
        "clips": len(clips) - len(excluded),
        "excluded": excluded,
        "tracks": list(release.tracks.all()),
    }

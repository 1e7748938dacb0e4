"""Who may see what: every view and every API route gets its row here, or answers 404.

A thing one may not see and a thing that does not exist look the same from outside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from leaderboard.models import Benchmark, Clip, Release, Submission, Track

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser

    Viewer: TypeAlias = AbstractBaseUser | AnonymousUser


def benchmarks() -> QuerySet[Benchmark]:
    """Those with a published release, their published releases and tracks prefetched."""
    releases = Release.objects.published().order_by("-published_at", "-pk")
    return (
        Benchmark.objects.filter(releases__in=Release.objects.published())
        .distinct()
        .prefetch_related(Prefetch("releases", releases), "releases__tracks")
    )


def benchmark(slug: str) -> Benchmark:
    """One of ``benchmarks()``."""
    return get_object_or_404(benchmarks(), slug=slug)


def release(slug: str, version: str) -> Release:
    """A published release with its benchmark."""
    published = Release.objects.published().select_related("benchmark")
    return get_object_or_404(published, benchmark__slug=slug, version=version)


def newest_release(slug: str) -> Release:
    """The benchmark's newest published release: the one that takes submissions."""
    published = Release.objects.published().select_related("benchmark")
    found = published.filter(benchmark__slug=slug).order_by("-published_at", "-pk").first()
    if found is None:
        raise Http404("No such benchmark.")
    return found


def track(slug: str, version: str, track_slug: str) -> Track:
    """A track of a published release, with release and benchmark."""
    tracks = Track.objects.filter(release__in=Release.objects.published())
    return get_object_or_404(
        tracks.select_related("release__benchmark"),
        release__benchmark__slug=slug,
        release__version=version,
        slug=track_slug,
    )


def clip(slug: str, version: str, key: str) -> Clip:
    """A clip of a published release, with release and benchmark."""
    clips = Clip.objects.filter(release__in=Release.objects.published())
    return get_object_or_404(
        clips.select_related("release__benchmark"),
        release__benchmark__slug=slug,
        release__version=version,
        key=key,
    )


def submission(viewer: Viewer, pk: UUID | str) -> Submission:
    """A submission that ``viewer`` may see, with system, release and benchmark."""
    visible = Submission.objects.visible_to(viewer)
    return get_object_or_404(visible.select_related("system", "release__benchmark", "user"), pk=pk)


def submission_of(viewer: Viewer, release: Release, pk: str) -> Submission:
    """A submission to ``release`` that ``viewer`` may see, named in an address's query."""
    try:
        found = submission(viewer, UUID(pk))
    except ValueError as error:
        raise Http404("Not the id of a submission.") from error
    if found.release_id != release.pk:
        raise Http404("A submission to another release.")
    return found

"""Who may see what: every view and every API route gets its row here, or answers 404.

A thing one may not see and a thing that does not exist look the same from outside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias
from uuid import UUID

from django.contrib.auth.models import PermissionsMixin, User
from django.db.models import Prefetch, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from leaderboard.models import (
    Benchmark,
    Clip,
    Membership,
    Names,
    Ranking,
    Release,
    Submission,
    Team,
    Track,
)

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
        tracks.select_related("release__benchmark", "replaces", "replaced_by"),
        release__benchmark__slug=slug,
        release__version=version,
        slug=track_slug,
    )


def stored_ranking(track: Track, fingerprint: str) -> Ranking:
    """A ranking of ``track`` that was computed at some time, with track, release, benchmark."""
    found = track.rankings.filter(fingerprint=fingerprint).order_by("-computed_at", "-pk").first()
    if found is None:
        raise Http404("No such ranking.")
    found.track = track
    return found


def clip(slug: str, version: str, key: str) -> Clip:
    """A clip of a published release, with release and benchmark."""
    clips = Clip.objects.filter(release__in=Release.objects.published())
    return get_object_or_404(
        clips.select_related("release__benchmark"),
        release__benchmark__slug=slug,
        release__version=version,
        key=key,
    )


def clip_with_media(pk: int) -> Clip:
    """A clip of a published release that has a video of our own."""
    clips = Clip.objects.filter(release__in=Release.objects.published()).exclude(media="")
    return get_object_or_404(clips, pk=pk)


def submission(viewer: Viewer, pk: UUID | str) -> Submission:
    """A submission that ``viewer`` may see, with system, release and benchmark."""
    visible = Submission.objects.visible_to(viewer)
    rows = visible.select_related("system", "release__benchmark", "user__profile", "team")
    return get_object_or_404(rows, pk=pk)


def own_submission(viewer: Viewer, pk: UUID | str) -> Submission:
    """A submission that ``viewer`` may change."""
    own = Submission.objects.of(viewer)
    return get_object_or_404(own.select_related("system", "release__benchmark", "user"), pk=pk)


def is_own(viewer: Viewer, submission: Submission) -> bool:
    """Whether ``viewer`` may change the submission."""
    return Submission.objects.of(viewer).filter(pk=submission.pk).exists()


def steers(viewer: Viewer, submission: Submission) -> bool:
    """Whether ``viewer`` may cancel its runs and have them tried again: its people and staff."""
    return getattr(viewer, "is_staff", False) or is_own(viewer, submission)


def steered_submission(viewer: Viewer, pk: UUID | str) -> Submission:
    """A submission that ``viewer`` ``steers``."""
    found = submission(viewer, pk)
    if not steers(viewer, found):
        raise Http404("Not yours to cancel or to try again.")
    return found


def sees_names(viewer: Viewer, submission: Submission) -> bool:
    """Whether ``viewer`` reads the names of a submission that hides them from others.

    Its people do, and those who answer for the board: staff and the benchmark's curators.
    """
    if not submission.is_nameless(timezone.now()) or getattr(viewer, "is_staff", False):
        return True
    return is_own(viewer, submission) or curates(viewer, submission.release.benchmark)


def names(viewer: Viewer, submission: Submission) -> Names:
    """What ``viewer`` calls the submission's system."""
    if sees_names(viewer, submission):
        return Names(submission.system.slug, submission.system.name)
    return submission.names(timezone.now())


def versions(viewer: Viewer, submission: Submission) -> QuerySet[Submission]:
    """Of the same system, release and kind, the submissions that ``viewer`` may see, newest first.

    Where names are kept from the viewer, those that go by the same pseudonym only; and beside a
    named one none that is nameless: either list would tell whose it is.
    """
    same = Submission.objects.visible_to(viewer).filter(
        system=submission.system_id, release=submission.release_id, kind=submission.kind
    )
    now = timezone.now()
    if not sees_names(viewer, submission):
        return same.nameless(now)
    hidden = [one.pk for one in same.nameless(now) if not sees_names(viewer, one)]
    return same.exclude(pk__in=hidden)


def submission_of(viewer: Viewer, release: Release, pk: str) -> Submission:
    """A submission to ``release`` that ``viewer`` may see, named in an address's query."""
    try:
        found = submission(viewer, UUID(pk))
    except ValueError as error:
        raise Http404("Not the id of a submission.") from error
    if found.release_id != release.pk:
        raise Http404("A submission to another release.")
    return found


def curates(viewer: Viewer, benchmark: Benchmark) -> bool:
    """Whether ``viewer`` may change the benchmark: staff, and its curators."""
    if getattr(viewer, "is_staff", False):
        return True
    return viewer.is_authenticated and benchmark.curators.filter(pk=viewer.pk).exists()


def may_add_benchmarks(viewer: Viewer) -> bool:
    """Staff, and whoever curates a benchmark already or was given the right in the admin."""
    if getattr(viewer, "is_staff", False) or curated_benchmarks(viewer).exists():
        return True
    return isinstance(viewer, PermissionsMixin) and viewer.has_perm("leaderboard.add_benchmark")


def adds_benchmarks(viewer: Viewer) -> None:
    """404 for who may not."""
    if not may_add_benchmarks(viewer):
        raise Http404("No such page.")


def curated_benchmarks(viewer: Viewer) -> QuerySet[Benchmark]:
    """Those that ``viewer`` may change, published or not."""
    if getattr(viewer, "is_staff", False):
        return Benchmark.objects.all()
    if not viewer.is_authenticated:
        return Benchmark.objects.none()
    return Benchmark.objects.filter(curators=viewer.pk)


def curated_benchmark(viewer: Viewer, slug: str) -> Benchmark:
    """One of ``curated_benchmarks``."""
    return get_object_or_404(curated_benchmarks(viewer), slug=slug)


def curated_release(viewer: Viewer, slug: str, version: str) -> Release:
    """A release, draft or published, of a benchmark that ``viewer`` curates."""
    benchmark = curated_benchmark(viewer, slug)
    releases = benchmark.releases.select_related("benchmark", "corrects")
    return get_object_or_404(releases, version=version)


def curated_clip(viewer: Viewer, slug: str, version: str, key: str) -> Clip:
    """A clip of such a release."""
    release = curated_release(viewer, slug, version)
    return get_object_or_404(release.clips.select_related("release__benchmark"), key=key)


def curated_track(viewer: Viewer, slug: str, version: str, track_slug: str) -> Track:
    """A track of such a release."""
    release = curated_release(viewer, slug, version)
    return get_object_or_404(release.tracks.select_related("release__benchmark"), slug=track_slug)


def shows_references(viewer: Viewer, release: Release) -> bool:
    """Whether ``viewer`` may read what people wrote of the clips, and all that quotes it.

    That is references, keypoints and captions, and the evidence of judges: sentences matched,
    facts, verdicts.
    """
    return not release.references_hidden or curates(viewer, release.benchmark)


def shows_scores(viewer: Viewer, release: Release) -> bool:
    """Whether ``viewer`` may see rankings, and scores that are not their own."""
    return not release.is_embargoed(timezone.now()) or curates(viewer, release.benchmark)


def team(viewer: Viewer, slug: str) -> Team:
    """A team that ``viewer`` has joined."""
    return get_object_or_404(Team.objects.of(viewer), slug=slug)


def owned_team(viewer: Viewer, slug: str) -> Team:
    """A team in which ``viewer`` invites and removes people."""
    return get_object_or_404(Team.objects.owned_by(viewer), slug=slug)


def inviting_team(viewer: User, slug: str) -> Team:
    """A team that has invited ``viewer``."""
    return get_object_or_404(Team.objects.inviting(viewer), slug=slug)


def membership(viewer: Viewer, slug: str, pk: int) -> Membership:
    """A member of a team in which ``viewer`` invites and removes people."""
    members = Membership.objects.filter(team=owned_team(viewer, slug))
    return get_object_or_404(members.select_related("team", "user"), pk=pk)


def shows_scores_of(viewer: Viewer, submission: Submission) -> bool:
    """Whether ``viewer`` may see the submission's scores: its people and curators always may.

    Its place among others is a ranking: see ``shows_scores``.
    """
    return shows_scores(viewer, submission.release) or is_own(viewer, submission)

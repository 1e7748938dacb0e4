"""Which systems, and whose scores and references, a viewer may see among many: ``access`` in sets.

It stands beside ``access``, which says the same of one thing at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone

from leaderboard.access import curated_benchmarks
from leaderboard.models import Release, ReportedResult, Submission, System, Team

if TYPE_CHECKING:
    from leaderboard.access import Viewer


def releases_with_scores(viewer: Viewer) -> QuerySet[Release]:
    """The published releases whose scores ``viewer`` may see, as ``shows_scores`` says of one."""
    open_now = Q(embargo_until__isnull=True) | Q(embargo_until__lte=timezone.now())
    curated = Q(benchmark__in=curated_benchmarks(viewer))
    return Release.objects.published().filter(open_now | curated)


def releases_with_references(viewer: Viewer) -> QuerySet[Release]:
    """The published releases whose references ``viewer`` may read: ``shows_references``."""
    curated = Q(benchmark__in=curated_benchmarks(viewer))
    return Release.objects.published().filter(Q(references_hidden=False) | curated)


def named_submissions(viewer: Viewer) -> QuerySet[Submission]:
    """Those to published releases that stand under the name of their system for ``viewer``.

    What is open to all and not anonymous, and one's own whatever its state; for staff all.
    """
    seen = Submission.objects.filter(release__in=Release.objects.published())
    if getattr(viewer, "is_staff", False):
        return seen
    kept_back = Submission.objects.nameless(timezone.now()).values("pk")
    named = Submission.objects.open_to_all().exclude(pk__in=kept_back).values("pk")
    own = Submission.objects.of(viewer).values("pk")
    return seen.filter(Q(pk__in=named) | Q(pk__in=own))


def systems(viewer: Viewer) -> QuerySet[System]:
    """Those that ``viewer`` may know by name: with a submission that stands under it, or with
    numbers from papers on a published release; and one's own.

    A system whose submissions are all private or anonymous does not exist for others.
    """
    if getattr(viewer, "is_staff", False):
        return System.objects.all()
    of_it = {"system": OuterRef("pk")}
    published = Release.objects.published()
    reported = ReportedResult.objects.filter(track__release__in=published, **of_it)
    known = Q(Exists(named_submissions(viewer).filter(**of_it))) | Q(Exists(reported))
    if isinstance(viewer, User):
        known |= Q(pk__in=System.objects.owned_by(viewer))
    return System.objects.filter(known)


def system(viewer: Viewer, slug: str) -> System:
    """One of ``systems``."""
    return get_object_or_404(systems(viewer), slug=slug)


def own_systems(viewer: Viewer) -> QuerySet[System]:
    """Those whose card ``viewer`` may change."""
    return System.objects.owned_by(viewer) if isinstance(viewer, User) else System.objects.none()


def own_system(viewer: Viewer, slug: str) -> System:
    """One of ``own_systems``."""
    return get_object_or_404(own_systems(viewer).distinct(), slug=slug)


def teams_for(viewer: Viewer, system: System) -> QuerySet[Team]:
    """The teams that ``viewer`` may hand the system to: none where it is not theirs alone."""
    if system.owner_id != viewer.pk or system.team_id is not None:
        return Team.objects.none()
    return Team.objects.of(viewer)


def gives_back(viewer: Viewer, system: System) -> bool:
    """Whether ``viewer`` may take the system from its team."""
    return system.team is not None and Team.objects.owned_by(viewer).contains(system.team)

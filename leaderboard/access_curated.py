"""What curators and staff may moderate and look up: ``access`` for their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from leaderboard.access import curated_benchmark
from leaderboard.models import (
    Announcement,
    AuditEntry,
    Ban,
    Benchmark,
    ReportedResult,
    Submission,
    Track,
)

if TYPE_CHECKING:
    from leaderboard.access import Viewer


def staff_only(viewer: Viewer) -> None:
    """404 for everybody else."""
    if not getattr(viewer, "is_staff", False):
        raise Http404("No such page.")


def person(viewer: Viewer, username: str) -> User:
    """An account, for staff."""
    staff_only(viewer)
    return get_object_or_404(User, username=username)


def moderated(viewer: Viewer, benchmark: Benchmark) -> QuerySet[Submission]:
    """The benchmark's submissions that ``viewer`` may see: as a curator all but private ones."""
    seen = Submission.objects.visible_to(viewer).filter(release__benchmark=benchmark)
    return seen.select_related("system", "release__benchmark", "user", "team")


def moderated_submission(viewer: Viewer, slug: str, pk: UUID) -> Submission:
    """One of them, of a benchmark that ``viewer`` curates."""
    return get_object_or_404(moderated(viewer, curated_benchmark(viewer, slug)), pk=pk)


def local_ban(viewer: Viewer, slug: str, username: str) -> Ban:
    """Of an account, from a benchmark that ``viewer`` curates."""
    bans = Ban.objects.filter(benchmark=curated_benchmark(viewer, slug)).select_related("benchmark")
    return get_object_or_404(bans, user__username=username)


def sender(viewer: Viewer, slug: str, username: str) -> User:
    """Who has sent a submission that ``viewer`` moderates: of other accounts nobody is told."""
    found = moderated(viewer, curated_benchmark(viewer, slug)).order_by()
    return get_object_or_404(User, username=username, pk__in=found.values("user"))


def curated_announcement(viewer: Viewer, slug: str, pk: int) -> Announcement:
    """News of a benchmark that ``viewer`` curates."""
    news = curated_benchmark(viewer, slug).announcements.select_related("benchmark")
    return get_object_or_404(news, pk=pk)


def reported_result(track: Track, pk: int) -> ReportedResult:
    """A number of a curated track that was typed in."""
    return get_object_or_404(track.reported.select_related("system"), pk=pk)


def audit_entries(viewer: Viewer, benchmark: Benchmark | None) -> QuerySet[AuditEntry]:
    """The trail of a curated benchmark; without one that of the whole site, for staff.

    What tells of submissions that are private by now, or gone, is staff's only.
    """
    if benchmark is None:
        staff_only(viewer)
        return AuditEntry.objects.select_related("benchmark")
    entries = AuditEntry.objects.filter(benchmark=benchmark).select_related("benchmark")
    if getattr(viewer, "is_staff", False):
        return entries
    seen = [str(pk) for pk in moderated(viewer, benchmark).order_by().values_list("pk", flat=True)]
    return entries.exclude(Q(action__contains="submission.") & ~Q(target_id__in=seen))

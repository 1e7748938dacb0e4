"""Who may have a file itself, and whose the uploads are that are under way."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from leaderboard import access
from leaderboard.models import DirectUpload, Submission

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def has_file(viewer: access.Viewer, submission: Submission) -> bool:
    """Whether ``viewer`` may have the file itself of a submission that they may see.

    It may hold more than the texts: names, notes, scores. So it is its people's and curators'.
    """
    return access.is_own(viewer, submission) or access.curates(viewer, submission.release.benchmark)


def file_of(viewer: access.Viewer, pk: UUID | str) -> Submission:
    """A submission whose file ``viewer`` may have."""
    found = access.submission(viewer, pk)
    if not has_file(viewer, found):
        raise Http404("Not yours to download.")
    return found


def sent_by(user: User) -> QuerySet[Submission]:
    """The submissions that ``user`` has sent, with system, release and benchmark."""
    mine = Submission.objects.filter(user=user)
    return mine.select_related("system", "release__benchmark", "user__profile", "team")


def direct_upload(user: User, pk: UUID) -> DirectUpload:
    """An upload in parts that ``user`` has begun and that has not expired, with its benchmark."""
    under_way = DirectUpload.objects.filter(user=user, expires_at__gt=timezone.now())
    return get_object_or_404(under_way.select_related("benchmark"), pk=pk)

"""An upload against the clips of a release."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from leaderboard.models import Kind, MissingClips
from scoring.formats import check_clips
from scoring.types import Problem, Upload

if TYPE_CHECKING:
    from leaderboard.models import Release, Track

CLOSED = Problem(
    code="closed-release",
    message="This release takes no submissions: none of its tracks is scored here.",
)


class InvalidUpload(Exception):  # noqa: N818 - named as the fault is spoken of
    """The file cannot be scored. ``upload.problems`` says all that is wrong with it."""

    def __init__(self, upload: Upload) -> None:
        self.upload = upload
        first = upload.errors[0]
        more = len(upload.errors) - 1
        super().__init__(f"{first}" + (f" (and {more} more)" if more else ""))


def validate(upload: Upload, release: Release, *, tracks: QuerySet[Track] | None = None) -> Upload:
    """``compared``, or ``InvalidUpload`` when anything forbids scoring.

    So does it when none of ``tracks`` (default: all that score descriptions) is there to score it.
    """
    found = compared(upload, release)
    if tracks is None:
        tracks = release.tracks.taking(Kind.DESCRIPTIONS)
    return accepted(with_tracks(found, tracks))


def compared(upload: Upload, release: Release) -> Upload:
    """The upload with a text for each scored clip of the release that has one, and all problems.

    Texts for clips that the release excludes for everybody, or that a correction has dropped, are
    left out with a warning. Clips that the upload leaves out are an error, or empty descriptions
    with a warning, as the release has it.
    """
    clips = dict(release.clips.order_by("position").values_list("key", "excluded"))
    excluded = {key for key, left_out in clips.items() if left_out} | _dropped(release, clips)
    scored = [key for key in clips if key not in excluded]
    zero = release.missing_clips == MissingClips.ZERO
    return check_clips(upload, scored, ignored=excluded, missing_is_empty=zero)


def _dropped(release: Release, clips: Collection[str]) -> set[str]:
    """Clips that the releases which this one corrects had: an older file may describe them."""
    found: set[str] = set()
    older = release.corrects
    while older is not None:
        found |= set(older.clips.values_list("key", flat=True))
        older = older.corrects
    return found - set(clips)


def with_tracks(upload: Upload, tracks: QuerySet[Track]) -> Upload:
    """The upload; with an error when there is no track to score it."""
    return upload if tracks.exists() else replace(upload, problems=(CLOSED, *upload.problems))


def accepted(upload: Upload) -> Upload:
    """The upload as it is; InvalidUpload when it has errors."""
    if not upload.ok:
        raise InvalidUpload(upload)
    return upload

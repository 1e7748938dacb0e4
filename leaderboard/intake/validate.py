"""An upload against the clips of a release."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from leaderboard.models import Kind
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
    """The upload with a text for each scored clip of the release, and all its warnings.

    Texts for clips that the release excludes for everybody are dropped with a warning. Raises
    ``InvalidUpload`` when anything forbids scoring, also when none of ``tracks`` (default: all that
    score descriptions) is there to score it.
    """
    clips = dict(release.clips.order_by("position").values_list("key", "excluded"))
    excluded = {key for key, left_out in clips.items() if left_out}
    scored = [key for key in clips if key not in excluded]
    upload = check_clips(upload, scored, ignored=excluded)
    if tracks is None:
        tracks = release.tracks.taking(Kind.DESCRIPTIONS)
    return accepted(upload, tracks)


def accepted(upload: Upload, tracks: QuerySet[Track]) -> Upload:
    """The upload as it is; InvalidUpload when it has errors or there is no track to score it."""
    if not tracks.exists():
        upload = replace(upload, problems=(CLOSED, *upload.problems))
    if not upload.ok:
        raise InvalidUpload(upload)
    return upload

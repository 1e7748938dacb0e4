"""An upload against the clips of a release."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.formats import check_clips
from scoring.types import Problem, Upload

if TYPE_CHECKING:
    from leaderboard.models import Release


class InvalidUpload(Exception):  # noqa: N818 - named as the fault is spoken of
    """The file cannot be scored. ``upload.problems`` says all that is wrong with it."""

    def __init__(self, upload: Upload) -> None:
        self.upload = upload
        first = upload.errors[0]
        more = len(upload.errors) - 1
        super().__init__(f"{first}" + (f" (and {more} more)" if more else ""))


def validate(upload: Upload, release: Release) -> Upload:
    """The upload cut down to the release's scored clips, with all warnings; else InvalidUpload.

    Clips that the release excludes for everybody may be present or absent: they are not stored.
    """
    if upload.ok or upload.descriptions:
        upload = check_clips(*_without_excluded(upload, release))
    if not upload.ok:
        raise InvalidUpload(upload)
    return upload


def _without_excluded(upload: Upload, release: Release) -> tuple[Upload, list[str]]:
    clips = dict(release.clips.order_by("position").values_list("key", "excluded"))
    ignored = [key for key in upload.descriptions if clips.get(key, False)]
    remarks = tuple(
        Problem(
            code="excluded-clip",
            message=f"Clip {key} is excluded from this release for everybody; its text is ignored.",
            where=upload.positions.get(key, ""),
            clip=key,
            severity="warning",
        )
        for key in ignored
    )
    kept = replace(
        upload,
        descriptions={k: text for k, text in upload.descriptions.items() if k not in set(ignored)},
        problems=upload.problems + remarks,
    )
    return kept, [key for key, excluded in clips.items() if not excluded]

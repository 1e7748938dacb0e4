"""Large files past the site, straight into its bucket: begin, parts, then check or complete."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja import Router, Schema, Status
from pydantic import Field

from leaderboard import access, access_files, intake
from leaderboard.api.auth import Token
from leaderboard.api.fields import FileFields, UploadFields, team_named
from leaderboard.api.schemas import CheckOut, ErrorOut, SubmissionOut
from leaderboard.api.shown import shown_submission
from leaderboard.intake import direct
from leaderboard.limits import spend
from leaderboard.models import DirectUpload
from leaderboard.people import sightings

router = Router(tags=["submissions"], auth=Token())
ERRORS = dict.fromkeys((400, 401, 403, 404, 409, 413, 422, 429, 503), ErrorOut)


class BeginIn(Schema):
    """A file to come."""

    filename: str = Field(min_length=1, max_length=4000, description="Its suffix says the format.")
    size: int = Field(ge=1, description="Bytes, exactly.")
    sha256: str = Field(
        "", pattern="^([0-9a-fA-F]{64})?$", description="In hexadecimal: what arrives is compared."
    )
    team: str = Field("", description="Slug of a team of yours that it is for; empty: only you.")


class UploadOut(Schema):
    """An upload under way: send `parts` parts of `part_size` bytes each, the last one of the rest.

    Complete it before `expires_at`; after that it is dropped.
    """

    id: UUID
    benchmark: str
    filename: str
    size: int
    part_size: int
    parts: int
    expires_at: datetime


class PartOut(Schema):
    """Where to send a part: its exact `size` bytes as the body of a request with `method`, and
    without your token. The link is good until `expires_at`; ask again for another one.
    """

    number: int
    size: int
    method: str = "PUT"
    url: str
    expires_at: datetime


@router.post("/benchmarks/{slug}/uploads", response={201: UploadOut} | ERRORS)
def begin_upload(request: HttpRequest, slug: str, announced: BeginIn) -> Status[dict[str, Any]]:
    """Announce a large file, to send it straight to the site's bucket.

    For files of at least the benchmark's `direct_upload_from` bytes; 409 (`no-direct-upload`) where
    that is null: send the file to `submissions` then. What counts for an upload counts here, now
    and again when it is completed: the size limit (413), the quota (429). Five at a time.
    """
    release = access.newest_release(slug)
    user: User = request.auth  # type: ignore[attr-defined]
    spend(request, "upload", user)
    made = direct.begin(
        release=release,
        user=user,
        team=team_named(announced.team, user),
        filename=announced.filename,
        size=announced.size,
        sha256=announced.sha256,
    )
    return Status(201, _shown(made))


@router.post("/uploads/{uuid:pk}/parts/{int:number}", response={200: PartOut} | ERRORS)
def get_part_link(request: HttpRequest, pk: UUID, number: int) -> dict[str, Any]:
    """Where to PUT a part, numbered from 1. A part may be sent again until all are joined."""
    upload = _own(request, pk)
    sizes = direct.part_sizes(upload)
    if not 1 <= number <= len(sizes):
        raise Http404
    seconds: int = default_storage.querystring_expire  # type: ignore[attr-defined]
    return {
        "number": number,
        "size": sizes[number - 1],
        "method": "PUT",
        "url": direct.part_link(upload, number),
        "expires_at": timezone.now() + timedelta(seconds=seconds),
    }


@router.post("/uploads/{uuid:pk}/check", response={200: CheckOut} | ERRORS)
def check_upload(request: HttpRequest, pk: UUID, said: FileFields) -> dict[str, Any]:
    """A dry run, as `check` is of a file that is sent to the site; the upload stays under way."""
    upload = _own(request, pk)
    spend(request, "upload", request.auth)  # type: ignore[attr-defined]
    release = access.newest_release(upload.benchmark.slug)
    report = intake.check(
        release=release,
        data=direct.data_of(upload),
        filename=upload.original_name,
        user=request.auth,  # type: ignore[attr-defined]
        contents=said.contents(release),
    )
    shown = {"benchmark": upload.benchmark.slug, "release": release.version}
    return shown | report.to_json()


@router.post("/uploads/{uuid:pk}/complete", response={201: SubmissionOut} | ERRORS)
def complete_upload(request: HttpRequest, pk: UUID, fields: UploadFields) -> Status[dict[str, Any]]:
    """Have the parts joined, checked and taken in, with the fields of an ordinary upload.

    The submission gets the upload's id; asked again, the answer is the same submission. 422 lists
    all that is wrong with the file, which is then dropped; 409 (`upload-incomplete`) names parts
    that lack, and 503 a storage that does not answer: ask again then.
    """
    user: User = request.auth  # type: ignore[attr-defined]
    if done := access_files.sent_by(user).filter(pk=pk).first():
        return Status(201, shown_submission(user, done))
    upload = _own(request, pk)
    spend(request, "upload", user)
    release = access.newest_release(upload.benchmark.slug)
    submission = direct.complete(upload, **fields.submitted(release, user))
    sightings.note(request, user)
    return Status(201, shown_submission(user, submission))


@router.delete("/uploads/{uuid:pk}", response={204: None} | ERRORS)
def abort_upload(request: HttpRequest, pk: UUID) -> Status[None]:
    """Drop an upload with all parts that have arrived."""
    direct.abort(_own(request, pk))
    return Status(204, None)


def _own(request: HttpRequest, pk: UUID) -> DirectUpload:
    return access_files.direct_upload(request.auth, pk)  # type: ignore[attr-defined]


def _shown(upload: DirectUpload) -> dict[str, Any]:
    sizes = direct.part_sizes(upload)
    return {
        "id": upload.pk,
        "benchmark": upload.benchmark.slug,
        "filename": upload.original_name,
        "size": upload.size,
        "part_size": sizes[0],
        "parts": len(sizes),
        "expires_at": upload.expires_at,
    }

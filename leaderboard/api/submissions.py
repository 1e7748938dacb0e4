"""Submissions: one in detail, and the upload."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase
from ninja import Router, Status

from leaderboard import access, access_files
from leaderboard.api.auth import OptionalToken, Token
from leaderboard.api.body import sent
from leaderboard.api.fields import UploadFields, openapi_body, read_fields
from leaderboard.api.schemas import ErrorOut, SubmissionOut
from leaderboard.api.shown import shown_submission
from leaderboard.intake import receive
from leaderboard.media import served
from leaderboard.people import sightings

router = Router(tags=["submissions"])
ERRORS = dict.fromkeys((400, 401, 403, 404, 409, 413, 422, 429, 503), ErrorOut)


@router.get(
    "/submissions/{uuid:pk}", response={200: SubmissionOut, 404: ErrorOut}, auth=OptionalToken()
)
def get_submission(request: HttpRequest, pk: UUID) -> dict[str, Any]:
    """One submission with its runs: progress, errors, scores. A private one is its owner's."""
    viewer = request.auth  # type: ignore[attr-defined]
    return shown_submission(viewer, access.submission(viewer, pk))


@router.get(
    "/submissions/{uuid:pk}/file",
    response={200: None, 302: None, 404: ErrorOut},
    auth=OptionalToken(),
)
def get_file(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The file as it was uploaded, for its people and the benchmark's curators.

    302 to an address that is good for some minutes where the site keeps files in a bucket: follow
    it without your token.
    """
    found = access_files.file_of(request.auth, pk)  # type: ignore[attr-defined]
    return served(request, found.file, filename=found.original_name)


@router.post(
    "/benchmarks/{slug}/submissions",
    response={201: SubmissionOut} | ERRORS,
    auth=Token(),
    openapi_extra=openapi_body(UploadFields),
)
def create_submission(request: HttpRequest, slug: str) -> Status[dict[str, Any]]:
    """Upload one file to the benchmark's newest release.

    Either a form (`multipart/form-data`) with the file in `file` and the other fields beside it,
    or the file itself as the body and the fields in the query. Several files of a form (a CSV for
    each pair test, both files of judgements) are taken together and kept as a ZIP. It is checked
    at once; scoring begins as soon as a worker is free: ask for the submission again to watch it.
    429 when the benchmark's quota is spent: `next_at` says when the next one is taken.
    """
    release = access.newest_release(slug)
    user: User = request.auth  # type: ignore[attr-defined]
    values, data, filename = sent(request)
    fields = read_fields(UploadFields, values)
    submission = receive(data=data, filename=filename, **fields.submitted(release, user))
    sightings.note(request, user)
    return Status(201, shown_submission(user, submission))

"""Submissions: one in detail, and the upload."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Prefetch
from django.http import HttpRequest
from ninja import Router, Status
from ninja.errors import ValidationError

from leaderboard import access
from leaderboard.api.auth import OptionalToken, Token
from leaderboard.api.fields import UploadFields, default_name, openapi_body, read_fields
from leaderboard.api.problems import TooLarge
from leaderboard.api.schemas import ErrorOut, SubmissionOut
from leaderboard.intake import packed, receive_for
from leaderboard.models import Run, ScoreVector, Submission
from leaderboard.tables import remarks

router = Router(tags=["submissions"])
ERRORS = dict.fromkeys((400, 401, 404, 409, 413, 422), ErrorOut)


@router.get(
    "/submissions/{uuid:pk}", response={200: SubmissionOut, 404: ErrorOut}, auth=OptionalToken()
)
def get_submission(request: HttpRequest, pk: UUID) -> dict[str, Any]:
    """One submission with its runs: progress, errors, scores. A private one is its owner's."""
    return _submission(access.submission(request.auth, pk))  # type: ignore[attr-defined]


@router.post(
    "/benchmarks/{slug}/submissions",
    response={201: SubmissionOut} | ERRORS,
    auth=Token(),
    openapi_extra=openapi_body(),
)
def create_submission(request: HttpRequest, slug: str) -> Status[dict[str, Any]]:
    """Upload one file to the benchmark's newest release.

    Either a form (`multipart/form-data`) with the file in `file` and the other fields beside it,
    or the file itself as the body and the fields in the query. Several files of a form (a CSV for
    each pair test, both files of judgements) are taken together and kept as a ZIP. It is checked
    at once; scoring begins as soon as a worker is free: ask for the submission again to watch it.
    """
    release = access.newest_release(slug)
    is_form = request.content_type == "multipart/form-data"
    fields, data, filename = _from_form(request) if is_form else _from_body(request)
    submission = receive_for(
        release=release,
        user=request.auth,  # type: ignore[attr-defined]
        name=fields.system,
        card=fields.card(),
        data=data,
        filename=filename,
        contents=fields.contents(release),
        visibility=fields.visibility,
        note=fields.note,
    )
    return Status(201, _submission(submission))


def _from_form(request: HttpRequest) -> tuple[UploadFields, bytes, str]:
    files = request.FILES.getlist("file")
    if not files:
        fault = {"loc": ("file",), "msg": "Send the file in the form field `file`."}
        raise ValidationError([fault])
    _check_size(sum(file.size or 0 for file in files))
    data, name = packed([(file.name or "", file.read()) for file in files])
    return read_fields(request.POST.dict()), data, name


def _from_body(request: HttpRequest) -> tuple[UploadFields, bytes, str]:
    _check_size(len(request.body))
    fields = read_fields(request.GET.dict())
    return fields, request.body, fields.filename or default_name(request)


def _check_size(size: int) -> None:
    if size > settings.UPLOAD_MAX_BYTES:
        raise TooLarge


def _submission(submission: Submission) -> dict[str, Any]:
    runs = submission.runs.select_related("track").prefetch_related(
        Prefetch("vectors", ScoreVector.objects.defer("data"))
    )
    shown = [_run(run) for run in runs.order_by("track__position", "track__slug", "pk")]
    return {
        "id": submission.pk,
        "benchmark": submission.release.benchmark.slug,
        "release": submission.release.version,
        "system": submission.system.slug,
        "system_name": submission.system.name,
        "visibility": submission.visibility,
        "note": submission.note,
        "created_at": submission.created_at,
        "kind": submission.kind,
        "judged_by": submission.judged_by,
        "language": submission.language,
        "file_name": submission.original_name,
        "format": submission.format,
        "size": submission.size,
        "sha256": submission.sha256,
        "warnings": submission.warnings,
        "final": all(run["state"] in Run.FINAL for run in shown),
        "runs": shown,
    }


def _run(run: Run) -> dict[str, Any]:
    copied = (
        "judge state attempts done total percent queued_at started_at finished_at error_code error"
        " signature counts summary"
    )
    said = remarks(run)
    return {name: getattr(run, name) for name in copied.split()} | {
        "track": run.track.slug,
        "scores": {vector.metric: vector.mean for vector in run.vectors.all()},
        "baseline": said.baseline,
        "failures": said.failures,
        "usage": said.usage,
        "spread": said.spread,
    }

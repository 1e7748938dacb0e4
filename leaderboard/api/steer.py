"""What is done about a submission's runs: cancel, try again."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Router

from leaderboard import access
from leaderboard.api.auth import Token
from leaderboard.api.schemas import ErrorOut, SubmissionOut
from leaderboard.api.shown import shown_submission
from leaderboard.intake import steer

router = Router(tags=["submissions"])
ANSWERS = {200: SubmissionOut} | dict.fromkeys((401, 404, 409, 429), ErrorOut)


@router.post("/submissions/{uuid:pk}/cancel", response=ANSWERS, auth=Token())
def cancel(request: HttpRequest, pk: UUID) -> dict[str, Any]:
    """End what is waiting or being scored of a submission of yours; what is done stays done.

    409 when nothing of it is open.
    """
    user = request.auth  # type: ignore[attr-defined]
    steer.cancel(access.steered_submission(user, pk), actor=user)
    return shown_submission(user, access.submission(user, pk))


@router.post("/submissions/{uuid:pk}/retry", response=ANSWERS, auth=Token())
def retry(request: HttpRequest, pk: UUID) -> dict[str, Any]:
    """Queue what failed, is incomplete or was cancelled; an incomplete run goes on where it was.

    It costs no quota; what was cancelled asks for a place again (429). 409 when nothing ended
    without a score.
    """
    user = request.auth  # type: ignore[attr-defined]
    steer.retry(access.steered_submission(user, pk), actor=user)
    return shown_submission(user, access.submission(user, pk))

"""What the owner of a submission does to it: publish, hide, withdraw."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Schema
from pydantic import Field, field_validator

from leaderboard import access
from leaderboard.api.auth import Token
from leaderboard.api.schemas import ErrorOut, SubmissionOut
from leaderboard.api.shown import shown_submission
from leaderboard.intake import visibility

router = Router(tags=["submissions"])
ANSWERS = {200: SubmissionOut} | dict.fromkeys((400, 401, 404, 409, 422), ErrorOut)


class VisibilityIn(Schema):
    """Who shall see it. `named_from` ends the anonymity of an anonymous one by itself."""

    visibility: Literal["public", "anonymous", "private"]
    named_from: datetime | None = None

    @field_validator("named_from")
    @classmethod
    def zoned(cls, value: datetime | None) -> datetime | None:
        """A moment without a time zone is in the site's."""
        return timezone.make_aware(value) if value and timezone.is_naive(value) else value


class WithdrawalIn(Schema):
    """Why; curators read it."""

    reason: str = Field("", max_length=300)


@router.post("/submissions/{uuid:pk}/visibility", response=ANSWERS, auth=Token())
def change_visibility(request: HttpRequest, pk: UUID, wish: VisibilityIn) -> dict[str, Any]:
    """Publish, anonymise or unpublish a submission of yours; the boards follow within seconds.

    409 when the benchmark does not let it be hidden again, or when it is withdrawn.
    """
    user = request.auth  # type: ignore[attr-defined]
    found = access.own_submission(user, pk)
    visibility.set_visibility(found, actor=user, **wish.dict())
    return shown_submission(user, access.own_submission(user, pk))


@router.post("/submissions/{uuid:pk}/withdraw", response=ANSWERS, auth=Token())
def withdraw(request: HttpRequest, pk: UUID, why: WithdrawalIn) -> dict[str, Any]:
    """Take a submission of yours off the board for good. 409 when it is withdrawn already."""
    user = request.auth  # type: ignore[attr-defined]
    found = access.own_submission(user, pk)
    visibility.withdraw(found, actor=user, reason=why.reason)
    return shown_submission(user, access.own_submission(user, pk))

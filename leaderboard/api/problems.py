"""Every error as JSON: `{"error": one sentence, "problems": [...]}` and the right status."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import ValidationError as FieldError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.utils import timezone
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from leaderboard.api.auth import Ended
from leaderboard.api.parsing import NotStorable
from leaderboard.curation.refusals import InvalidData, Refused
from leaderboard.http import AWAY_SECONDS, DATABASE_AWAY
from leaderboard.intake import InvalidUpload, NotTaken, SystemTaken
from leaderboard.intake.direct import OverLimit
from leaderboard.intake.visibility import NotAllowed
from leaderboard.limits import TooOften
from scoring.types import Problem

logger = logging.getLogger(__name__)
Shown = dict[str, str]
NOT_TAKEN = {
    "quota-spent": 429,
    "too-many-uploads": 429,
    "banned": 403,
    "storage-failing": 503,
    "upload-damaged": 422,
}
"""Status by the code of a ``NotTaken``; 409 for any other."""


class TooLarge(Exception):  # noqa: N818 - named as the fault is spoken of
    """The uploaded file is over the limit, which is the same on every route."""


def register(api: NinjaAPI) -> None:
    """Have `api` answer every kind of error in the same shape."""
    for kind, handler in HANDLERS.items():
        api.add_exception_handler(kind, handler)


def answer(status: int, error: str, problems: Sequence[Shown] = (), **more: Any) -> JsonResponse:
    """The one shape of an error."""
    return JsonResponse({"error": error, "problems": problems} | more, status=status)


def shown(code: str, message: str, *, where: str = "", clip: str = "") -> Shown:
    """One entry of `problems`."""
    return {"code": code, "message": message, "where": where, "clip": clip}


def _not_found(request: HttpRequest, error: Any) -> HttpResponse:
    return answer(404, "Not found.")


def _unauthorised(request: HttpRequest, error: Any) -> HttpResponse:
    ask = "Give a valid token: Authorization: Bearer clr_..."
    response = answer(401, str(error) if isinstance(error, Ended) else ask)
    response["WWW-Authenticate"] = "Bearer"
    return response


def _http_error(request: HttpRequest, error: Any) -> HttpResponse:
    cause = error.__cause__
    if isinstance(cause, NotStorable):
        return _invalid([(cause.field, cause.message)])
    return answer(error.status_code, str(error))


def _bad_request(request: HttpRequest, error: Any) -> HttpResponse:
    return answer(400, f"The request cannot be read: {error}")


def _too_large(request: HttpRequest, error: Any) -> HttpResponse:
    limit = settings.UPLOAD_MAX_BYTES
    message = f"The file is over the limit of {limit} bytes. Send one text per clip and no more."
    return answer(413, message, [shown("too-large", message)], limit=limit)


def _invalid_upload(request: HttpRequest, error: Any) -> HttpResponse:
    return answer(422, str(error), [_problem(found) for found in error.upload.problems])


def _system_taken(request: HttpRequest, error: Any) -> HttpResponse:
    return answer(409, str(error), [shown(error.code, str(error), where="system")])


def _not_taken(request: HttpRequest, error: Any) -> HttpResponse:
    problem = shown(error.code, str(error))
    status = NOT_TAKEN.get(error.code, 409)
    response = answer(status, str(error), [problem], next_at=error.next_at)
    if error.next_at is not None:
        seconds = math.ceil((error.next_at - timezone.now()).total_seconds())
        response["Retry-After"] = str(max(1, seconds))
    elif status == 503:
        response["Retry-After"] = str(AWAY_SECONDS)
    return response


def _too_often(request: HttpRequest, error: Any) -> HttpResponse:
    response = answer(429, str(error), [shown("too-often", str(error))])
    response["Retry-After"] = str(error.seconds)
    return response


def _database_away(request: HttpRequest, error: Any) -> HttpResponse:
    logger.error("database away", exc_info=error)
    message = "The database does not answer; nothing has been stored. Try again in a minute."
    response = answer(503, message, [shown("database-away", message)])
    response["Retry-After"] = str(AWAY_SECONDS)
    return response


def _not_allowed(request: HttpRequest, error: Any) -> HttpResponse:
    return answer(409, str(error), [shown(error.code, str(error), where="visibility")])


def _refused(request: HttpRequest, error: Any) -> HttpResponse:
    return answer(409, str(error), [shown(error.code, str(error))])


def _invalid_data(request: HttpRequest, error: Any) -> HttpResponse:
    return answer(422, str(error), [_problem(found) for found in error.data.problems])


def _invalid_arguments(request: HttpRequest, error: Any) -> HttpResponse:
    return _invalid([(_field(e["loc"]), e["msg"]) for e in error.errors])


def _invalid_fields(request: HttpRequest, error: Any) -> HttpResponse:
    of_upload = not {"curate", "systems"} & set(
        request.path.split("/")
    )  # there `name` is the system's, sent as `system`
    return _invalid(
        [
            ("system" if field == "name" and of_upload else field, message)
            for field, messages in error.message_dict.items()
            for message in messages
        ]
    )


def _invalid(fields: Iterable[tuple[str, str]]) -> HttpResponse:
    problems = [shown("invalid-field", message, where=field) for field, message in fields]
    return answer(422, "; ".join(f"{p['where']}: {p['message']}" for p in problems), problems)


def _problem(found: Problem) -> Shown:
    problem = shown(found.code, found.message, where=found.where, clip=found.clip)
    return problem | {"severity": found.severity}


def _field(location: Iterable[Any]) -> str:
    """`("query", "provenance")` as `provenance`."""
    return ".".join(str(part) for part in location if part not in {"query", "path", "body", "form"})


HANDLERS: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
    Http404: _not_found,
    AuthenticationError: _unauthorised,
    HttpError: _http_error,
    BadRequest: _bad_request,
    SuspiciousOperation: _bad_request,
    MultiPartParserError: _bad_request,
    RequestDataTooBig: _too_large,
    TooLarge: _too_large,
    OverLimit: _too_large,
    TooOften: _too_often,
    **dict.fromkeys(DATABASE_AWAY, _database_away),
    InvalidUpload: _invalid_upload,
    SystemTaken: _system_taken,
    NotTaken: _not_taken,
    NotAllowed: _not_allowed,
    Refused: _refused,
    InvalidData: _invalid_data,
    ValidationError: _invalid_arguments,
    FieldError: _invalid_fields,
}

"""The file that comes with a request, as a form or as the body itself, and its other values."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from ninja.errors import ValidationError

from leaderboard.api.fields import default_name
from leaderboard.api.problems import TooLarge
from leaderboard.intake import packed
from leaderboard.limits import spend

Sent = tuple[dict[str, Any], bytes, str]
"""What was sent beside the file, its bytes, and its name."""


def sent(request: HttpRequest) -> Sent:
    """The file, and the values beside it; TooLarge over the limit, which is that of every route.

    It counts for the user's ``UPLOAD_RATE``, before anything is read.
    """
    spend(request, "upload", request.auth)  # type: ignore[attr-defined]
    is_form = request.content_type == "multipart/form-data"
    return _from_form(request) if is_form else _from_body(request)


def _from_form(request: HttpRequest) -> Sent:
    files = request.FILES.getlist("file")
    if not files:
        fault = {"loc": ("file",), "msg": "Send the file in the form field `file`."}
        raise ValidationError([fault])
    _check_size(sum(file.size or 0 for file in files))
    data, name = packed([(file.name or "", file.read()) for file in files])
    return request.POST.dict(), data, name


def _from_body(request: HttpRequest) -> Sent:
    _check_size(len(request.body))
    values = request.GET.dict()
    return values, request.body, str(values.get("filename") or default_name(request))


def _check_size(size: int) -> None:
    if size > settings.UPLOAD_MAX_BYTES:
        raise TooLarge

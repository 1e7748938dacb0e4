"""What the site says before and beside its views: the upload limit, and plain error pages."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

API_PREFIX = "/api/"
# A form's other fields and the boundaries of its parts; the file itself is measured by intake.
FORM_ALLOWANCE = 500_000
# So much of a refused body is read and dropped: a browser shows the answer only once it has been
# allowed to finish sending.
DRAIN_BYTES = 500_000_000
DRAIN_CHUNK = 1_000_000


class UploadLimitMiddleware:
    """Answers 413 to a body over the upload limit, before anything parses it.

    It stands before the CSRF check, which reads the form and with it the whole file.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The page, or a refusal that names the limit and the size."""
        size = content_length(request)
        if size <= settings.UPLOAD_MAX_BYTES + FORM_ALLOWANCE:
            return self.get_response(request)
        drain(request, size)
        return too_large(request, size)


def content_length(request: HttpRequest) -> int:
    """Bytes that the request announces; 0 when it says nothing sensible."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def drain(request: HttpRequest, size: int) -> None:
    """Read and drop the body, within reason."""
    left = min(size, DRAIN_BYTES)
    while left > 0:
        chunk = request.read(min(left, DRAIN_CHUNK))
        if not chunk:
            return
        left -= len(chunk)


def too_large(request: HttpRequest, size: int) -> HttpResponse:
    """413, as JSON below the API and as a page elsewhere."""
    limit = settings.UPLOAD_MAX_BYTES
    message = (
        f"The upload has {size / 1e6:.1f} MB; the limit is {limit / 1e6:g} MB. "
        "Send texts only, one per clip, without embeddings or logs."
    )
    if request.path.startswith(API_PREFIX):
        problem = {"code": "too-large", "message": message, "where": "", "clip": ""}
        answer = {"error": message, "problems": [problem], "limit": limit}
        return JsonResponse(answer, status=413)
    return render(request, "413.html", {"message": message}, status=413)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, with the sentence of a refusal that this site has written."""
    said = str(exception) if isinstance(exception, BadRequest) else ""
    return render(request, "400.html", {"message": said}, status=400)


def signed_in(request: HttpRequest) -> User:
    """The user of a view that asks for a login."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def next_page(request: HttpRequest) -> str:
    """Where ``?next=`` leads, if that is on this site; else the first page."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    host = {request.get_host()}
    if url_has_allowed_host_and_scheme(wanted, host, require_https=request.is_secure()):
        return wanted
    return resolve_url(settings.LOGIN_REDIRECT_URL)

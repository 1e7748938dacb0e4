"""What the site says before and beside its views: the upload limit, and plain error pages."""

from __future__ import annotations

import sys
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render, resolve_url
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import defaults

from leaderboard.limits import TooOften
from leaderboard.tables.larger import SECONDS, BeingComputed

API_PREFIX = "/api/"
NUL = "\0"
DATABASE_AWAY = (OperationalError, InterfaceError)
AWAY_SECONDS = 30
PAGE_METHODS = ("GET", "HEAD", "OPTIONS", "POST")
# A form's other fields and the boundaries of its parts; the file itself is measured by intake.
FORM_ALLOWANCE = 500_000
# So much of a refused body is read and dropped: a browser shows the answer only once it has been
# allowed to finish sending.
DRAIN_BYTES = 500_000_000
DRAIN_CHUNK = 1_000_000


class PermissionsPolicyMiddleware:
    """Says which of a browser's powers the pages want: Django has a setting for no such header."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The page, with the header."""
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response


class OddRequestMiddleware:
    """Turns away what no page can make sense of, before any of them has to.

    No database takes NUL, which may stand in an address as ``%00``; and pages are read or sent
    forms, nothing else: other methods are the interface's.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The page, 404 for a name that nothing can have, 400 for such a query, or 405."""
        of_api = request.path.startswith(API_PREFIX)
        if not of_api and request.method not in PAGE_METHODS:
            return HttpResponseNotAllowed(PAGE_METHODS)
        if NUL in request.path:
            return _nothing_here() if of_api else render(request, "404.html", status=404)
        names = [key for key, values in request.GET.lists() if NUL in key + "".join(values)]
        if not names:
            return self.get_response(request)
        if of_api:
            return _nul_in(names)
        said = f"The address holds a NUL character in {', '.join(names)}.".replace(NUL, "?")
        return render(request, "400.html", {"message": said}, status=400)


def _nothing_here() -> HttpResponse:
    return JsonResponse({"error": "Not found.", "problems": []}, status=404)


def _nul_in(names: list[str]) -> HttpResponse:
    message = "NUL characters cannot be stored; remove them."
    shown = [name.replace(NUL, "\\0") for name in names]
    fault = {"code": "invalid-field", "message": message, "clip": ""}
    error = "; ".join(f"{name}: {message}" for name in shown)
    problems = [fault | {"where": name} for name in shown]
    return JsonResponse({"error": error, "problems": problems}, status=422)


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


def server_error(request: HttpRequest) -> HttpResponse:
    """500; or 503 where the database is away, full or locked, which passes. Asks no database."""
    if not isinstance(sys.exc_info()[1], DATABASE_AWAY):
        return defaults.server_error(request)
    response = defaults.server_error(request, "503.html")
    response.status_code = 503
    response["Retry-After"] = str(AWAY_SECONDS)
    return response


class BeingComputedMiddleware:
    """Says of a table that a worker is at that it is, on a page that looks again by itself.

    With scripts the page asks quietly (``WAITS``) and is loaded anew once there is something to
    show; without, the browser loads it every few seconds.
    """

    WAITS = "X-Waits"

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The page; to one that waits for it, that it is there."""
        response = self.get_response(request)
        if self.WAITS in request.headers and response.status_code == 200:
            return HttpResponse(headers={"HX-Refresh": "true"})
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """202 with the page that waits; 503 for a file, which a program asks for again."""
        if not isinstance(error, BeingComputed):
            return None
        if self.WAITS in request.headers:
            return HttpResponse(status=204)
        if request.path.endswith("/"):
            template = (
                "computed/_part.html" if request.headers.get("HX-Request") else "computed/page.html"
            )
            context = {"queued": error.queued, "seconds": SECONDS, "waits": self.WAITS}
            response = render(request, template, context, status=202)
        else:
            said = f"{error} Try again in some seconds.\n"
            response = HttpResponse(said, "text/plain; charset=utf-8", status=503)
        response["Retry-After"] = str(SECONDS)
        add_never_cache_headers(response)
        return response


class TooOftenMiddleware:
    """Answers 429 where a view has counted one request too many."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The page."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page that says so; None for what is no such thing."""
        if not isinstance(error, TooOften):
            return None
        return too_often(request, str(error), error.seconds)


def too_often(request: HttpRequest, message: str = "", seconds: int = 60) -> HttpResponse:
    """429 with ``Retry-After``; django-allauth, whose limits are by the minute, answers so too."""
    response = render(request, "429.html", {"message": message}, status=429)
    response["Retry-After"] = str(seconds)
    return response


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

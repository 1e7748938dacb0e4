"""What processes write down: which request or run a line belongs to, as text or as JSON lines."""

from __future__ import annotations

import json
import logging
import re
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

HEADER = "X-Request-ID"
KEPT = "cliprank.request"
KEYS = re.compile(r"(/(?:confirm-email|password/reset/key)/)[^/]+")
"""What a mail leads to: who reads it in a log must not be able to go there."""
WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)

SERVER_ERROR = 500

_request: ContextVar[str] = ContextVar("request", default="")
_run: ContextVar[int | None] = ContextVar("run", default=None)

logger = logging.getLogger("leaderboard.requests")


class RequestIdMiddleware:
    """Gives each request an id, that of the proxy before the site where it sends a sensible one,
    and one line in the log: method, path without its query and keys, status, milliseconds.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, with the id in its header."""
        given = request.headers.get(HEADER, "")
        name = given if WELL_FORMED.fullmatch(given) else uuid.uuid4().hex
        request.META[KEPT] = name
        token = _request.set(name)
        began = time.perf_counter()
        try:
            answer = self.get_response(request)
            took = 1000 * (time.perf_counter() - began)
            said = request.method, without_keys(request.path), answer.status_code, took
            logger.info("%s %s %s %.0f", *said)
        finally:
            _request.reset(token)
        answer[HEADER] = name
        return answer


def without_keys(address: str) -> str:
    """The address with three dots in place of a key that a mail holds."""
    return KEYS.sub(r"\1...", address)


@contextmanager
def about_run(run_id: int) -> Iterator[None]:
    """Lines written meanwhile, in this thread, belong to this run."""
    token = _run.set(run_id)
    try:
        yield
    finally:
        _run.reset(token)


class Belongings(logging.Filter):
    """Puts ``request`` and ``run`` on each record, and ``marks`` with both as text; takes keys out
    of addresses, and the traceback from what Django writes of a request that it refuses.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Lets every record pass."""
        # Django writes of errors when the request is through, and hands it over.
        over = getattr(getattr(record, "request", None), "META", {})
        name, run = _request.get() or over.get(KEPT, ""), _run.get()
        marks = [f"request={name}"] if name else []
        marks += [f"run={run}"] if run is not None else []
        text = f" [{' '.join(marks)}]" if marks else ""
        record.__dict__.update(request_id=name, run_id=run, marks=text)
        if isinstance(record.args, tuple):  # paths, in what Django writes of refusals
            record.args = tuple(without_keys(a) if isinstance(a, str) else a for a in record.args)
        if getattr(record, "status_code", 500) < SERVER_ERROR:
            record.exc_info = None
        return True


class JsonLines(logging.Formatter):
    """One JSON object a line: time (UTC), level, logger, message, and what it belongs to."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line, a traceback within it."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if name := getattr(record, "request_id", ""):
            line["request"] = name
        if (run := getattr(record, "run_id", None)) is not None:
            line["run"] = run
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def configuration(shape: str, level: str) -> dict[str, object]:
    """Everything to the console: as ``json`` lines, or else as text."""
    console = {
        "class": "logging.StreamHandler",
        "filters": ["belongings"],
        "formatter": "json" if shape == "json" else "line",
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"belongings": {"()": "leaderboard.logs.Belongings"}},
        "formatters": {
            "line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s%(marks)s"},
            "json": {"()": "leaderboard.logs.JsonLines"},
        },
        "handlers": {"console": console},
        "loggers": {
            # Lines of their own for each question of a client would bury all others.
            name: {"level": "WARNING"}
            for name in ("httpx", "httpx2", "botocore")
        },
        "root": {"handlers": ["console"], "level": level},
    }


def start_sentry(dsn: str) -> None:
    """Report errors to a Sentry server, without queries, headers or bodies of requests, and without
    the addresses that they come from.

    Raises ``ImproperlyConfigured`` where its client is not installed.
    """
    try:
        import sentry_sdk  # noqa: PLC0415 - few need it
    except ImportError as error:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set, but the Sentry client is not installed. Install it with "
            "`pip install '.[sentry]'`, or leave SENTRY_DSN empty."
        ) from error
    # Local variables of a traceback could quote hidden references and private descriptions.
    sentry_sdk.init(
        dsn=dsn,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        before_send=_without_what_was_asked,
        traces_sample_rate=0.0,
    )


def _without_what_was_asked(event: Event, _: Hint) -> Event:
    """The event with method and path of its request and nothing else of it: a query, and an address
    that somebody came from, may hold words and tokens.
    """
    if asked := event.get("request"):
        told = ("method", "url")
        event["request"] = {str(k): without_keys(str(asked[k])) for k in told if k in asked}
    return event

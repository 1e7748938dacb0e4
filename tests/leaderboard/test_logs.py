"""A line says which request or run it belongs to; a request's id is made or taken over."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import BadRequest, DisallowedHost, ImproperlyConfigured
from django.core.handlers.exception import response_for_exception
from django.test import Client, RequestFactory
from django.urls import reverse

from leaderboard import logs
from leaderboard.models import Run
from leaderboard.pipeline.score import score_run

ROOT = Path(__file__).resolve().parents[2]


class Kept(logging.Handler):
    """Lines as the console would get them in JSON."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[dict[str, Any]] = []
        self.addFilter(logs.Belongings())
        self.setFormatter(logs.JsonLines())

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        text = self.format(record)
        assert "\n" not in text
        self.lines.append(json.loads(text))


@pytest.fixture
def kept() -> Any:
    """What ``leaderboard`` loggers write."""
    handler, logger = Kept(), logging.getLogger("leaderboard")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    logs.logger.setLevel(logging.DEBUG)
    yield handler.lines
    logs.logger.setLevel(logging.NOTSET)
    logger.setLevel(before)
    logger.removeHandler(handler)


def test_a_sensible_id_is_taken_over(client: Client, kept: list[dict[str, Any]]) -> None:
    """In the answer and in the line; the query, which may hold what is private, is not logged."""
    answer = client.get("/healthz?key=private", headers={"X-Request-ID": "proxy-0001.a"})
    assert answer["X-Request-ID"] == "proxy-0001.a"
    (line,) = kept
    assert line["request"] == "proxy-0001.a"
    assert line["message"].startswith("GET /healthz 200 ")
    assert {"time", "level", "logger"} < set(line)
    assert "private" not in json.dumps(line)


@pytest.mark.parametrize("given", ["", "short", "x" * 65, 'with "quotes" in it', "ümläute-und-so"])
def test_any_other_is_replaced(client: Client, given: str) -> None:
    """Nobody writes into the log through a header."""
    first, second = (client.get("/healthz", headers={"X-Request-ID": given}) for _ in range(2))
    assert logs.WELL_FORMED.fullmatch(first["X-Request-ID"])
    assert given != first["X-Request-ID"] != second["X-Request-ID"]


def test_what_django_says_of_an_error_names_the_request(client: Client) -> None:
    """It is written when the request is through."""
    handler, django = Kept(), logging.getLogger("django.request")
    django.addHandler(handler)
    try:
        answer = client.get("/metrics", headers={"X-Request-ID": "proxy-0002"})
    finally:
        django.removeHandler(handler)
    assert answer.status_code == 404
    assert [line["request"] for line in handler.lines] == ["proxy-0002"]


@pytest.mark.parametrize(
    ("error", "said", "logger"),
    [
        (BadRequest("Too much."), "Too much.: /b/", "django.request"),
        (DisallowedHost("Wrong host."), "Wrong host.", "django.security.DisallowedHost"),
    ],
)
def test_a_refused_request_is_one_line(error: Exception, said: str, logger: str) -> None:
    """With its sentence and the request's id; the way through the code to it is no news."""
    handler, django = Kept(), logging.getLogger(logger)
    django.addHandler(handler)
    request = RequestFactory().get("/b/", headers={"X-Request-ID": "proxy-0003"})
    try:
        logs.RequestIdMiddleware(lambda asked: response_for_exception(asked, error))(request)
    finally:
        django.removeHandler(handler)
    (line,) = handler.lines
    assert (line["request"], line["message"]) == ("proxy-0003", said)
    assert "exception" not in line


def test_lines_of_a_run_name_it(
    submit: Any, judges: Any, kept: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the traceback inside the line."""

    def broken(_: Any) -> None:
        raise RuntimeError("two\nlines")

    submit()
    run = Run.objects.first()
    assert run
    judges[run.judge].before = broken
    score_run(run.pk)
    (line,) = [one for one in kept if "exception" in one]
    assert line["run"] == run.pk
    assert "RuntimeError" in line["exception"]
    logging.getLogger("leaderboard.after").warning("afterwards")
    assert "run" not in kept[-1]


def test_a_plain_line_has_its_marks() -> None:
    """Text goes on as before, with the id behind it."""
    record = logging.LogRecord("a", logging.INFO, "f", 1, "Said", None, None)
    logs.Belongings().filter(record)
    assert vars(record)["marks"] == ""
    with logs.about_run(7):
        logs.Belongings().filter(record)
    assert vars(record)["marks"] == " [run=7]"


def test_no_line_holds_a_key_that_a_mail_leads_to() -> None:
    """Django writes the path of what it refuses."""
    path = "/password/reset/key/1-secret/"
    record = logging.LogRecord("django", logging.INFO, "f", 1, "Gone: %s %d", (path, 7), None)
    logs.Belongings().filter(record)
    assert record.getMessage() == "Gone: /password/reset/key/.../ 7"


@pytest.mark.django_db
def test_a_line_for_each_request_is_the_sites_own(
    client: Client, kept: list[dict[str, Any]]
) -> None:
    """The server's own would have the query, where somebody came from and their address in it."""
    client.get("/healthz?q=secret", headers={"Referer": "http://x/?secret"})
    assert kept[-1]["message"].startswith("GET /healthz 200 ")
    for address in ("account_confirm_email", "account_reset_password_from_key"):
        keys = {"uidb36": "1"} if "password" in address else {}
        client.get(reverse(address, kwargs=keys | {"key": "secret-key"}))
        assert "/.../ " in kept[-1]["message"]
    assert "secret" not in str(kept)
    started = ("Procfile", "infra/images/web.Dockerfile", "infra/helm/cliprank/templates/web.yaml")
    for name in started:
        text = (ROOT / name).read_text()
        assert "gunicorn" in text
        assert "access-log" not in text


def test_sentry_is_started_without_what_people_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bodies, no addresses, no local variables, no queries, no headers."""
    asked: dict[str, Any] = {}
    monkeypatch.setitem(sys.modules, "sentry_sdk", SimpleNamespace(init=asked.update))
    logs.start_sentry("https://key@sentry.example.org/1")
    assert asked["dsn"] == "https://key@sentry.example.org/1"
    assert asked["send_default_pii"] is asked["include_local_variables"] is False
    assert asked["max_request_body_size"] == "never"
    address = "http://site/password/reset/key/"
    request = {"method": "GET", "url": f"{address}1-secret/", "query_string": "q=secret"}
    event = {"message": "m", "request": request | {"headers": {"Referer": "secret"}}}
    left = {"method": "GET", "url": f"{address}.../"}
    assert asked["before_send"](event, {}) == {"message": "m", "request": left}
    assert asked["before_send"]({"message": "of a worker"}, {}) == {"message": "of a worker"}


def test_sentry_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the remedy."""
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match=r"pip install '.\[sentry\]'"):
        logs.start_sentry("https://key@sentry.example.org/1")

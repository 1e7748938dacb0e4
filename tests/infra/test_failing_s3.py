"""A real S3 server behind a proxy that fails: what is read is right or not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import numpy as np
import pytest
from botocore.config import Config

from infra.faults.failing_s3 import FAULTS, FailingS3
from infra.faults.servers import S3, Absent
from scoring.cache import EmbeddingCache
from scoring.cache_s3 import S3Store
from tests.support.services import absent

ROUNDS = 25
TEXTS = [f"text {place}" for place in range(40)]


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[FailingS3]:
    """Two of three requests meet a fault."""
    server = S3(tmp_path / "s3")
    try:
        server.start()
    except Absent as error:
        absent(str(error))
    failing = FailingS3(tmp_path / "failing", server, seed=0, share=0.67)
    failing.start()
    yield failing
    failing.stop()
    server.stop()


@pytest.fixture
def client(proxy: FailingS3) -> Any:
    """As the site's, without waiting between its tries."""
    told = proxy.variables
    return boto3.client(
        "s3",
        endpoint_url=told["AWS_ENDPOINT_URL"],
        aws_access_key_id=told["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=told["AWS_SECRET_ACCESS_KEY"],
        region_name=told["AWS_DEFAULT_REGION"],
        config=Config(
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            retries={"total_max_attempts": 1},
            s3={"addressing_style": "path"},
        ),
    )


def test_the_cache_of_vectors_fails_no_run_and_gives_no_wrong_vector(
    proxy: FailingS3, client: Any
) -> None:
    """Whatever the way does to it; when nothing fails any more, everything is found again."""
    vectors = np.random.default_rng(0).random((len(TEXTS), 4), np.float32)
    cut = np.zeros(len(TEXTS), np.bool_)
    found = 0
    for _ in range(ROUNDS):
        cache = EmbeddingCache(S3Store(client, "files"))
        cache.put("judge", TEXTS, vectors, cut)
        got = np.zeros_like(vectors)
        missing = cache.fill("judge", TEXTS, got, cut.copy())
        known = np.setdiff1d(np.arange(len(TEXTS)), missing)
        np.testing.assert_array_equal(got[known], vectors[known])
        found += len(known)
    assert 0 < found < ROUNDS * len(TEXTS)
    assert all(proxy.said(fault) for fault in FAULTS if fault != "answered late")
    proxy.calm.touch()
    got = np.zeros_like(vectors)
    cache = EmbeddingCache(S3Store(client, "files"))
    cache.put("judge", TEXTS, vectors, cut)
    assert not len(cache.fill("judge", TEXTS, got, cut))
    np.testing.assert_array_equal(got, vectors)

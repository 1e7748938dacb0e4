"""The embedding cache in a bucket: a client with S3's calls stands in for the service."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import numpy as np
import pytest

exceptions = pytest.importorskip("botocore.exceptions")

from scoring.cache import EmbeddingCache  # noqa: E402
from scoring.cache_s3 import S3Store  # noqa: E402


class Bucket:
    """The calls that the store makes, as S3 answers them."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.times: dict[str, datetime] = {}
        self.reads: list[str] = []
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def put_object(self, Bucket: str, Key: str, Body: bytes) -> None:  # noqa: N803
        self.objects[Key] = Body
        self._stamp(Key)

    def get_object(self, Bucket: str, Key: str, Range: str) -> dict[str, Any]:  # noqa: N803
        self._must_exist(Key, "GetObject")
        self.reads.append(Range)
        first, last = map(int, Range.removeprefix("bytes=").split("-"))
        return {"Body": BytesIO(self.objects[Key][first : last + 1])}

    def delete_object(self, Bucket: str, Key: str) -> None:  # noqa: N803
        self.objects.pop(Key, None)

    def copy_object(self, Key: str, **_: Any) -> None:  # noqa: N803
        self._must_exist(Key, "CopyObject")
        self._stamp(Key)

    def get_paginator(self, name: str) -> Bucket:
        assert name == "list_objects_v2"
        return self

    def paginate(self, Bucket: str, Prefix: str) -> Any:  # noqa: N803
        for key in sorted(self.objects):
            if key.startswith(Prefix):
                found = {"Key": key, "Size": len(self.objects[key])}
                yield {"Contents": [found | {"LastModified": self.times[key]}]}
        yield {}

    def _stamp(self, key: str) -> None:
        self.now += timedelta(seconds=1)
        self.times[key] = self.now

    def _must_exist(self, key: str, call: str) -> None:
        if key not in self.objects:
            raise exceptions.ClientError({"Error": {"Code": "NoSuchKey"}}, call)


TEXTS = [f"text {place}" for place in range(50)]
MATRIX = np.random.default_rng(0).random((50, 4), np.float32)
CUT = np.zeros(50, np.bool_)


def known(cache: EmbeddingCache, texts: list[str]) -> tuple[list[int], np.ndarray]:
    matrix = np.zeros((len(texts), 4), np.float32)
    missing = cache.fill("judge:a", texts, matrix, np.zeros(len(texts), np.bool_))
    return missing.tolist(), matrix


def test_what_one_machine_put_another_finds() -> None:
    bucket = Bucket()
    EmbeddingCache(S3Store(bucket, "b")).put("judge:a", TEXTS, MATRIX, CUT)
    assert all(key.startswith("embeddings/") for key in bucket.objects)
    missing, found = known(EmbeddingCache(S3Store(bucket, "b")), [TEXTS[3], "new", TEXTS[40]])
    assert missing == [1]
    np.testing.assert_array_equal(found[[0, 2]], MATRIX[[3, 40]])


def test_use_is_remembered_for_pruning() -> None:
    bucket = Bucket()
    store = S3Store(bucket, "b")
    cache = EmbeddingCache(store)
    for text in ("first", "second"):
        cache.put("judge:a", [text], MATRIX[:1], CUT[:1])
    known(cache, ["first"])
    cache.prune(cache.stats().size - 1)
    assert known(cache, ["first"])[0] == []
    assert known(cache, ["second"])[0] == [0]


def test_faults_of_the_bucket_fail_no_run(caplog: pytest.LogCaptureFixture) -> None:
    class Down(Bucket):
        def put_object(self, **_: Any) -> None:
            raise exceptions.EndpointConnectionError(endpoint_url="http://s3.invalid")

        def paginate(self, **_: Any) -> Any:
            raise exceptions.ClientError({"Error": {"Code": "AccessDenied"}}, "ListObjectsV2")
            yield

    cache = EmbeddingCache(S3Store(Down(), "b"))
    cache.put("judge:a", TEXTS, MATRIX, CUT)
    assert known(cache, ["text 1"])[0] == [0]
    assert "s3.invalid" in caplog.text
    assert "AccessDenied" in caplog.text


def test_a_missing_object_is_a_missing_file() -> None:
    store = S3Store(Bucket(), "b")
    with pytest.raises(FileNotFoundError):
        store.read("nothing", 0, 10)
    store.touch("nothing")
    store.delete("nothing")

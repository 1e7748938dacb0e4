"""Segments of the embedding cache in an S3 bucket, shared by the workers of several machines."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from scoring.blobs import Blob
from scoring.s3 import os_errors


class S3Store:
    """A `BlobStore` in a bucket.

    Args:
        client: `boto3.client("s3", ...)`, made by the caller, who knows endpoint and credentials.
        bucket: its name; it must exist.
        prefix: put before every name, with a slash at its end.
        asked: what every write asks of the server besides, for example encryption.

    An object is written in one request, so no reader sees a part of it. Last use is the time of
    last modification: `touch` copies an object onto itself on the server. What goes wrong in the
    bucket or on the way is an `OSError`, as for files.
    """

    def __init__(
        self,
        client: Any,
        bucket: str,
        prefix: str = "embeddings/",
        asked: Mapping[str, str] | None = None,
    ) -> None:
        self._client = client
        self._bucket = bucket
        self._prefix = prefix
        self._asked = dict(asked or {})

    def blobs(self, prefix: str = "") -> list[Blob]:
        """See `BlobStore.blobs`."""
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=self._prefix + prefix
        )
        with os_errors(prefix):
            return [
                Blob(
                    found["Key"].removeprefix(self._prefix),
                    found["Size"],
                    found["LastModified"].timestamp(),
                )
                for page in pages
                for found in page.get("Contents", ())
            ]

    def read(self, name: str, start: int, size: int) -> bytes:
        """See `BlobStore.read`."""
        if size == 0:
            return b""
        with os_errors(name):
            found = self._client.get_object(
                **self._at(name), Range=f"bytes={start}-{start + size - 1}"
            )
            data: bytes = found["Body"].read()
        return data

    def write(self, name: str, data: bytes) -> None:
        """See `BlobStore.write`."""
        with os_errors(name):
            self._client.put_object(**self._at(name), Body=data, **self._asked)

    def delete(self, name: str) -> None:
        """See `BlobStore.delete`."""
        with os_errors(name):
            self._client.delete_object(**self._at(name))

    def touch(self, name: str) -> None:
        """See `BlobStore.touch`."""
        place = self._at(name)
        with suppress(FileNotFoundError), os_errors(name):
            # Without other metadata a copy onto itself would be refused.
            self._client.copy_object(
                **place,
                CopySource=place,
                MetadataDirective="REPLACE",
                Metadata={"used": "again"},
                **self._asked,
            )

    def _at(self, name: str) -> dict[str, str]:
        return {"Bucket": self._bucket, "Key": self._prefix + name}

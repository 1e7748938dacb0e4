"""Files that somebody else sends to the bucket in parts, each with a link of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from scoring.s3 import os_errors

if TYPE_CHECKING:
    from leaderboard.storage.bucket import BucketStorage

MIB = 2**20
PART_BYTES = 8 * MIB
"""S3 takes no part but the last of less than 5 MiB."""
MOST_PARTS = 1_000


@dataclass(frozen=True, slots=True)
class Part:
    """A part that has arrived; ``mark`` is the server's, of its bytes."""

    number: int
    size: int
    mark: str


def part_bytes(size: int) -> int:
    """Bytes of each part but the last, of a file of ``size`` bytes."""
    least = -(-size // MOST_PARTS)
    return max(PART_BYTES, -(-least // MIB) * MIB)


def begin(bucket: BucketStorage, name: str) -> str:
    """The server's id of an upload that is yet without parts, encrypted as all others."""
    with os_errors(name):
        asked = {**bucket.at(name), **bucket.written_with(name)}
        return str(bucket.client.create_multipart_upload(**asked)["UploadId"])


def part_link(bucket: BucketStorage, name: str, upload_id: str, number: int, size: int) -> str:
    """Where to PUT part ``number`` (from 1), which must have exactly ``size`` bytes."""
    asked = {**bucket.at(name), "UploadId": upload_id, "PartNumber": number, "ContentLength": size}
    return bucket.signed("upload_part", asked, bucket.querystring_expire)


def arrived(bucket: BucketStorage, name: str, upload_id: str) -> list[Part]:
    """The parts that are there, as the server has measured them."""
    with os_errors(name):
        pages = bucket.client.get_paginator("list_parts").paginate(
            **bucket.at(name), UploadId=upload_id
        )
        return [
            Part(found["PartNumber"], found["Size"], found["ETag"])
            for page in pages
            for found in page.get("Parts", ())
        ]


def join(bucket: BucketStorage, name: str, upload_id: str, parts: list[Part]) -> None:
    """Make one file of the parts."""
    named = [{"PartNumber": part.number, "ETag": part.mark} for part in parts]
    with os_errors(name):
        bucket.client.complete_multipart_upload(
            **bucket.at(name), UploadId=upload_id, MultipartUpload={"Parts": named}
        )


def abort(bucket: BucketStorage, name: str, upload_id: str) -> None:
    """Forget the parts; an upload that is over is fine."""
    with suppress(FileNotFoundError), os_errors(name):
        bucket.client.abort_multipart_upload(**bucket.at(name), UploadId=upload_id)


def under_way(bucket: BucketStorage) -> Iterator[tuple[str, str, datetime]]:
    """(name, upload id, when it was begun) of every upload whose parts are not joined."""
    start = f"{bucket.location}/".lstrip("/")
    with suppress(FileNotFoundError), os_errors(start):  # so some servers say that there is none
        pages = bucket.client.get_paginator("list_multipart_uploads").paginate(
            Bucket=bucket.bucket_name, Prefix=start
        )
        for page in pages:
            for found in page.get("Uploads", ()):
                name = found["Key"].removeprefix(start)
                yield name, found["UploadId"], found["Initiated"]

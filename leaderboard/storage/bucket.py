"""Stored files in an S3 bucket, private, with short-lived links for who may read one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

import boto3
import botocore.session
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.loaders import Loader, create_loader
from django.core.files.base import File
from django.utils.http import content_disposition_header
from storages.backends.s3 import S3File, S3Storage
from storages.utils import clean_name

from scoring.s3 import os_errors

IN_MEMORY = 20_000_000
"""A file that is read is kept in memory up to so many bytes, above that on disk."""
CHUNK = 64 * 1024


class _Object(S3File):  # type: ignore[misc] # untyped
    """A file of the bucket whose faults are those of a file, also when it is opened again."""

    def _get_file(self) -> Any:
        with os_errors(self.name):
            return super()._get_file()

    file = property(_get_file, S3File._set_file)


class BucketStorage(S3Storage):  # type: ignore[misc] # untyped
    """django-storages' backend, as this site needs it.

    Nothing is overwritten; every fault is an ``OSError``; checksums beyond the signature are left
    out where they are optional, since servers other than Amazon's lack them. Options of our own:
    ``links`` (whether who may read a file is sent to the bucket for it), ``public_endpoint`` (the
    server's address for browsers, where it differs) and ``direct_from`` (see ``multipart``).
    """

    def get_default_settings(self) -> dict[str, Any]:
        """See ``S3Storage``; what the environment says comes as options (``configuration``)."""
        usual: dict[str, Any] = super().get_default_settings()
        return usual | {
            "file_overwrite": False,
            "signature_version": "s3v4",
            "max_memory_size": IN_MEMORY,
            # Threads of its own for each file gain nothing at the sizes of uploads.
            "transfer_config": TransferConfig(use_threads=False),
            "querystring_expire": 300,
            "links": True,
            "public_endpoint": "",
            "direct_from": 0,
        }

    def __init__(self, **options: Any) -> None:
        style = options.get("addressing_style") or "auto"
        config = Config(
            signature_version="s3v4",
            s3={"addressing_style": style},
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            connect_timeout=5,
            read_timeout=30,
            retries={"mode": "standard", "total_max_attempts": 3},
        )
        super().__init__(**{"client_config": config} | options)

    # --- what Django asks of a storage ------------------------------------------------------------
    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        """The file, read to its end already, so that a fault shows here and not half-way."""
        with os_errors(name):
            found: File[bytes] = _Object(self._normalize_name(clean_name(name)), mode, self)
            found.open()
            return found

    def _save(self, name: str, content: File[bytes]) -> str:
        with os_errors(name):
            return str(super()._save(name, content))

    def delete(self, name: str) -> None:
        """Delete it; one that is not there is fine."""
        with os_errors(name):
            super().delete(name)

    def exists(self, name: str) -> bool:
        """Whether it is there."""
        with os_errors(name):
            return bool(super().exists(name))

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        """Folders and files below ``path``."""
        with os_errors(path):
            folders, files = super().listdir(path)
            return folders, files

    def size(self, name: str) -> int:
        """Bytes."""
        with os_errors(name):
            return int(super().size(name))

    def get_modified_time(self, name: str) -> datetime:
        """When it was stored."""
        with os_errors(name):
            found: datetime = super().get_modified_time(name)
            return found

    # --- beyond that ------------------------------------------------------------------------------
    def dated(self) -> Iterator[tuple[str, datetime]]:
        """Every stored file and when it was stored, a thousand with each question."""
        start = f"{self.location}/".lstrip("/")
        with os_errors(start):
            pages = self.client.get_paginator("list_objects_v2").paginate(
                Bucket=self.bucket_name, Prefix=start
            )
            for page in pages:
                for found in page.get("Contents", ()):
                    yield found["Key"].removeprefix(start), found["LastModified"]

    def part(self, name: str, first: int, length: int) -> Iterator[bytes]:
        """``length`` bytes from ``first`` on, in pieces, as they come."""
        if not length:
            return iter(())
        with os_errors(name):
            found = self.client.get_object(
                **self.at(name), Range=f"bytes={first}-{first + length - 1}"
            )
        return self._pieces(name, found["Body"])

    def _pieces(self, name: str, body: Any) -> Iterator[bytes]:
        with os_errors(name), body:
            yield from body.iter_chunks(CHUNK)

    def link(
        self, name: str, *, kind: str, filename: str = "", seconds: int = 0, head: bool = False
    ) -> str:
        """An address that anybody may read the file at, for ``seconds``; "" where there is none.

        Answers there have the content type ``kind`` and, with a ``filename``, are saved under it.
        """
        if not self.links:
            return ""
        asked = {**self.at(name), "ResponseContentType": kind}
        if filename:
            asked["ResponseContentDisposition"] = content_disposition_header(True, filename)
        method = "head_object" if head else "get_object"
        return self.signed(method, asked, seconds or self.querystring_expire)

    def signed(self, method: str, asked: dict[str, Any], seconds: int) -> str:
        """A signed request, to be made by somebody else; computed here, without asking."""
        with os_errors(str(asked.get("Key", ""))):
            client = self._public_client if self.public_endpoint else self.client
            return str(client.generate_presigned_url(method, Params=asked, ExpiresIn=seconds))

    def written_with(self, name: str) -> dict[str, Any]:
        """What every upload asks for: encryption, access, and a type that nothing shows."""
        asked: dict[str, Any] = self._get_write_parameters(name)
        return asked | {"ContentType": "application/octet-stream"}

    def at(self, name: str) -> dict[str, str]:
        """Bucket and key of a stored name."""
        return {"Bucket": self.bucket_name, "Key": self._normalize_name(name)}

    @property
    def client(self) -> Any:
        """The S3 client of this thread."""
        return self.connection.meta.client

    @cached_property
    def _public_client(self) -> Any:
        """Signs for the address under which browsers reach the server."""
        return self._create_session().client(
            "s3",
            region_name=self.region_name,
            endpoint_url=self.public_endpoint,
            config=self.client_config,
        )

    def _create_session(self) -> Any:
        """A session as boto makes it, which need not read the description of S3 once more."""
        core = botocore.session.Session()
        core.register_component("data_loader", _descriptions())
        if self.session_profile:
            return boto3.Session(profile_name=self.session_profile, botocore_session=core)
        return boto3.Session(
            aws_access_key_id=self.access_key,
            aws_secret_access_key=self.secret_key,
            aws_session_token=self.security_token,
            botocore_session=core,
        )


@lru_cache(maxsize=1)
def _descriptions() -> Loader:
    """Of services, some MB of JSON: read once in a process instead of once for every client."""
    loader: Loader = create_loader()
    return loader

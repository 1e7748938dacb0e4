"""Both storages, and an S3 server that is there or is not."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import boto3
import pytest
from botocore.config import Config
from django.core.files.storage import default_storage

from leaderboard.storage.bucket import BucketStorage
from leaderboard.storage.configuration import BUCKET, FOLDER
from tests.support.s3_server import S3Server


@pytest.fixture
def bucket(s3: S3Server, monkeypatch: pytest.MonkeyPatch, settings: Any) -> BucketStorage:
    """The site keeps its files in a new bucket of a real server, below the prefix ``media``."""
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)
    options = {"bucket_name": f"site-{uuid4().hex[:12]}", "location": "media", "direct_from": 100}
    use(settings, options)
    storage: Any = default_storage
    storage.client.create_bucket(Bucket=storage.bucket_name)
    return storage  # type: ignore[no-any-return]


@pytest.fixture
def folder(settings: Any) -> Any:
    """The site keeps its files in a folder."""
    settings.STORAGES = settings.STORAGES | {"default": FOLDER}
    return default_storage


@pytest.fixture(params=["folder", "bucket"])
def storage(request: pytest.FixtureRequest) -> Any:
    """The site's storage, once a folder and once a bucket."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def down(bucket: BucketStorage, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    """``down()``: from then on nobody answers for the bucket; ``down(back=True)``: again."""
    options = {"bucket_name": bucket.bucket_name, "location": "media"}
    at_once = Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"})
    nobody = {"endpoint_url": "http://127.0.0.1:9", "client_config": at_once}

    def made(*, back: bool = False) -> None:
        use(settings, options | ({} if back else nobody))

    return made


def use(settings: Any, options: dict[str, Any]) -> None:
    """Let the site keep its files so."""
    boto3.DEFAULT_SESSION = None
    made = {"BACKEND": BUCKET, "OPTIONS": options}
    settings.STORAGES = settings.STORAGES | {"default": made}

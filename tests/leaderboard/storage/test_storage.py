"""A folder and a bucket of a real S3 server behave alike, and say alike what goes wrong."""

from __future__ import annotations

import hashlib
import os
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.utils import timezone
from environ import Env

from leaderboard.intake.store import kept
from leaderboard.pipeline.stored_file import check_file
from leaderboard.storage import configuration
from leaderboard.storage.bucket import BucketStorage
from leaderboard.storage.folder import FolderStorage


def test_what_is_stored_is_read(storage: Any) -> None:
    """Whole, again, in parts, and gone once it is deleted."""
    name = storage.save("a/b", ContentFile(b"0123456789"))
    assert (name, storage.size(name), storage.exists(name)) == ("a/b", 10, True)
    with storage.open(name) as file:
        assert file.read(4) == b"0123"
        assert file.read() == b"456789"
    assert b"".join(storage.part(name, 3, 4)) == b"3456"
    assert b"".join(storage.part(name, 0, 0)) == b""
    ((listed, moment),) = storage.dated()
    assert listed == name
    assert timezone.now() - moment < timedelta(minutes=5)
    storage.delete(name)
    storage.delete(name)
    assert not storage.exists(name)
    assert list(storage.dated()) == []


def test_nothing_is_overwritten(storage: Any) -> None:
    """The second of a name gets another one."""
    first, second = (storage.save("a/b", ContentFile(data)) for data in (b"1", b"2"))
    assert first != second
    assert (storage.open(first).read(), storage.open(second).read()) == (b"1", b"2")


def test_what_is_not_there_is_a_missing_file(storage: Any) -> None:
    """Whatever is asked of it."""
    for ask in (storage.open, storage.size, storage.get_modified_time):
        with pytest.raises(FileNotFoundError):
            ask("a/b")
    with pytest.raises(FileNotFoundError):
        list(storage.part("a/b", 0, 1))
    assert not storage.exists("a/b")


@pytest.mark.parametrize("size", [1_000, 10_000_000])
def test_st_01_the_hash_is_that_of_the_stored_bytes(storage: Any, size: int) -> None:
    """Small and in parts: taken before, and the same of what is read afterwards."""
    data = os.urandom(size)
    with kept(data) as draft:
        pass
    assert draft.file.name == f"submissions/{draft.pk}"
    assert draft.sha256 == hashlib.sha256(data).hexdigest()
    check_file(draft)
    assert draft.file.open("rb").read() == data


def test_a_full_disk_leaves_no_part_of_a_file(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """Written beside, and only then named."""

    class Full(ContentFile):  # type: ignore[type-arg] # it takes none when it runs
        def chunks(self, chunk_size: int | None = None) -> Any:
            yield b"half"
            raise OSError(28, "No space left on device")

    storage = FolderStorage(tmp_path / "files")
    assert isinstance(storage, FileSystemStorage)
    with pytest.raises(OSError, match="No space"):
        storage.save("a/b", Full(b""))
    assert list(storage.dated()) == []


def test_every_fault_of_the_server_is_one_of_files(down: Any, settings: Any) -> None:
    """Also when a file is opened a second time, and when its bytes are asked for."""
    from django.core.files.storage import default_storage as storage  # noqa: PLC0415

    name = storage.save("a/b", ContentFile(b"1"))
    down()
    asked: list[Any] = [
        lambda: storage.save("c", ContentFile(b"2")),
        lambda: storage.open(name),
        lambda: storage.exists(name),
        lambda: storage.size(name),
        lambda: storage.delete(name),
        lambda: storage.listdir(""),
        lambda: storage.get_modified_time(name),
        lambda: list(storage.dated()),  # type: ignore[attr-defined]
        lambda: list(storage.part(name, 0, 1)),  # type: ignore[attr-defined]
    ]
    for ask in asked:
        with pytest.raises(OSError, match=r"127\.0\.0\.1:9") as caught:
            ask()
        assert not isinstance(caught.value, FileNotFoundError)


def test_a_file_that_cannot_be_opened_again(bucket: BucketStorage, monkeypatch: Any) -> None:
    """Its object is gone since."""
    name = bucket.save("a/b", ContentFile(b"1"))
    file = bucket.open(name)
    file.close()
    bucket.delete(name)
    with pytest.raises(FileNotFoundError):
        file.open().read()


def environment(**values: str) -> Env:
    """An environment of the test's own."""
    made = Env()
    made.ENVIRON = values  # type: ignore[assignment]
    return made


def test_without_a_bucket_files_lie_in_a_folder() -> None:
    """The embedded default; nothing of the bucket's is read."""
    found = configuration.backend(environment(AWS_LOCATION="x"))
    assert found["BACKEND"].endswith("FolderStorage")
    assert configuration.origins(found) == []
    configuration.keep_apart(found, "s3://site/media")


def test_a_bucket_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options that the storage takes; where links lead; what uploads ask of the server."""
    env = environment(
        AWS_STORAGE_BUCKET_NAME="site", AWS_S3_SSE="aws:kms", AWS_S3_SSE_KMS_KEY_ID="key-1"
    )
    found = configuration.backend(env)
    storage = BucketStorage(**found["OPTIONS"])
    assert (storage.location, storage.file_overwrite, storage.default_acl) == ("media", False, None)
    expected = {"ServerSideEncryption": "aws:kms", "SSEKMSKeyId": "key-1"}
    assert storage.get_object_parameters("x") == expected
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-north-1")
    assert configuration.origins(found) == ["https://site.s3.eu-north-1.amazonaws.com"]
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://s3:9000")
    found = configuration.backend(
        environment(AWS_STORAGE_BUCKET_NAME="site", AWS_ENDPOINT_URL="http://s3:9000")
    )
    assert configuration.origins(found) == ["http://s3:9000"]
    found["OPTIONS"]["public_endpoint"] = "https://files.example.org"
    assert configuration.origins(found) == ["https://files.example.org"]
    found["OPTIONS"]["links"] = False
    assert configuration.origins(found) == []


def test_a_configuration_that_would_lose_files_is_refused() -> None:
    """A cache among the uploads, whose pieces no row names; an encryption that nobody knows."""
    found = configuration.backend(environment(AWS_STORAGE_BUCKET_NAME="site"))
    configuration.keep_apart(found, "s3://site/embeddings")
    configuration.keep_apart(found, "s3://other/media")
    for cache in ("s3://site/media", "s3://site/media/embeddings/"):
        with pytest.raises(ImproperlyConfigured, match="another prefix"):
            configuration.keep_apart(found, cache)
    everywhere = environment(AWS_STORAGE_BUCKET_NAME="site", AWS_LOCATION="")
    with pytest.raises(ImproperlyConfigured, match="AWS_LOCATION"):
        configuration.keep_apart(configuration.backend(everywhere), "s3://site/embeddings")
    with pytest.raises(ImproperlyConfigured, match="AES256"):
        configuration.backend(environment(AWS_STORAGE_BUCKET_NAME="site", AWS_S3_SSE="rot13"))

"""Large files straight into the bucket of a real S3 server: every step, and every wrong one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from leaderboard import tasks
from leaderboard.intake import Named, direct
from leaderboard.models import ApiToken, DirectUpload, QuotaPolicy, Release, Submission
from leaderboard.storage import multipart, unfinished
from leaderboard.storage.bucket import BucketStorage
from tests.leaderboard.conftest import TEXTS
from tests.leaderboard.storage.conftest import use

pytestmark = pytest.mark.django_db
DATA = json.dumps(TEXTS).encode()
FIELDS = {"system": "Model", "visibility": "private", "note": "large"}
ANNOUNCED = {"filename": "../run.json", "size": len(DATA), "sha256": ""}
Ask = Callable[..., Any]


@pytest.fixture
def ask(client: Client, ann: User, release: Release, sent: list[Any]) -> Ask:
    """``ask("post", "uploads/...", {...})`` as ann."""
    _, secret = ApiToken.objects.issue(user=ann, name="t")

    def made(method: str, address: str, content: Any = None, token: str = secret) -> Any:
        call = getattr(client, method)
        sent_as = {"data": json.dumps(content or {}), "content_type": "application/json"}
        headers = {"Authorization": f"Bearer {token}"}
        return call(f"/api/v1/{address}", headers=headers, **sent_as)

    return made


def begun(ask: Ask, **changed: Any) -> dict[str, Any]:
    """An upload that was announced."""
    answer = ask("post", "benchmarks/small/uploads", ANNOUNCED | changed)
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found


def put(ask: Ask, upload: dict[str, Any], number: int, data: bytes) -> int:
    """Send a part where the site says; the status that the bucket answers with."""
    link = ask("post", f"uploads/{upload['id']}/parts/{number}").json()
    return httpx2.request(link["method"], link["url"], content=data).status_code


def code(answer: Any, status: int) -> str:
    """The code of a refusal of that status."""
    assert answer.status_code == status, answer.content
    return str(answer.json()["problems"][0]["code"])


def left(bucket: BucketStorage) -> list[str]:
    """What is in the bucket, joined or not."""
    parts = [name for name, _, _ in multipart.under_way(bucket)]
    return sorted([*(name for name, _ in bucket.dated()), *parts])


def test_from_the_announcement_to_the_submission(
    ask: Ask, bucket: BucketStorage, ann: User, sent: list[Any]
) -> None:
    """Nothing is stored before it is complete; then it is a submission like any other, and no trace
    is left beside its file. Completing it again is the same submission.
    """
    upload = begun(ask, sha256=hashlib.sha256(DATA).hexdigest().upper())
    assert (upload["parts"], upload["filename"]) == (1, "run.json")
    assert put(ask, upload, 1, DATA) == 200
    assert not Submission.objects.exists()
    report = ask("post", f"uploads/{upload['id']}/check", {"language": "en"}).json()
    assert (report["ok"], report["found"], report["filename"]) == (True, 4, "run.json")
    assert not Submission.objects.exists()
    answers = [ask("post", f"uploads/{upload['id']}/complete", FIELDS) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201], answers[0].content
    made = Submission.objects.get()
    assert {answer.json()["id"] for answer in answers} == {str(made.pk)} == {upload["id"]}
    assert (made.user, made.visibility, made.note) == (ann, "private", "large")
    assert made.sha256 == hashlib.sha256(DATA).hexdigest()
    assert made.file.open("rb").read() == DATA
    assert left(bucket) == [f"submissions/{made.pk}"]
    assert not DirectUpload.objects.exists()
    assert made.runs.count() == 2


def test_two_completions_at_once_are_one_submission(
    ask: Ask, bucket: BucketStorage, ann: User, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The later one finds the id taken, and takes away nothing but what it has stored itself."""
    upload = begun(ask)
    put(ask, upload, 1, DATA)
    row = DirectUpload.objects.get()
    ask("post", f"uploads/{upload['id']}/complete", FIELDS)
    made = Submission.objects.get()
    monkeypatch.setattr(direct, "data_of", lambda _: DATA)
    given = {"system": Named("Model", {}), "visibility": "private"}
    assert direct.complete(row, release=release, user=ann, **given) == made
    assert Submission.objects.count() == 1
    assert left(bucket) == [f"submissions/{made.pk}"]


def test_a_file_of_several_parts(
    ask: Ask, bucket: BucketStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any number, each of its own size; what lacks is named, and can be sent then."""
    data = DATA + b" " * (6 * 2**20)
    monkeypatch.setattr(multipart, "PART_BYTES", 5 * 2**20)
    upload = begun(ask, size=len(data), sha256=hashlib.sha256(data).hexdigest())
    assert (upload["parts"], upload["part_size"]) == (2, 5 * 2**20)
    assert put(ask, upload, 1, data[: 5 * 2**20]) == 200
    refused = ask("post", f"uploads/{upload['id']}/complete", FIELDS)
    assert code(refused, 409) == "upload-incomplete"
    assert "[2]" in refused.json()["error"]
    assert ask("post", f"uploads/{upload['id']}/parts/3").status_code == 404
    assert put(ask, upload, 2, data[5 * 2**20 :]) == 200
    assert ask("post", f"uploads/{upload['id']}/complete", FIELDS).status_code == 201
    assert Submission.objects.get().size == len(data)


def test_parts_that_a_try_without_an_answer_has_joined(
    ask: Ask, bucket: BucketStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client of the bucket tries again, and is told that there is no such upload any more."""
    join = multipart.join
    monkeypatch.setattr(multipart, "join", lambda *given: (join(*given), join(*given)))
    upload = begun(ask)
    put(ask, upload, 1, DATA)
    assert ask("post", f"uploads/{upload['id']}/complete", FIELDS).status_code == 201
    assert left(bucket) == [f"submissions/{upload['id']}"]


def test_a_file_that_comes_cut_short_is_asked_for_again(
    ask: Ask, bucket: BucketStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the storage that fails, not the file, which stays."""
    upload = begun(ask)
    put(ask, upload, 1, DATA)
    cut = ContentFile(DATA[: len(DATA) // 2])
    with monkeypatch.context() as patched:
        patched.setattr(BucketStorage, "open", lambda *_: cut)
        refused = ask("post", f"uploads/{upload['id']}/complete", FIELDS)
    assert code(refused, 503) == "storage-failing"
    assert ask("post", f"uploads/{upload['id']}/complete", FIELDS).status_code == 201


def test_a_part_has_the_size_that_was_announced(ask: Ask, bucket: BucketStorage) -> None:
    """The bucket takes no other: nobody fills it through a link."""
    upload = begun(ask)
    for data in (DATA + b" ", DATA[:-1], DATA * 100):
        assert put(ask, upload, 1, data) == 403
    refused = ask("post", f"uploads/{upload['id']}/complete", FIELDS)
    assert code(refused, 409) == "upload-incomplete"


def test_what_a_bucket_took_all_the_same_is_measured_again(
    ask: Ask, bucket: BucketStorage, settings: Any
) -> None:
    """One that does not look at sizes: over the limit nothing is joined, and all is dropped."""
    upload = begun(ask)
    row = DirectUpload.objects.get()
    link = multipart.part_link(bucket, row.key, row.upload_id, 1, len(DATA) * 2)
    assert httpx2.put(link, content=DATA * 2).status_code == 200
    settings.UPLOAD_MAX_BYTES = len(DATA)
    assert ask("post", f"uploads/{upload['id']}/complete", FIELDS).status_code == 413
    assert left(bucket) == []
    assert not DirectUpload.objects.exists()


def test_other_bytes_than_announced_are_refused(ask: Ask, bucket: BucketStorage) -> None:
    """By their hash; nothing stays."""
    upload = begun(ask, sha256="0" * 64)
    put(ask, upload, 1, DATA)
    refused = ask("post", f"uploads/{upload['id']}/complete", FIELDS)
    assert code(refused, 422) == "upload-damaged"
    assert left(bucket) == []
    assert ask("post", f"uploads/{upload['id']}/complete", FIELDS).status_code == 404


def test_a_bad_file_is_told_everything_and_dropped(ask: Ask, bucket: BucketStorage) -> None:
    """As on the ordinary way; no system is made and no quota used."""
    bad = b'{"c1": "a", "c1": "b", "zz": "x"}'
    upload = begun(ask, size=len(bad))
    put(ask, upload, 1, bad)
    refused = ask("post", f"uploads/{upload['id']}/complete", FIELDS)
    codes = {problem["code"] for problem in refused.json()["problems"]}
    assert {"duplicate-clip", "missing-clip", "unknown-clip"} <= codes
    assert not Submission.objects.exists()
    assert left(bucket) == []


def test_limits_hold_at_the_beginning_and_in_the_end(
    ask: Ask, bucket: BucketStorage, release: Release, settings: Any, submit: Any, ann: User
) -> None:
    """Size and quota; and so many at a time."""
    settings.UPLOAD_MAX_BYTES = 1_000_000
    assert (
        ask("post", "benchmarks/small/uploads", ANNOUNCED | {"size": 1_000_001}).status_code == 413
    )
    policy = QuotaPolicy.objects.create(benchmark=release.benchmark, limit=0)
    assert code(ask("post", "benchmarks/small/uploads", ANNOUNCED), 429) == "quota-spent"
    policy.limit = 1
    policy.save()
    upload = begun(ask)
    put(ask, upload, 1, DATA)
    submit("Other", {"c1": "Another."})
    refused = ask("post", f"uploads/{upload['id']}/complete", FIELDS)
    assert code(refused, 429) == "quota-spent"
    assert left(bucket) != []
    policy.delete()
    assert ask("post", f"uploads/{upload['id']}/complete", FIELDS).status_code == 201
    for _ in range(direct.AT_ONCE):
        upload = begun(ask)
    assert code(ask("post", "benchmarks/small/uploads", ANNOUNCED), 429) == "too-many-uploads"
    assert ask("delete", f"uploads/{upload['id']}").status_code == 204
    begun(ask)


def test_an_upload_is_its_senders(ask: Ask, bucket: BucketStorage, ben: User, ann: User) -> None:
    """404 for others; a token that only reads gets no link; none gets 401."""
    upload = begun(ask)
    _, other = ApiToken.objects.issue(user=ben, name="t")
    _, reading = ApiToken.objects.issue(user=ann, name="r", scope="read")
    for step in ("parts/1", "check", "complete"):
        address = f"uploads/{upload['id']}/{step}"
        assert ask("post", address, FIELDS, token=other).status_code == 404
        assert ask("post", address, FIELDS, token=reading).status_code == 403
        assert ask("post", address, FIELDS, token="none").status_code == 401
    assert ask("delete", f"uploads/{upload['id']}", token=other).status_code == 404
    assert ask("post", f"uploads/{uuid4()}/complete", FIELDS).status_code == 404
    assert DirectUpload.objects.count() == 1


@pytest.mark.parametrize("joined", [False, True])
def test_what_is_not_completed_is_swept(
    ask: Ask, bucket: BucketStorage, joined: bool, sent: list[Any], down: Any
) -> None:
    """Its parts and its file; a bucket that is away keeps no sweep from going on."""
    upload = begun(ask)
    put(ask, upload, 1, DATA)
    if joined:
        ask("post", f"uploads/{upload['id']}/check")
    tasks.sweep()
    assert DirectUpload.objects.count() == 1
    DirectUpload.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert ask("post", f"uploads/{upload['id']}/complete", FIELDS).status_code == 404
    down()
    tasks.sweep()
    assert DirectUpload.objects.count() == 1
    down(back=True)
    tasks.sweep()
    assert not DirectUpload.objects.exists()
    assert left(bucket) == []


def test_a_bucket_that_is_away_costs_nothing(
    ask: Ask, bucket: BucketStorage, down: Any, release: Release
) -> None:
    """503 at every step, and it goes on where it was."""
    upload = begun(ask)
    put(ask, upload, 1, DATA)
    down()
    assert code(ask("post", "benchmarks/small/uploads", ANNOUNCED), 503) == "storage-failing"
    for method, step in (("post", "/check"), ("post", "/complete"), ("delete", "")):
        answer = ask(method, f"uploads/{upload['id']}{step}", FIELDS)
        assert code(answer, 503) == "storage-failing"
        assert "127.0.0.1" not in answer.content.decode()
    assert not Submission.objects.exists()
    down(back=True)
    assert ask("post", f"uploads/{upload['id']}/complete", FIELDS).status_code == 201


def test_where_it_is_not_offered(ask: Ask, client: Client, folder: Any) -> None:
    """A site with a folder says so, and where to send the file instead."""
    assert client.get("/api/v1/benchmarks/small").json()["direct_upload_from"] is None
    refused = ask("post", "benchmarks/small/uploads", ANNOUNCED)
    assert code(refused, 409) == "no-direct-upload"
    assert "`submissions`" in refused.json()["error"]


def test_where_browsers_do_not_reach_the_bucket(
    ask: Ask, client: Client, bucket: BucketStorage, settings: Any
) -> None:
    """Neither do uploads."""
    assert client.get("/api/v1/benchmarks/small").json()["direct_upload_from"] == 100
    use(settings, {"bucket_name": bucket.bucket_name, "location": "media", "links": False})
    assert client.get("/api/v1/benchmarks/small").json()["direct_upload_from"] is None
    assert code(ask("post", "benchmarks/small/uploads", ANNOUNCED), 409) == "no-direct-upload"


def test_sizes_of_parts() -> None:
    """At least 8 MiB, and never more than a thousand of them."""
    mib = 2**20
    assert multipart.part_bytes(1) == 8 * mib
    assert multipart.part_bytes(8_000 * mib) == 8 * mib
    assert multipart.part_bytes(8_000 * mib + 1) == 9 * mib
    for size in (1, 8 * mib, 8 * mib + 1, 10**12):
        upload = DirectUpload(size=size)
        assert sum(direct.part_sizes(upload)) == size
        assert len(direct.part_sizes(upload)) <= multipart.MOST_PARTS


def test_uploads_ask_for_encryption(bucket: BucketStorage, settings: Any) -> None:
    """Whole ones and those in parts, as the server notes it."""
    options = {"bucket_name": bucket.bucket_name, "location": "media"}
    options["object_parameters"] = {"ServerSideEncryption": "AES256"}  # type: ignore[assignment]
    use(settings, options)
    kept = unfinished.bucket()
    assert kept is not None
    whole = default_storage.save("a/whole", ContentFile(b"1"))
    in_parts = multipart.begin(kept, "a/parts")
    link = multipart.part_link(kept, "a/parts", in_parts, 1, 1)
    assert httpx2.put(link, content=b"1").status_code == 200
    multipart.join(kept, "a/parts", in_parts, multipart.arrived(kept, "a/parts", in_parts))
    for name in (whole, "a/parts"):
        assert kept.client.head_object(**kept.at(name))["ServerSideEncryption"] == "AES256", name

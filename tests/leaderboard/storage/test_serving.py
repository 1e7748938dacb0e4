"""Who may have a file gets it, from the folder as from the bucket; nobody else gets a link."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import botocore.auth
import httpx2
import pytest
from django.conf import settings as site
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from leaderboard.models import ApiToken, Clip, Release, Submission
from leaderboard.storage.bucket import BucketStorage
from leaderboard.storage.configuration import FOLDER, origins
from tests.leaderboard.storage.conftest import use

pytestmark = pytest.mark.django_db
NAME = "run 1 — końcowy.json"
DATA = bytes(range(200))


@pytest.fixture
def mine(storage: Any, submit: Callable[..., Submission]) -> Submission:
    """A public submission of ann's."""
    return submit(filename=NAME)


@pytest.fixture
def clip(storage: Any, release: Release) -> Clip:
    """A clip with a video."""
    found = release.clips.get(key="c1")
    found.media.save("clips/c1.webm", ContentFile(DATA))
    return found


def fetched(client: Client, address: str, **headers: str) -> Any:
    """The answer behind a link, or the site's own, as (status, bytes, headers)."""
    answer = client.get(address, headers=headers)
    if answer.status_code == 302:
        assert "no-store" in answer["Cache-Control"]
        behind = httpx2.get(answer["Location"], headers=headers)
        # The server of the tests sends parts with 200.
        status = 206 if "content-range" in behind.headers else behind.status_code
        return status, behind.content, behind.headers
    return answer.status_code, b"".join(answer), answer.headers  # type: ignore[arg-type]


def test_the_file_comes_back_under_its_name(client: Client, mine: Submission, ann: User) -> None:
    """The bytes that were uploaded, to be saved and never shown."""
    client.force_login(ann)
    status, data, headers = fetched(client, reverse("submission-file", args=[mine.pk]))
    assert (status, data) == (200, mine.file.open("rb").read())
    assert headers["Content-Type"] == "application/octet-stream"
    assert headers["Content-Disposition"].startswith("attachment; filename*=utf-8''run%201%20")
    assert "ko%C5%84cowy.json" in headers["Content-Disposition"]


def test_st_02_a_long_name_is_shown_short_and_saved_whole(
    client: Client, storage: Any, submit: Callable[..., Submission], ann: User
) -> None:
    """In the middle it is left out, not at its end."""
    name = f"{'x' * 200}.final.json"
    mine = submit(filename=name)
    client.force_login(ann)
    page = client.get(mine.get_absolute_url()).content.decode()
    assert f">{'x' * 39}…{'x' * 9}.final.json</a>" in page
    assert f'title="{name}"' in page
    _, _, headers = fetched(client, reverse("submission-file", args=[mine.pk]))
    assert name in headers["Content-Disposition"]


def test_for_scripts_the_same(client: Client, mine: Submission, ann: User) -> None:
    """With a token."""
    _, secret = ApiToken.objects.issue(user=ann, name="t", scope="read")
    headers = {"Authorization": f"Bearer {secret}"}
    answer = client.get(f"/api/v1/submissions/{mine.pk}/file", headers=headers)
    assert answer.status_code in {200, 302}
    assert client.get(f"/api/v1/submissions/{mine.pk}/file").status_code == 404


def test_whose_it_is_not_gets_no_link(
    client: Client, mine: Submission, ben: User, release: Release
) -> None:
    """404 for passers-by and others, though the submission is public; curators may."""
    address = reverse("submission-file", args=[mine.pk])
    assert client.get(address).status_code == 404
    client.force_login(ben)
    assert client.get(address).status_code == 404
    assert address not in client.get(mine.get_absolute_url()).content.decode()
    release.benchmark.curators.add(ben)
    assert client.get(address).status_code in {200, 302}
    assert address in client.get(mine.get_absolute_url()).content.decode()
    Submission.objects.update(visibility=Submission.Visibility.PRIVATE)
    assert client.get(address).status_code == 404


def test_videos_are_seen_in_parts(client: Client, clip: Clip) -> None:
    """As a player asks for them, with their own type."""
    address = reverse("clip-media", args=[clip.pk])
    assert fetched(client, address)[:2] == (200, DATA)
    status, data, headers = fetched(client, address, Range="bytes=10-19")
    assert (status, data) == (206, DATA[10:20])
    assert headers["Content-Type"] == "video/webm"
    assert headers["Content-Range"] == "bytes 10-19/200"
    answer = client.head(address)
    behind = httpx2.head(answer["Location"]) if answer.status_code == 302 else answer
    assert behind.status_code == 200
    assert behind.headers["Content-Length"] == "200"


def test_links_that_are_forged_or_over_open_nothing(
    client: Client, bucket: BucketStorage, mine_in_bucket: Submission, ann: User, monkeypatch: Any
) -> None:
    """Another key, another signature, a later end, no signature, or the same one too late."""
    client.force_login(ann)
    address = reverse("submission-file", args=[mine_in_bucket.pk])
    good = client.get(address)["Location"]
    assert "X-Amz-Expires=300" in good
    assert httpx2.get(good).status_code == 200
    bucket.save("submissions/other", ContentFile(b"secret"))
    forged = [
        good.replace(f"submissions/{mine_in_bucket.pk}", "submissions/other"),
        good[:-4] + "0000",
        good.replace("X-Amz-Expires=300", "X-Amz-Expires=90000"),
        good.partition("?")[0],
    ]
    long_ago = datetime.now(UTC) - timedelta(seconds=400)
    monkeypatch.setattr(botocore.auth, "get_current_datetime", lambda *_, **__: long_ago)
    forged.append(client.get(address)["Location"])
    for link in forged:
        assert link != good
        answer = httpx2.get(link)
        assert answer.status_code in {400, 403}, link
        assert b"secret" not in answer.content


@pytest.fixture
def mine_in_bucket(bucket: BucketStorage, submit: Callable[..., Submission]) -> Submission:
    """A submission whose file lies in the bucket."""
    return submit(filename=NAME)


def test_without_links_the_site_gives_it_out_itself(
    client: Client, bucket: BucketStorage, submit: Any, ann: User, settings: Any
) -> None:
    """Where browsers do not reach the bucket: same bytes, same name, in parts too."""
    mine = submit(filename=NAME)
    use(settings, {"bucket_name": bucket.bucket_name, "location": "media", "links": False})
    client.force_login(ann)
    address = reverse("submission-file", args=[mine.pk])
    whole = client.get(address)
    assert whole.status_code == 200
    data = b"".join(whole)  # type: ignore[arg-type]
    assert data == mine.file.open("rb").read()
    assert "ko%C5%84cowy.json" in whole["Content-Disposition"]
    part = client.get(address, headers={"Range": "bytes=2-5"})
    assert (part.status_code, b"".join(part)) == (206, data[2:6])  # type: ignore[arg-type]


def test_a_storage_that_fails_is_said(
    client: Client, down: Any, submit: Any, ann: User, settings: Any
) -> None:
    """503 and no page of errors; 404 where there is no such file."""
    mine = submit()
    client.force_login(ann)
    address = reverse("submission-file", args=[mine.pk])
    options = settings.STORAGES["default"]["OPTIONS"] | {"links": False}
    use(settings, options)
    mine.file.delete(save=False)
    assert client.get(address).status_code == 404
    down()
    use(settings, settings.STORAGES["default"]["OPTIONS"] | {"links": False})
    answer = client.get(address)
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert b"127.0.0.1" not in answer.content


def test_pages_let_videos_come_from_the_bucket() -> None:
    """Nowhere else than from the site itself, as long as there is none."""
    assert origins(FOLDER) == []
    allowed = ["'self'", *origins(site.STORAGES["default"])]
    assert site.CONTENT_SECURITY_POLICY["DIRECTIVES"]["media-src"] == allowed

"""Files in parts: every kind of range that a player may ask for."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import RequestFactory

from leaderboard.media import served
from leaderboard.models import Clip, Release

pytestmark = pytest.mark.usefixtures("no_links")
CHUNK = 64 * 1024
DATA = bytes(n % 251 for n in range(3 * CHUNK + 5))
SIZE = len(DATA)


@pytest.fixture
def clip(release: Release) -> Clip:
    """A clip with a video of a few chunks."""
    found = release.clips.get(key="c1")
    found.media.save("clips/c1.webm", ContentFile(DATA))
    return found


def get(clip: Clip, asked: str | None) -> tuple[int, bytes, Any]:
    """Status, body and the answer to a request for a range."""
    headers = {"Range": asked} if asked else {}
    answer = served(RequestFactory().get("/", headers=headers), clip.media)
    body = b"".join(answer) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return answer.status_code, body, answer


def test_the_whole_file(clip: Clip) -> None:
    """Also for several ranges and for what is no range of bytes."""
    for asked in (None, "bytes=0-1,5-6", "bytes=-", "pages=1-2", "bytes=x-y"):
        status, body, answer = get(clip, asked)
        assert (status, body) == (200, DATA)
        assert answer["Accept-Ranges"] == "bytes"
        assert answer["Content-Type"] == "video/webm"


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("bytes=0-0", 0, 0),
        ("bytes=0-", 0, SIZE - 1),
        (f"bytes={CHUNK - 3}-{2 * CHUNK + 3}", CHUNK - 3, 2 * CHUNK + 3),
        (f"bytes=5-{SIZE * 2}", 5, SIZE - 1),
        ("bytes=-7", SIZE - 7, SIZE - 1),
        (f"bytes=-{SIZE * 2}", 0, SIZE - 1),
    ],
)
def test_one_range(clip: Clip, asked: str, first: int, last: int) -> None:
    """Exactly those bytes, and where they lie."""
    status, body, answer = get(clip, asked)
    assert (status, body) == (206, DATA[first : last + 1])
    assert answer["Content-Range"] == f"bytes {first}-{last}/{SIZE}"
    assert answer["Content-Length"] == str(last - first + 1)


@pytest.mark.parametrize("asked", [f"bytes={SIZE}-", "bytes=9-3", "bytes=-0"])
def test_ranges_that_are_not_there(clip: Clip, asked: str) -> None:
    """416 with the size, so that a player can ask again."""
    status, _, answer = get(clip, asked)
    assert status == 416
    assert answer["Content-Range"] == f"bytes */{SIZE}"

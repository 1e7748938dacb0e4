"""Clips of the sample get their videos once, from the command, and readers can play them."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from leaderboard.importers import sample_videos
from leaderboard.importers.sample import load_sample
from leaderboard.models import Clip
from leaderboard.scenes import video

CLIP = "puddle-bus"


def rendered(*arguments: str) -> str:
    """What the command says."""
    told = StringIO()
    call_command("render_sample", *arguments, stdout=told, stderr=told)
    return told.getvalue()


@pytest.fixture
def sample(db: Any) -> None:
    """The sample without submissions."""
    load_sample(submit=False)


@pytest.mark.usefixtures("sample")
def test_a_clip_gets_its_video_once(client: Client, no_links: None) -> None:
    """The second time nothing is drawn; the clip's page has a player whose file is an MP4."""
    try:
        video.encoder()
    except video.NoEncoder as error:
        pytest.skip(str(error))
    assert f"{CLIP}: rendered" in rendered("--clip", CLIP)
    clip = Clip.objects.get(key=CLIP)
    stored = clip.media.name
    before = clip.media.storage.get_modified_time(stored)
    assert stored.startswith(f"clips/sample/{CLIP}-")
    assert 50_000 < clip.media.size < 2_000_000

    assert rendered("--clip", CLIP) == ""

    clip.refresh_from_db()
    assert clip.media.name == stored
    assert clip.media.storage.get_modified_time(stored) == before
    answer = client.get(f"/clips/{clip.pk}/media/", headers={"Range": "bytes=4-7"})
    assert answer.status_code == 206
    assert answer["Content-Type"] == "video/mp4"
    assert b"".join(answer) == b"ftyp"  # type: ignore[arg-type]
    assert not Clip.objects.exclude(key=CLIP).exclude(media="").exists()


@pytest.mark.usefixtures("sample")
def test_what_is_out_of_date_or_forced_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """And its old file goes; the drawing itself stands aside here."""
    drawn: list[str] = []

    def write(script: Any, path: Any, *, ffmpeg: str) -> None:
        drawn.append(ffmpeg)
        path.write_bytes(f"video {len(drawn)}".encode())

    monkeypatch.setattr(sample_videos, "write_video", write)
    monkeypatch.setattr(sample_videos, "encoder", lambda: "ffmpeg")
    rendered("--clip", CLIP)
    first = Clip.objects.get(key=CLIP).media
    rendered("--clip", CLIP, "--force")
    again = Clip.objects.get(key=CLIP).media
    assert again.name == first.name
    assert again.read() == b"video 2"
    again.close()

    monkeypatch.setattr(sample_videos, "renderer", lambda: b"other drawing code")
    rendered("--clip", CLIP)

    new = Clip.objects.get(key=CLIP).media
    assert new.name != first.name
    assert not new.storage.exists(first.name)
    assert len(drawn) == 3


@pytest.mark.usefixtures("sample")
def test_without_ffmpeg_there_are_no_videos_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise video.NoEncoder("no ffmpeg: install the package imageio-ffmpeg")

    monkeypatch.setattr(sample_videos, "encoder", none)
    told = rendered()
    assert "Nothing was rendered" in told
    assert "imageio-ffmpeg" in told
    assert not Clip.objects.exclude(media="").exists()


@pytest.mark.django_db
def test_what_cannot_be_rendered_is_said() -> None:
    """A clip that the sample has not, and a sample that is not there."""
    with pytest.raises(CommandError, match="no clip nowhere"):
        rendered("--clip", "nowhere")
    with pytest.raises(CommandError, match="load_sample"):
        rendered("--clip", CLIP)

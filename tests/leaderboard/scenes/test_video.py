"""A scene's file is a video that plays: frames, duration and size as promised."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from leaderboard.scenes import video
from leaderboard.scenes.pen import HEIGHT, WIDTH
from leaderboard.scenes.script import Script

SCRIPT = Script.model_validate(
    {
        "duration": 4.5,
        "cast": {"ball": {"figure": "ball", "size": 60, "top": "#ff2020", "bottom": "#ff2020"}},
        "beats": [
            {"at": 0, "tells": "A ball.", "place": "track", "do": {"ball": {"x": 80, "y": 220}}},
            {"at": 2, "tells": "It rolls.", "move": 1, "do": {"ball": {"x": 400}}},
        ],
    }
)


@pytest.fixture
def ffmpeg() -> str:
    """The one that came with ``pip``."""
    try:
        return video.encoder()
    except video.NoEncoder as error:
        pytest.skip(str(error))


def decoded(ffmpeg: str, path: Path) -> list[bytes]:
    """The frames that a player sees."""
    command = [ffmpeg, "-loglevel", "error", "-i", str(path), "-f", "rawvideo"]
    done = subprocess.run([*command, "-pix_fmt", "rgb24", "-"], capture_output=True, check=True)
    size = WIDTH * HEIGHT * 3
    assert len(done.stdout) % size == 0
    return [done.stdout[n : n + size] for n in range(0, len(done.stdout), size)]


def test_the_file_decodes_with_its_duration_size_and_content(tmp_path: Path, ffmpeg: str) -> None:
    """The ball is left at first and right at last."""
    path = tmp_path / "v.mp4"
    video.write_video(SCRIPT, path, ffmpeg=ffmpeg)
    told = subprocess.run([ffmpeg, "-i", str(path)], capture_output=True, text=True, check=False)
    found = re.search(r"Duration: 00:00:(\d+\.\d+)", told.stderr)
    assert found
    assert abs(float(found[1]) - 4.5) <= 0.5
    assert f"{WIDTH}x{HEIGHT}" in told.stderr
    assert "h264" in told.stderr
    assert "yuv420p" in told.stderr
    first, *_, last = decoded(ffmpeg, path)
    for frame, x, there in ((first, 80, True), (first, 400, False), (last, 400, True)):
        at = (190 * WIDTH + x) * 3
        red, green, blue = frame[at : at + 3]
        assert (red > 200 and green < 90 and blue < 90) == there


def test_the_same_script_gives_the_same_file(tmp_path: Path, ffmpeg: str) -> None:
    """To the byte."""
    for name in ("a.mp4", "b.mp4"):
        video.write_video(SCRIPT, tmp_path / name, ffmpeg=ffmpeg)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()


def test_an_encoder_that_fails_says_why(tmp_path: Path, ffmpeg: str) -> None:
    """Here since there is no folder to write into."""
    path = tmp_path / "v.mp4"
    path.mkdir()
    with pytest.raises(video.EncodingFailed, match=r"v\.mp4"):
        video.write_video(SCRIPT, path, ffmpeg=ffmpeg)

"""A scene as a video file: its frames, piped into ffmpeg."""

from __future__ import annotations

import subprocess
from pathlib import Path

from leaderboard.scenes.frames import RATE, frames
from leaderboard.scenes.pen import HEIGHT, WIDTH
from leaderboard.scenes.script import Script

ENCODE = [
    *("-an", "-c:v", "libx264", "-preset", "veryfast", "-tune", "animation", "-crf", "27"),
    *("-g", "120", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-threads", "1"),
    *("-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"),
]
"""H.264 in MP4, which every browser plays; the same frames give the same file."""


class NoEncoder(Exception):  # noqa: N818 - named as the fault is spoken of
    """There is no ffmpeg to be had here."""


class EncodingFailed(Exception):  # noqa: N818
    """ffmpeg ended with an error, which is the message."""


def encoder() -> str:
    """Path of an ffmpeg: the one that came with ``pip``, or the machine's own; or NoEncoder."""
    try:
        import imageio_ffmpeg  # noqa: PLC0415 - the site runs without it

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise NoEncoder(
            "no ffmpeg: install the package imageio-ffmpeg, or name one in IMAGEIO_FFMPEG_EXE"
        ) from error


def write_video(script: Script, path: Path, *, ffmpeg: str) -> None:
    """Render the scene into an MP4 file at ``path``; EncodingFailed when ffmpeg does not."""
    shape = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE)]
    command = [ffmpeg, "-y", "-loglevel", "error", *shape, "-i", "-", *ENCODE, str(path)]
    with (
        path.with_suffix(".log").open("w+b") as log,
        subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log) as process,  # noqa: S603
    ):
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        try:
            for frame in frames(script):
                process.stdin.write(frame)
        except BrokenPipeError:
            pass  # it has ended, and says why in its log
        finally:
            process.stdin.close()
            failed = process.wait()
        if failed:
            log.seek(0)
            raise EncodingFailed(log.read().decode(errors="replace").strip() or f"exit {failed}")

"""Frames: the picture of a stage, and a scene's pictures one after another."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw

from leaderboard.scenes import figures
from leaderboard.scenes.pen import FINER, HEIGHT, WIDTH, Camera, Pen
from leaderboard.scenes.places import PLACES
from leaderboard.scenes.script import Script
from leaderboard.scenes.stage import Stage, Timeline

RATE = 4
"""Frames a second."""


def count(script: Script) -> int:
    """How many frames the scene has: the duration, to a frame."""
    return round(script.duration * RATE)


def picture(stage: Stage) -> Image.Image:
    """The stage as it is seen, ``WIDTH`` times ``HEIGHT`` pixels."""
    large = _empty(stage.place, stage.camera).copy()
    pen = ImageDraw.Draw(large, "RGBA")
    bright = [actor for actor in stage.actors if actor.look.figure in figures.SHINING]
    for actor in stage.actors:
        if not stage.light or actor not in bright:
            figures.draw(pen, actor, stage.camera)
    if stage.light:
        pen.rectangle((0, 0, *large.size), fill=stage.light)
        for actor in bright:
            figures.draw(pen, actor, stage.camera)
    return large.reduce(FINER)


def frames(script: Script) -> Iterator[bytes]:
    """RGB bytes of every frame in turn; what does not change is drawn once."""
    timeline = Timeline(script)
    drawn: dict[Stage, bytes] = {}
    for n in range(count(script)):
        stage = timeline.at(n / RATE)
        if stage not in drawn:
            if len(drawn) >= 8 * RATE:
                drawn.clear()
            drawn[stage] = picture(stage).tobytes()
        yield drawn[stage]


@lru_cache(maxsize=8)
def _empty(place: str, camera: Camera) -> Image.Image:
    image = Image.new("RGB", (WIDTH * FINER, HEIGHT * FINER), "#d8d4cc")
    PLACES[place](Pen(ImageDraw.Draw(image, "RGBA"), camera, up=-1))
    return image


@lru_cache(maxsize=1)
def renderer() -> bytes:
    """A digest of the code that draws: a frame depends on nothing else but its script."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.digest()

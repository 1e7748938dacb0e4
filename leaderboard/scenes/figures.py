"""Every figure that a cast may name, and how one is drawn where it stands."""

from __future__ import annotations

from collections.abc import Callable

from PIL import ImageDraw

from leaderboard.scenes import animals, effects, vehicles
from leaderboard.scenes.pen import Camera, Pen
from leaderboard.scenes.people import person
from leaderboard.scenes.stage import Actor
from leaderboard.scenes.things import THINGS, held

Figure = Callable[[Pen, Actor], None]


def _person(pen: Pen, actor: Actor) -> None:
    person(pen, actor, held)


FIGURES: dict[str, Figure] = {
    "person": _person,
    **{
        name: getattr(animals, name)
        for name in ("dog", "cat", "donkey", "duck", "ducklings", "crow", "dragon")
    },
    **{name: getattr(vehicles, name) for name in ("bus", "train", "bicycle", "cart", "robot")},
    **{
        name: getattr(effects, name)
        for name in (
            "rain", "splash", "fire", "smoke", "notes", "sleepers", "sea", "wasps", "bang",
            "cloud", "gust", "thread", "glow", "words", "crowd", "children", "wave", "neighbour",
        )
    },
}  # fmt: skip
"""Figures with poses, levels or clothes; all other names are of things."""


SHINING = {"fire", "candle", "torch", "glow", "notes"}
"""Figures that are bright in the dark."""


def known(figure: str) -> bool:
    """Whether a cast may name it."""
    return figure in FIGURES or figure in THINGS


def draw(on: ImageDraw.ImageDraw, actor: Actor, camera: Camera) -> None:
    """Draw the figure at its place and size."""
    pen = Pen(on, camera, actor.x, actor.y, actor.size, actor.face, actor.turn)
    figure = FIGURES.get(actor.look.figure)
    if figure:
        figure(pen, actor)
    else:
        THINGS[actor.look.figure](pen, actor.look.top, actor.look.bottom)

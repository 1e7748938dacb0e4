"""A pen that draws flat shapes in a figure's own units.

A frame is drawn twice as large as it is shown and then halved, which smooths the edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, radians, sin

from PIL import ImageDraw

WIDTH, HEIGHT = 480, 270
"""Pixels of a frame, and the units in which scripts place figures: x to the right, y down."""

FINER = 2
"""How many times larger a frame is drawn than it is shown."""

Point = tuple[float, float]
Camera = tuple[float, float, float]
"""The point in the middle of the frame, and how much larger than life it is seen."""

WHOLE: Camera = (WIDTH / 2, HEIGHT / 2, 1.0)


@dataclass(frozen=True, slots=True)
class Pen:
    """Shapes in units of ``unit`` pixels around (x, y): u to where the figure faces, v up.

    ``up`` is -1 where v counts downwards, as places do.
    """

    draw: ImageDraw.ImageDraw
    camera: Camera = WHOLE
    x: float = 0.0
    y: float = 0.0
    unit: float = 1.0
    face: int = 1
    turn: float = 0.0
    up: int = 1

    def to(self, u: float, v: float) -> Point:
        """The pixel of the large picture where (u, v) lies."""
        angle = radians(self.turn)
        right = (u * cos(angle) + v * sin(angle)) * self.unit * self.face
        high = (v * cos(angle) - u * sin(angle)) * self.unit * self.up
        x, y, zoom = self.camera
        return (
            ((self.x + right - x) * zoom + WIDTH / 2) * FINER,
            ((self.y - high - y) * zoom + HEIGHT / 2) * FINER,
        )

    def at(self, u: float, v: float, *, unit: float = 1.0, turn: float = 0.0) -> Pen:
        """A pen for a part: its origin at (u, v), ``unit`` times as large, turned forward."""
        x, y = Pen(self.draw, WHOLE, self.x, self.y, self.unit, self.face, self.turn, self.up).to(
            u, v
        )
        return replace(self, x=x / FINER, y=y / FINER, unit=self.unit * unit, turn=self.turn + turn)

    def poly(self, points: Iterable[Point], fill: str) -> None:
        """A filled shape."""
        self.draw.polygon([self.to(*point) for point in points], fill=fill)

    def box(self, left: float, low: float, right: float, high: float, fill: str) -> None:
        """A filled rectangle."""
        self.poly([(left, low), (right, low), (right, high), (left, high)], fill)

    def oval(self, u: float, v: float, wide: float, high: float, fill: str) -> None:
        """A filled ellipse of these half axes around (u, v)."""
        steps = [2 * pi * n / 28 for n in range(28)]
        self.poly([(u + wide * cos(step), v + high * sin(step)) for step in steps], fill)

    def disc(self, u: float, v: float, radius: float, fill: str) -> None:
        """A filled circle."""
        self.oval(u, v, radius, radius, fill)

    def line(self, points: Sequence[Point], width: float, fill: str) -> None:
        """A stroke of that width with round ends and corners."""
        thick = width * self.unit * self.camera[2] * FINER
        pixels = [self.to(*point) for point in points]
        self.draw.line(pixels, fill=fill, width=max(1, round(thick)), joint="curve")
        if thick > 3 and len(fill) <= 7:
            for x, y in (pixels[0], pixels[-1]):
                half = thick / 2 - 0.5
                self.draw.ellipse((x - half, y - half, x + half, y + half), fill=fill)

    def arc(self, u: float, v: float, radius: float, ends: Point, width: float, fill: str) -> None:
        """A part of a circle, from one angle to another (degrees; 0 faces forward, 90 is up)."""
        first, last = (radians(end) for end in ends)
        steps = [first + (last - first) * n / 24 for n in range(25)]
        self.line([(u + radius * cos(a), v + radius * sin(a)) for a in steps], width, fill)

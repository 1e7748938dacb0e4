"""Vehicles and machines."""

from __future__ import annotations

from math import pi, sin

from leaderboard.scenes.pen import Pen
from leaderboard.scenes.stage import Actor
from leaderboard.scenes.things import THINGS

GLASS = "#bfdcea"


def bus(pen: Pen, actor: Actor) -> None:
    """A bus, one unit high and two and a half long; level opens its door."""
    pen.box(-1.25, 0.12, 1.25, 1.0, actor.look.top)
    pen.box(-1.25, 0.12, 1.25, 0.26, actor.look.bottom)
    for n in range(5):
        pen.box(-1.15 + n * 0.36, 0.52, -0.85 + n * 0.36, 0.88, GLASS)
    pen.box(0.98, 0.45, 1.25, 0.9, GLASS)
    pen.box(0.66, 0.16, 0.94, 0.9, "#24352c" if actor.level > 0.5 else "#dfeef2")
    if actor.level <= 0.5:
        pen.line([(0.8, 0.18), (0.8, 0.88)], 0.02, "#4a5a50")
    for at in (-0.75, 0.45):
        pen.disc(at, 0.14, 0.15, "#222222")
        pen.disc(at, 0.14, 0.07, "#999999")
    pen.disc(1.22, 0.24, 0.04, "#fff4b0")


def train(pen: Pen, actor: Actor) -> None:
    """A carriage, four units long; level opens its door."""
    pen.box(-2.2, 0.12, 2.2, 1.0, actor.look.top)
    pen.box(-2.2, 0.36, 2.2, 0.44, actor.look.bottom)
    for n in range(8):
        if n != 4:
            pen.box(-2.05 + n * 0.52, 0.52, -1.67 + n * 0.52, 0.86, GLASS)
    pen.box(0.03, 0.14, 0.43, 0.92, "#22262b" if actor.level > 0.5 else "#e8edf0")
    for at in (-1.7, -1.2, 1.2, 1.7):
        pen.disc(at, 0.1, 0.1, "#222222")


def bicycle(pen: Pen, actor: Actor) -> None:
    """A bicycle, one unit high; ``hold`` no wheel or bent says how its front wheel is."""
    a = actor.look.top
    colour = "#2b2b2b"
    pen.arc(-0.5, 0.32, 0.3, (0, 360), 0.05, colour)
    if actor.hold == "bent":
        pen.line(
            [
                (0.35, 0.08),
                (0.62, 0.02),
                (0.78, 0.3),
                (0.62, 0.45),
                (0.6, 0.62),
                (0.36, 0.6),
                (0.28, 0.3),
                (0.35, 0.08),
            ],
            0.05,
            colour,
        )
    elif actor.hold != "no wheel":
        pen.arc(0.52, 0.32, 0.3, (0, 360), 0.05, colour)
        spin = actor.phase * 180
        for turn in (spin, spin + 90):
            pen.at(0.52, 0.32, turn=turn).line([(0, -0.27), (0, 0.27)], 0.015, "#888888")
    pen.line([(-0.5, 0.32), (-0.2, 0.72), (0.3, 0.72), (0, 0.3), (-0.5, 0.32)], 0.055, a)
    pen.line([(0, 0.3), (-0.22, 0.82)], 0.05, a)
    pen.line([(0.52, 0.32), (0.3, 0.72), (0.26, 0.98), (0.4, 1.0)], 0.05, a)
    pen.line([(-0.32, 0.84), (-0.1, 0.84)], 0.07, "#3a2a20")
    if "basket" in actor.wear:
        pen.poly([(0.36, 0.72), (0.8, 0.72), (0.86, 0.98), (0.32, 0.98)], "#a97b45")
    if "apples" in actor.wear:
        for at in (0.42, 0.55, 0.68, 0.78):
            pen.disc(at, 1.0, 0.08, "#c9352b")


def cart(pen: Pen, actor: Actor) -> None:
    """A low cart, one unit high; its level is how full of apples it is."""
    heap = actor.level
    if heap > 0:
        for n in range(14):
            u = -1.0 + n * 0.155
            high = 0.62 + heap * 0.3 * (1 - (u / 1.2) ** 2)
            pen.disc(u, high - 0.06 * (n % 2), 0.13, "#c9352b" if n % 3 else "#d9b23a")
    pen.box(-1.2, 0.35, 1.2, 0.65, actor.look.top)
    pen.line([(1.2, 0.45), (1.9, 0.6)], 0.07, actor.look.bottom)
    pen.line([(-1.2, 0.5), (1.2, 0.5)], 0.03, actor.look.bottom)
    for at in (-0.7, 0.7):
        wheel = pen.at(at, 0.25, unit=0.55)
        THINGS["wheel"](wheel, "#3b2a1c", "#6b4a2c")


def robot(pen: Pen, actor: Actor) -> None:
    """A vacuum robot seen from the side and a little from above; busy: its lights go round."""
    a = actor.look.top
    pen.oval(0, 0.12, 1.0, 0.2, "#00000033")
    pen.oval(0, 0.3, 1.0, 0.34, "#c3c8cd")
    pen.oval(0, 0.46, 1.0, 0.34, a)
    swing = 0.55 * sin(2 * pi * actor.phase)
    pen.oval(swing, 0.5, 0.16, 0.08, "#2fa36b")
    pen.oval(0, 0.52, 0.3, 0.12, "#dfe3e6")
    if actor.hold == "sock":
        pen.poly([(0.7, 0.3), (1.25, 0.45), (1.35, 0.12), (1.1, 0.0), (0.75, 0.1)], "#f2d23a")

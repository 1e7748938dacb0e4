"""Animals and puppets."""

from __future__ import annotations

from math import pi, sin

from leaderboard.scenes.pen import Pen
from leaderboard.scenes.stage import Actor


def _swing(actor: Actor) -> float:
    return sin(2 * pi * actor.phase) if actor.pose in {"walk", "run"} else 0.0


def _legs(pen: Pen, actor: Actor, at: tuple[float, float], high: float, thick: float) -> None:
    step = _swing(actor) * high * (0.7 if actor.pose == "run" else 0.45)
    colour = actor.look.bottom
    for n, u in enumerate((at[0], at[0] + 0.1, at[1], at[1] + 0.1)):
        way = step if n % 2 else -step
        pen.line([(u, high), (u + way, 0.02)], thick, colour)


def dog(pen: Pen, actor: Actor) -> None:
    """A dog, one unit high at the head; poses stand, walk, run, sit."""
    a = actor.look.top
    wag = 0.08 * sin(2 * pi * actor.phase) if actor.pose == "busy" else 0.0
    if actor.pose == "sit":
        pen.line([(-0.5, 0.06), (-0.75, 0.2)], 0.1, a)
        pen.poly([(-0.55, 0), (0.15, 0), (0.32, 0.75), (0.1, 0.8), (-0.3, 0.5)], a)
        pen.line([(0.2, 0.5), (0.22, 0.02)], 0.13, actor.look.bottom)
    else:
        _legs(pen, actor, (-0.5, 0.3), 0.4, 0.12)
        pen.line([(-0.55, 0.58), (-0.85, 0.85 + wag)], 0.09, a)
        pen.oval(-0.08, 0.5, 0.55, 0.22, a)
    pen.line([(0.3, 0.55), (0.42, 0.75)], 0.24, a)
    pen.disc(0.45, 0.8, 0.2, a)
    pen.oval(0.64, 0.74, 0.15, 0.09, a)
    pen.disc(0.77, 0.77, 0.045, "#222222")
    pen.oval(0.34, 0.76, 0.08, 0.17, actor.look.bottom)
    if actor.mood == "sleep":
        pen.line([(0.48, 0.84), (0.56, 0.84)], 0.03, "#222222")
    else:
        pen.disc(0.52, 0.85, 0.035, "#222222")
    if actor.hold == "baton":
        pen.line([(0.62, 0.62), (0.76, 0.78)], 0.08, "#2f7fd0")
    if actor.hold == "pancake":
        pen.oval(0.45, 1.0, 0.34, 0.08, "#e7b75f")


def cat(pen: Pen, actor: Actor) -> None:
    """A cat; poses stand, walk, run, sit, busy (the tail twitches)."""
    a, b = actor.look.top, actor.look.bottom
    twitch = 0.14 * sin(2 * pi * actor.phase) if actor.pose == "busy" else 0.0
    if actor.pose in {"walk", "run", "stand"}:
        _legs(pen, actor, (-0.5, 0.2), 0.34, 0.1)
        pen.line([(-0.5, 0.5), (-0.8, 0.75), (-0.75, 1.0)], 0.08, a)
        pen.oval(-0.12, 0.45, 0.5, 0.17, a)
        head = pen.at(0.42, 0.62)
    else:
        pen.line([(-0.3, 0.08), (-0.65, 0.06), (-0.78, 0.25 + twitch)], 0.08, a)
        pen.poly([(-0.4, 0), (0.3, 0), (0.25, 0.6), (0.02, 0.72), (-0.25, 0.5)], a)
        pen.line([(0.16, 0.4), (0.18, 0.02)], 0.1, b)
        head = pen.at(0.14, 0.82)
    flat = actor.hold == "flat ears"
    for side in (-0.14, 0.12):
        tip = (side - 0.16, 0.16) if flat else (side, 0.38)
        head.poly([(side - 0.09, 0.12), (side + 0.09, 0.12), tip], b)
    head.disc(0, 0, 0.22, a)
    head.disc(0.04, 0.04, 0.035, "#1e3a1e")
    head.disc(0.15, 0.04, 0.035, "#1e3a1e")
    head.disc(0.12, -0.05, 0.03, "#c76a6a")
    if actor.hold == "paw":
        pen.line([(0.2, 0.4), (0.42, 0.66)], 0.1, b)


def donkey(pen: Pen, actor: Actor) -> None:
    """A donkey; poses stand, walk; ``hold`` apple has one in its mouth."""
    a, b = actor.look.top, actor.look.bottom
    _legs(pen, actor, (-0.48, 0.22), 0.42, 0.085)
    pen.line([(-0.5, 0.6), (-0.62, 0.35)], 0.04, b)
    pen.oval(-0.1, 0.53, 0.48, 0.18, a)
    pen.line([(0.25, 0.58), (0.45, 0.86)], 0.2, a)
    pen.line([(0.44, 0.86), (0.66, 0.72)], 0.17, a)
    pen.disc(0.68, 0.7, 0.085, "#d8d4cc")
    for at in (0.36, 0.46):
        pen.oval(at, 1.02, 0.04, 0.14, b)
    pen.disc(0.52, 0.87, 0.025, "#222222")
    pen.line([(0.2, 0.68), (0.36, 0.94)], 0.05, b)
    if actor.hold == "apple":
        pen.disc(0.76, 0.66, 0.07, "#c9352b")


def duck(pen: Pen, actor: Actor) -> None:
    """A duck; poses stand, walk, swim, spread (wings, open bill), back (lies on its back)."""
    a, b = actor.look.top, actor.look.bottom
    body = pen.at(0, 0.5, turn=180).at(0, -0.3) if actor.pose == "back" else pen
    if actor.pose != "swim":
        step = 0.12 * _swing(actor)
        for side in (-0.1, 0.1):
            body.line([(side, 0.25), (side + (step if side > 0 else -step), 0.0)], 0.06, "#e08a2c")
    lift = 0.22 if actor.pose != "swim" else 0.0
    body.poly([(-0.75, 0.4 + lift), (-0.4, 0.1 + lift), (-0.3, 0.35 + lift)], a)
    body.oval(-0.05, 0.2 + lift, 0.48, 0.24, a)
    body.line([(0.28, 0.3 + lift), (0.36, 0.62 + lift)], 0.18, b)
    body.disc(0.38, 0.68 + lift, 0.17, b)
    body.poly([(0.5, 0.72 + lift), (0.74, 0.64 + lift), (0.5, 0.6 + lift)], "#e08a2c")
    if actor.pose == "spread":
        body.poly([(0.5, 0.64 + lift), (0.72, 0.52 + lift), (0.5, 0.56 + lift)], "#e08a2c")
        body.poly([(0.1, 0.4 + lift), (-0.5, 1.0 + lift), (-0.4, 0.3 + lift)], "#6d4a2a")
        body.poly([(0.2, 0.4 + lift), (0.05, 1.1 + lift), (-0.1, 0.35 + lift)], "#84603a")
    else:
        body.oval(-0.12, 0.24 + lift, 0.26, 0.13, "#00000022")
    body.disc(0.43, 0.73 + lift, 0.032, "#222222")


def ducklings(pen: Pen, actor: Actor) -> None:
    """Six of them in a row, behind each other; pose busy runs to and fro; level spreads them."""
    for n in range(6):
        scatter = actor.level * (18 * ((n * 7) % 5 - 2) / 10)
        spot = pen.at(-1.1 * n - scatter, actor.level * ((n * 3) % 4) * 0.35)
        duck(spot, actor)


def crow(pen: Pen, actor: Actor) -> None:
    """A crow; pose busy flaps."""
    a = "#1d1f26"
    flap = 0.5 * sin(2 * pi * actor.phase) if actor.pose in {"busy", "walk", "run"} else -0.25
    pen.oval(0, 0.4, 0.5, 0.22, a)
    pen.poly([(-0.4, 0.45), (-0.9, 0.3), (-0.4, 0.3)], a)
    pen.poly([(0.2, 0.5), (-0.3, 0.5 + flap), (-0.3, 0.35)], "#2e323d")
    pen.disc(0.5, 0.62, 0.2, a)
    pen.poly([(0.66, 0.68), (0.98, 0.58), (0.66, 0.54)], "#6b6f78")
    pen.disc(0.56, 0.67, 0.04, "#ffffff")


def dragon(pen: Pen, actor: Actor) -> None:
    """A green dragon of cloth; level 1: whole; less: one wing hangs; mood open: it roars."""
    a, b = actor.look.top, actor.look.bottom
    pen.line([(-0.35, 0.3), (-0.7, 0.2), (-0.9, 0.45)], 0.13, a)
    torn = (1 - actor.level) * 150
    for at, turn in ((-0.18, 0.0), (0.05, torn)):
        wing = pen.at(at, 0.55, turn=-turn)
        wing.poly([(0, 0), (-0.65, 0.5), (-0.45, 0.15), (-0.55, 0.0), (-0.3, -0.02)], b)
    pen.oval(-0.05, 0.35, 0.38, 0.33, a)
    pen.line([(0.15, 0.5), (0.3, 0.85)], 0.22, a)
    pen.oval(0.4, 0.92, 0.25, 0.15, a)
    jaw = -0.14 if actor.mood == "open" else -0.02
    pen.poly([(0.35, 0.88), (0.68, 0.85), (0.64, 0.8 + jaw), (0.35, 0.78)], a)
    if actor.mood == "open":
        pen.poly([(0.45, 0.86), (0.66, 0.85), (0.62, 0.76)], "#c0392b")
    for n in range(4):
        pen.poly(
            [(-0.3 + n * 0.14, 0.6), (-0.2 + n * 0.14, 0.6), (-0.25 + n * 0.14, 0.72)], "#e2b93b"
        )
    pen.disc(0.42, 0.98, 0.05, "#ffffff")
    pen.disc(0.44, 0.98, 0.025, "#222222")

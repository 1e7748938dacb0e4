"""Rain, fire, water and what else has no body, and crowds of small people."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, radians, sin

from leaderboard.scenes.pen import HEIGHT, WIDTH, Pen
from leaderboard.scenes.people import person
from leaderboard.scenes.poses import angles
from leaderboard.scenes.script import Look
from leaderboard.scenes.stage import Actor
from leaderboard.scenes.things import held

SHIRTS = ("#c0504a", "#3f6fb5", "#d9a53a", "#5f9b57", "#8a5aa8", "#e0e0da", "#41748c", "#b8687f")
HAIRS = ("#2b1d14", "#6b4a2c", "#c9a35a", "#8a8a8a", "#a5522c")
SKINS = ("#e8b48c", "#8d5a3b", "#f1c9a5", "#b97c52")


def rain(pen: Pen, actor: Actor) -> None:
    """Over the whole frame; level is how dense."""
    sky = Pen(pen.draw, up=-1)
    for n in range(round(90 * max(0.2, actor.level))):
        x = (n * 73.7) % (WIDTH + 40) - 10 - 8 * actor.phase
        y = ((n * 41.3) % HEIGHT + actor.phase * HEIGHT) % HEIGHT
        sky.line([(x, y), (x - 3, y + 11)], 0.9, "#e4eef6aa")


def splash(pen: Pen, actor: Actor) -> None:
    """A sheet of water as high as its level."""
    high = actor.level
    if high > 0:
        for size, colour in ((1.0, actor.look.top), (0.6, actor.look.bottom)):
            edge = []
            for n in range(61):
                angle = pi * n / 60
                reach = size * (0.84 + 0.16 * cos(11 * angle))
                edge.append((1.15 * reach * cos(angle), high * reach * sin(angle)))
            pen.poly(edge, colour)
        for n in range(1, 12):
            angle = pi * n / 12
            far = 1.12 + 0.1 * (n % 3)
            pen.disc(1.15 * far * cos(angle), high * far * sin(angle), 0.035, actor.look.top)


def wave(pen: Pen, actor: Actor) -> None:
    """A wall of water that curls forward, as high as its level."""
    if actor.level > 0:
        crest = [(u / 8, actor.level * (0.5 + 0.5 * cos(0.9 * u / 8))) for u in range(-16, 9)]
        curl = [(1.25, 0.75 * actor.level), (1.15, 0.4 * actor.level), (0.9, 0.1), (0.9, 0)]
        pen.poly([(-2, 0), *crest, *curl], actor.look.top)
        pen.poly([(-2, 0), *((u, v * 0.6) for u, v in crest), (0.9, 0)], actor.look.bottom)
        for u, v in [*crest, *curl[:2]]:
            pen.disc(u, v, 0.09, "#f4fbff")


def neighbour(pen: Pen, actor: Actor) -> None:
    """Somebody who leans out of a window, down to the sill; pose busy waves or drums."""
    swing = 0.16 * sin(2 * pi * actor.phase) if actor.pose == "busy" else 0.0
    look = actor.look
    pen.poly([(-0.32, 0), (0.32, 0), (0.24, 0.5), (-0.24, 0.5)], look.top)
    for side in (-1, 1):
        raised = 0.5 + actor.level * 0.5 + swing * side
        pen.line([(side * 0.26, 0.42), (side * 0.5, 0.3 + 0.2 * actor.level)], 0.13, look.top)
        pen.line([(side * 0.5, 0.3 + 0.2 * actor.level), (side * 0.42, raised)], 0.11, look.skin)
    if actor.hold:
        held(pen.at(0.42, 0.5 + swing, unit=1.6), actor.hold, 0.0)
    pen.disc(0, 0.76, 0.26, look.hair)
    pen.disc(0.02, 0.7, 0.23, look.skin)
    for u in (-0.06, 0.1):
        pen.disc(u, 0.74, 0.035, "#222222")
    pen.line([(-0.04, 0.6), (0.08, 0.6)], 0.03, "#7a2f2a")
    pen.box(-0.55, -0.08, 0.55, 0.02, "#cfc4b4")


def fire(pen: Pen, actor: Actor) -> None:
    """A flame; level 0 is out."""
    if actor.level > 0:
        for n, colour in enumerate(("#e2541f", "#f29b2e", "#ffdf6b")):
            sway = 0.1 * sin(2 * pi * (actor.phase + n / 3))
            half = 0.5 - n * 0.14
            pen.poly(
                [
                    (-half, 0),
                    (half, 0),
                    (half * 0.7, 0.4),
                    (sway, 1 - n * 0.25),
                    (-half * 0.7, 0.4),
                ],
                colour,
            )


def smoke(pen: Pen, actor: Actor) -> None:
    """Puffs that rise."""
    for n in range(5):
        part = (n / 5 + actor.phase / 5) % 1.0
        drift = 0.15 * sin(5 * part)
        pen.disc(drift, part, 0.1 + 0.16 * part, actor.look.top)


def notes(pen: Pen, actor: Actor) -> None:
    """Music in the air."""
    for n in range(3):
        part = (n / 3 + actor.phase / 3) % 1.0
        note = pen.at(0.3 * sin(6 * part + n) + n * 0.2 - 0.2, part)
        note.oval(0, 0, 0.09, 0.07, actor.look.top)
        note.line([(0.08, 0), (0.08, 0.32), (0.2, 0.24)], 0.035, actor.look.top)


def sleepers(pen: Pen, actor: Actor) -> None:
    """Three Z that rise from somebody asleep."""
    for n in range(3):
        zed = pen.at(n * 0.3, n * 0.32 + 0.05 * actor.phase, unit=0.25 + 0.08 * n)
        zed.line([(0, 1), (0.8, 1), (0, 0), (0.8, 0)], 0.16, actor.look.top)


def sea(pen: Pen, actor: Actor) -> None:
    """The sea from the top left, its edge as far down the beach as its level says."""
    flat = Pen(pen.draw, pen.camera, up=-1)
    edge = 130 + 150 * actor.level
    crests = [(x, edge + 4 * sin(x / 26 + 2 * pi * actor.phase)) for x in range(-60, 560, 20)]
    flat.poly([(-60, 112), (560, 112), *reversed(crests)], actor.look.top)
    flat.line(crests, 5, "#f4fbff")
    lower = [(x, y - 12) for x, y in crests[2::2]]
    flat.line(lower, 1.5, "#ffffff88")


def wasps(pen: Pen, actor: Actor) -> None:
    """A few of them round the fruit."""
    for n in range(5):
        angle = 2 * pi * (actor.phase + n / 5)
        wasp = pen.at(cos(angle), 0.5 + 0.4 * sin(angle * 2))
        wasp.oval(0, 0, 0.09, 0.06, "#e8c02a")
        wasp.line([(0, -0.05), (0, 0.05)], 0.03, "#222222")
        wasp.oval(0, 0.09, 0.07, 0.04, "#ffffffcc")


def bang(pen: Pen, actor: Actor) -> None:
    """A star: something bursts, bumps or snaps."""
    tips = [
        (cos(radians(n * 18)) * (1 if n % 2 else 0.5), sin(radians(n * 18)) * (1 if n % 2 else 0.5))
        for n in range(20)
    ]
    pen.poly(tips, actor.look.top)
    pen.disc(0, 0, 0.28, actor.look.bottom)


def cloud(pen: Pen, actor: Actor) -> None:
    """A cloud as large as its level: flour, mist, steam."""
    for u, v, r in (
        (0, 0, 0.5),
        (0.5, 0.1, 0.36),
        (-0.5, 0.05, 0.36),
        (0.2, 0.4, 0.36),
        (-0.2, 0.38, 0.3),
        (0.9, 0.0, 0.22),
    ):
        pen.disc(u * actor.level, v * actor.level, r * actor.level, actor.look.top)


def gust(pen: Pen, actor: Actor) -> None:
    """Lines of wind."""
    for n in range(4):
        v = n * 0.28
        pen.line([(-1 + n * 0.15, v), (0, v + 0.08), (0.8, v)], 0.035, actor.look.top)


def thread(pen: Pen, actor: Actor) -> None:
    """A line along the ground, as long as its level."""
    steps = [(n / 12 * actor.level, 0.006 * (n % 2)) for n in range(13)]
    pen.line(steps, 0.008, actor.look.top)


def glow(pen: Pen, actor: Actor) -> None:
    """Light around a point."""
    for n in range(8):
        pen.disc(0, 0, 1 - n * 0.12, actor.look.top)


def words(pen: Pen, actor: Actor) -> None:
    """A balloon with three exclamation marks: somebody shouts or a loudspeaker speaks."""
    pen.oval(0, 0, 0.6, 0.42, "#ffffff")
    pen.poly([(-0.35, -0.25), (-0.1, -0.35), (-0.5, -0.75)], "#ffffff")
    for at in (-0.28, 0.0, 0.28):
        pen.line([(at, 0.2), (at, -0.06)], 0.09, actor.look.top)
        pen.disc(at, -0.2, 0.055, actor.look.top)


def crowd(pen: Pen, actor: Actor) -> None:
    """People side by side, as many as the level says (up to 14), in one pose."""
    for n in range(round(actor.level * 14)):
        look = Look(
            top=SHIRTS[(n * 3 + 1) % 8],
            bottom=SHIRTS[(n * 5 + 2) % 8],
            hair=HAIRS[(n * 2) % 5],
            skin=SKINS[n % 4],
            style=("short", "long", "bun", "short")[n % 4],
            head=1.15,
        )
        joints = angles(actor.pose, (actor.phase + 0.25 * (n % 4)) % 1.0 if actor.phase else 0.0)
        one = replace(actor, look=look, joints=joints, wear=())
        spot = pen.at(n * 0.42, 0.05 * (n % 3), unit=0.9 + 0.08 * ((n * 5) % 3))
        person(spot, one, held)


def children(pen: Pen, actor: Actor) -> None:
    """Two rows of children on cushions, seen from behind; level raises their arms."""
    for row in range(2):
        for n in range(10):
            spot = pen.at(n * 1.05 + 0.5 * row, -0.9 * row)
            spot.oval(0, 0.02, 0.5, 0.16, SHIRTS[(n + 3 * row) % 8])
            shirt, hair = SHIRTS[(n * 3 + row) % 8], HAIRS[(n * 2 + row) % 5]
            spot.poly([(-0.32, 0.05), (0.32, 0.05), (0.24, 0.6), (-0.24, 0.6)], shirt)
            if actor.level > 0.5:
                for side in (-1, 1):
                    spot.line([(side * 0.24, 0.55), (side * 0.45, 1.1)], 0.12, shirt)
                    spot.disc(side * 0.46, 1.15, 0.08, SKINS[n % 4])
            spot.disc(0, 0.82, 0.24, hair)

"""Things that stand about: each draws itself one unit high in two colours, ``a`` and ``b``."""

from __future__ import annotations

import itertools

from leaderboard.scenes.pen import Pen

WOOD, STEEL, PAPER = "#9a6a3c", "#8d949c", "#fbf7ea"


def bowl(pen: Pen, a: str, b: str) -> None:
    """See ``things``: bowl."""
    pen.oval(0, 0.9, 1.0, 0.16, b)
    pen.poly([(-1, 0.9), (1, 0.9), (0.5, 0), (-0.5, 0)], a)


def jug(pen: Pen, a: str, b: str) -> None:
    """See ``things``: jug."""
    pen.poly([(-0.35, 0), (0.35, 0), (0.3, 0.9), (0.5, 1), (-0.3, 1)], a)
    pen.arc(-0.35, 0.5, 0.25, (90, 270), 0.1, a)


def pan(pen: Pen, a: str, b: str) -> None:
    """See ``things``: pan."""
    pen.line([(0, 0.1), (0.7, 0.14)], 0.16, a)
    pen.poly([(0.6, 0.3), (2.2, 0.3), (2.0, 0), (0.8, 0)], a)


def full_pan(pen: Pen, a: str, b: str) -> None:
    """See ``things``: full pan."""
    pan(pen, a, b)
    pen.oval(1.4, 0.33, 0.6, 0.12, "#e7b75f")


def plate(pen: Pen, a: str, b: str) -> None:
    """See ``things``: plate."""
    pen.oval(0, 0.3, 1.0, 0.22, "#8a8f96")
    pen.oval(0, 0.42, 1.0, 0.22, a)


def pancake(pen: Pen, a: str, b: str) -> None:
    """See ``things``: pancake."""
    pen.oval(0, 0.4, 1, 0.4, "#b9832f")
    pen.oval(0, 0.55, 0.95, 0.35, "#efc46e")


def chair(pen: Pen, a: str, b: str) -> None:
    """See ``things``: chair."""
    pen.line([(-0.3, 1), (0.3, 0)], 0.07, b)
    pen.line([(-0.3, 0), (0.3, 0.5)], 0.07, b)
    pen.box(-0.3, 0.45, 0.35, 0.56, a)
    pen.line([(-0.3, 0.5), (-0.36, 1)], 0.09, a)


def stool(pen: Pen, a: str, b: str) -> None:
    """See ``things``: stool."""
    pen.line([(-0.5, 0), (-0.35, 1)], 0.14, b)
    pen.line([(0.5, 0), (0.35, 1)], 0.14, b)
    pen.box(-0.55, 0.86, 0.55, 1.0, a)


def crate(pen: Pen, a: str, b: str) -> None:
    """See ``things``: crate."""
    pen.box(-0.7, 0, 0.7, 1, b)
    for v in (0.02, 0.36, 0.7):
        pen.box(-0.7, v, 0.7, v + 0.27, a)


def bench(pen: Pen, a: str, b: str) -> None:
    """See ``things``: bench."""
    for at in (-0.9, 0.9):
        pen.line([(at, 0), (at, 0.9)], 0.2, b)
    pen.box(-1.3, 0.8, 1.3, 1.0, a)


def pillar(pen: Pen, a: str, b: str) -> None:
    """See ``things``: pillar."""
    pen.box(-0.065, 0, 0.065, 1, a)
    pen.box(-0.1, 0, 0.1, 0.07, b)


def kiosk(pen: Pen, a: str, b: str) -> None:
    """See ``things``: kiosk."""
    pen.box(-0.34, 0, 0.34, 1, a)
    pen.box(-0.28, 0.42, 0.28, 0.82, "#fff2cc")
    pen.box(-0.4, 0.9, 0.4, 1.04, b)
    pen.box(-0.38, 0.36, 0.38, 0.44, "#e8dcc4")
    pen.disc(-0.12, 0.52, 0.05, "#7a4a2a")
    pen.disc(0.1, 0.52, 0.05, "#7a4a2a")


def full_crate(pen: Pen, a: str, b: str) -> None:
    """See ``things``: full crate."""
    for n, at in enumerate((-0.45, -0.1, 0.25, 0.5)):
        pen.disc(at, 1.05, 0.22, "#c9352b" if n % 2 else "#d8503a")
    crate(pen, a, b)


def bucket(pen: Pen, a: str, b: str) -> None:
    """See ``things``: bucket."""
    pen.arc(0, 0.9, 0.45, (10, 170), 0.05, b)
    pen.poly([(-0.35, 0), (0.35, 0), (0.5, 0.9), (-0.5, 0.9)], a)
    pen.oval(0, 0.9, 0.5, 0.1, b)


def drum_bucket(pen: Pen, a: str, b: str) -> None:
    """See ``things``: drum bucket."""
    pen.poly([(-0.5, 0), (0.5, 0), (0.38, 0.9), (-0.38, 0.9)], a)
    pen.oval(0, 0.9, 0.38, 0.1, b)


def tower(pen: Pen, a: str, b: str) -> None:
    """See ``things``: tower."""
    pen.poly([(-0.5, 0), (0.5, 0), (0.36, 0.85), (-0.36, 0.85)], a)
    for at in (-0.36, -0.09, 0.18):
        pen.box(at, 0.85, at + 0.18, 1.0, a)
    pen.disc(0, 0.45, 0.11, b)


def rubble(pen: Pen, a: str, b: str) -> None:
    """See ``things``: rubble."""
    pen.poly([(-1.6, 0), (-0.9, 0.3), (-0.2, 0.18), (0.5, 0.36), (1.1, 0.15), (1.7, 0)], a)


def bass(pen: Pen, a: str, b: str) -> None:
    """See ``things``: bass."""
    pen.line([(0, 0.4), (0, 1.0)], 0.05, "#2a1a10")
    pen.oval(0, 0.2, 0.22, 0.2, a)
    pen.oval(0, 0.46, 0.16, 0.16, a)
    pen.line([(0, 0.1), (0, 0.9)], 0.02, "#f0e0c0")


def keyboard(pen: Pen, a: str, b: str) -> None:
    """See ``things``: keyboard."""
    pen.line([(-0.6, 0), (0.6, 0.8)], 0.05, STEEL)
    pen.line([(0.6, 0), (-0.6, 0.8)], 0.05, STEEL)
    pen.box(-1.0, 0.78, 1.0, 1.0, a)
    pen.box(-0.95, 0.92, 0.95, 1.02, "#ffffff")


def ladder(pen: Pen, a: str, b: str) -> None:
    """See ``things``: ladder."""
    for at in (-0.09, 0.09):
        pen.line([(at, 0), (at * 0.8, 1)], 0.025, a)
    for n in range(1, 9):
        pen.line([(-0.085, n / 9), (0.085, n / 9)], 0.018, a)


def bread(pen: Pen, a: str, b: str) -> None:
    """See ``things``: bread."""
    pen.oval(0, 0.4, 0.8, 0.42, a)
    for at in (-0.4, 0, 0.4):
        pen.line([(at - 0.1, 0.45), (at + 0.1, 0.72)], 0.07, b)


def sack(pen: Pen, a: str, b: str) -> None:
    """See ``things``: sack."""
    pen.poly([(-0.6, 0), (0.6, 0), (0.7, 0.5), (0.4, 0.9), (-0.4, 0.9), (-0.7, 0.5)], a)
    pen.line([(-0.3, 0.9), (0.3, 0.9)], 0.12, b)


def vase(pen: Pen, a: str, b: str) -> None:
    """See ``things``: vase."""
    pen.poly(
        [
            (-0.15, 0),
            (0.15, 0),
            (0.25, 0.4),
            (0.1, 0.65),
            (0.16, 0.75),
            (-0.16, 0.75),
            (-0.1, 0.65),
            (-0.25, 0.4),
        ],
        a,
    )
    for u, v in ((-0.12, 1.05), (0.1, 1.1), (0, 0.95)):
        pen.line([(0, 0.7), (u, v)], 0.02, "#4f7d3a")
        pen.disc(u, v, 0.07, b)


def parasol(pen: Pen, a: str, b: str) -> None:
    """See ``things``: parasol."""
    pen.line([(0, 0), (0, 0.95)], 0.025, WOOD)
    ribs = [(-0.6, 0.62), (-0.38, 0.68), (-0.13, 0.7), (0.13, 0.7), (0.38, 0.68), (0.6, 0.62)]
    for n, (one, two) in enumerate(itertools.pairwise(ribs)):
        pen.poly([one, two, (0, 1)], a if n % 2 == 0 else b)


def square(pen: Pen, a: str, b: str) -> None:
    """See ``things``: square."""
    pen.line([(-1.3, 0), (-1, 0.6), (1.3, 0.6), (1, 0), (-1.3, 0)], 0.08, a)


def box(pen: Pen, a: str, b: str) -> None:
    """See ``things``: box."""
    pen.box(-0.5, 0, 0.5, 1, a)


def splat(pen: Pen, a: str, b: str) -> None:
    """See ``things``: splat."""
    for u, v, r in (
        (0, 0.5, 0.5),
        (0.8, 0.9, 0.25),
        (-0.7, 1.1, 0.3),
        (0.3, 1.5, 0.22),
        (-0.9, 0.1, 0.2),
        (1.2, 0.2, 0.22),
    ):
        pen.disc(u, v, r, a)


def dock(pen: Pen, a: str, b: str) -> None:
    """See ``things``: dock."""
    pen.box(-0.6, 0, 0.6, 0.25, a)
    pen.box(-0.6, 0, -0.35, 1, a)


def ring(pen: Pen, a: str, b: str) -> None:
    """See ``things``: ring."""
    pen.arc(0, 0.5, 0.42, (0, 360), 0.16, a)


def wheel(pen: Pen, a: str, b: str) -> None:
    """See ``things``: wheel."""
    pen.arc(0, 0, 0.46, (0, 360), 0.08, a)
    for turn in range(0, 180, 30):
        spoke = pen.at(0, 0, turn=turn)
        spoke.line([(0, -0.44), (0, 0.44)], 0.02, b)
    pen.disc(0, 0, 0.06, b)

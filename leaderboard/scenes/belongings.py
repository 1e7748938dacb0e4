"""Things that people carry: each draws itself one unit high in two colours, ``a`` and ``b``."""

from __future__ import annotations

from leaderboard.scenes.pen import Pen

WOOD, STEEL, PAPER = "#9a6a3c", "#8d949c", "#fbf7ea"


def boat(pen: Pen, a: str, b: str) -> None:
    """See ``things``: boat."""
    pen.poly([(-0.9, 0.4), (0.9, 0.4), (0.5, 0), (-0.5, 0)], a)
    pen.poly([(-0.35, 0.4), (0.35, 0.4), (0, 1)], PAPER)
    pen.line([(-0.9, 0.4), (0.9, 0.4)], 0.06, "#9aa0a8")


def crushed(pen: Pen, a: str, b: str) -> None:
    """See ``things``: crushed."""
    pen.poly([(-1, 0), (-0.6, 0.35), (-0.1, 0.1), (0.3, 0.4), (0.9, 0.05), (0.4, 0)], a)
    pen.line([(-0.6, 0.3), (0.2, 0.05)], 0.05, "#9aa0a8")


def umbrella(pen: Pen, a: str, b: str) -> None:
    """See ``things``: umbrella."""
    pen.line([(0, -0.1), (0, 0.85)], 0.035, b)
    pen.poly(
        [
            (-0.75, 0.6),
            (-0.6, 0.85),
            (-0.3, 1.02),
            (0, 1.08),
            (0.3, 1.02),
            (0.6, 0.85),
            (0.75, 0.6),
        ],
        a,
    )


def shield(pen: Pen, a: str, b: str) -> None:
    """An umbrella tipped forward."""
    umbrella(pen.at(0, 0, turn=75), a, b)


def paper(pen: Pen, a: str, b: str) -> None:
    """See ``things``: paper."""
    pen.box(-0.5, 0, 0.5, 1, a)
    for v in (0.2, 0.4, 0.6, 0.8):
        pen.line([(-0.35, v), (0.35, v)], 0.06, b)


def ball(pen: Pen, a: str, b: str) -> None:
    """See ``things``: ball."""
    pen.disc(0, 0.5, 0.5, a)
    pen.disc(0.1, 0.55, 0.17, b)


def trumpet(pen: Pen, a: str, b: str) -> None:
    """See ``things``: trumpet."""
    pen.line([(-0.1, 0.5), (1.0, 0.6)], 0.14, a)
    pen.poly([(0.9, 0.5), (1.4, 0.25), (1.4, 0.98), (0.9, 0.72)], a)


def balloon(pen: Pen, a: str, b: str) -> None:
    """See ``things``: balloon."""
    pen.line([(0, -0.05), (0.05, 0.25), (-0.03, 0.5)], 0.014, "#444444")
    pen.oval(0, 0.74, 0.2, 0.25, a)
    pen.oval(0.07, 0.83, 0.05, 0.07, "#ffffff88")


def scrap(pen: Pen, a: str, b: str) -> None:
    """See ``things``: scrap."""
    pen.poly([(-0.5, 0.4), (0, 0.8), (0.5, 0.3), (0.1, 0.2), (0, -0.2), (-0.15, 0.2)], a)


def apple(pen: Pen, a: str, b: str) -> None:
    """See ``things``: apple."""
    pen.disc(0, 0.5, 0.5, a)
    pen.line([(0, 0.9), (0.1, 1.25)], 0.12, "#5d4023")
    pen.oval(0.3, 1.1, 0.22, 0.1, "#5f9b3c")


def sock(pen: Pen, a: str, b: str) -> None:
    """See ``things``: sock."""
    pen.line([(0, 1), (0, 0.3), (0.6, 0.2)], 0.36, a)
    pen.line([(0, 1), (0, 0.9)], 0.4, b)


def wool(pen: Pen, a: str, b: str) -> None:
    """See ``things``: wool."""
    pen.disc(0, 0.5, 0.5, a)
    for ends in ((20, 120), (140, 250), (260, 350)):
        pen.arc(0, 0.5, 0.3, ends, 0.07, b)


def needles(pen: Pen, a: str, b: str) -> None:
    """See ``things``: needles."""
    pen.box(-0.3, -0.6, 0.45, 0.1, b)
    pen.line([(-0.4, 0.1), (0.8, 0.7)], 0.08, a)
    pen.line([(0.5, 0.05), (-0.5, 0.7)], 0.08, a)


def stick(pen: Pen, a: str, b: str) -> None:
    """See ``things``: stick."""
    pen.line([(0, -0.5), (0, 0.5)], 0.06, a)


def flat_stick(pen: Pen, a: str, b: str) -> None:
    """See ``things``: flat stick."""
    pen.line([(-0.4, 0), (0.8, 0.06)], 0.08, a)


def case(pen: Pen, a: str, b: str) -> None:
    """See ``things``: case."""
    pen.arc(0, 0.82, 0.2, (0, 180), 0.07, b)
    pen.box(-0.62, 0, 0.62, 0.85, a)
    pen.box(-0.42, 0, -0.34, 0.85, b)
    pen.box(0.34, 0, 0.42, 0.85, b)


def held_case(pen: Pen, a: str, b: str) -> None:
    """See ``things``: held case."""
    case(pen.at(0, -1.0), a, b)


def open_case(pen: Pen, a: str, b: str) -> None:
    """See ``things``: open case."""
    pen.box(-0.62, 0, 0.62, 0.4, a)
    pen.poly([(-0.62, 0.4), (0.62, 0.4), (0.5, 1.1), (-0.74, 1.1)], b)


def cup(pen: Pen, a: str, b: str) -> None:
    """See ``things``: cup."""
    pen.poly([(-0.3, 0), (0.3, 0), (0.4, 0.9), (-0.4, 0.9)], a)
    pen.box(-0.4, 0.35, 0.4, 0.6, b)


def veil(pen: Pen, a: str, b: str) -> None:
    """See ``things``: veil."""
    pen.poly(
        [(-0.1, 1), (0.2, 1), (0.75, -0.6), (0.3, -0.45), (0, -0.7), (-0.3, -0.45), (-0.6, -0.6)],
        "#ffffffdd",
    )
    pen.line([(-0.15, 1), (0.25, 1)], 0.12, "#f3d9e4")


def violin(pen: Pen, a: str, b: str) -> None:
    """See ``things``: violin."""
    pen.line([(0.1, 0.3), (0.9, 0.5)], 0.08, "#33221a")
    pen.oval(0, 0.3, 0.28, 0.16, a)
    pen.oval(-0.3, 0.25, 0.22, 0.2, a)
    pen.line([(-0.1, -0.25), (0.15, 0.95)], 0.04, b)


def spade(pen: Pen, a: str, b: str) -> None:
    """See ``things``: spade."""
    pen.line([(0, 0.4), (0.1, -0.5)], 0.08, WOOD)
    pen.poly([(-0.08, -0.45), (0.3, -0.45), (0.25, -0.95), (0.05, -0.95)], a)


def microphone(pen: Pen, a: str, b: str) -> None:
    """See ``things``: microphone."""
    pen.line([(0, -0.4), (0, 0.4)], 0.2, b)
    pen.disc(0, 0.6, 0.24, a)


def tambourine(pen: Pen, a: str, b: str) -> None:
    """See ``things``: tambourine."""
    pen.disc(0, 0.2, 0.5, a)
    pen.disc(0, 0.2, 0.38, "#f2e6cf")
    for u, v in ((0.45, 0.2), (-0.45, 0.2), (0, 0.65), (0, -0.25)):
        pen.disc(u, v, 0.1, b)


def torch(pen: Pen, a: str, b: str) -> None:
    """See ``things``: torch."""
    pen.disc(0, 0.6, 0.9, "#ffe9a055")
    pen.disc(0, 0.6, 0.3, a)
    pen.line([(0, -0.3), (0, 0.4)], 0.14, WOOD)


def knife(pen: Pen, a: str, b: str) -> None:
    """See ``things``: knife."""
    pen.line([(-0.2, 0), (0.2, 0.1)], 0.18, WOOD)
    pen.poly([(0.2, 0.0), (0.9, 0.3), (0.2, 0.25)], a)


def candle(pen: Pen, a: str, b: str) -> None:
    """See ``things``: candle."""
    for n in range(9):
        pen.disc(0, 1.1, 3.4 - n * 0.36, "#ffd27a14")
    pen.box(-0.16, 0, 0.16, 0.8, PAPER)
    pen.oval(0, 1.1, 0.14, 0.3, "#ffb52e")


def peel(pen: Pen, a: str, b: str) -> None:
    """See ``things``: peel."""
    pen.line([(-0.4, -0.1), (0.9, 0.05)], 0.05, a)
    pen.oval(1.15, 0.08, 0.3, 0.06, a)


def peel_loaf(pen: Pen, a: str, b: str) -> None:
    """See ``things``: peel loaf."""
    peel(pen, a, b)
    pen.oval(1.15, 0.18, 0.2, 0.1, b)


def twig(pen: Pen, a: str, b: str) -> None:
    """See ``things``: twig."""
    pen.line([(0, -0.4), (0.1, 0.9)], 0.1, WOOD)
    for u, v in ((0.3, 0.5), (-0.2, 0.7), (0.3, 0.95)):
        pen.oval(u, v, 0.22, 0.12, "#5f9b3c")
    apple(pen.at(0.05, -0.75, unit=0.5), a, b)


def helmet(pen: Pen, a: str, b: str) -> None:
    """See ``things``: helmet."""
    pen.poly([(-0.6, 0), (0.6, 0), (0.5, 0.6), (0, 0.9), (-0.5, 0.6)], a)
    pen.box(-0.1, 0.25, 0.62, 0.42, b)

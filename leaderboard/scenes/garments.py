"""Clothes and what is worn: each draws itself on a body or on a head.

A few (vest, rolled, bare, boots, skates, gloves, tattoos, ribbon, bandage) belong to a limb and are
drawn with it, in ``people``.
"""

from __future__ import annotations

from collections.abc import Callable

from leaderboard.scenes.joints import Joints
from leaderboard.scenes.pen import Pen

OnBody = Callable[[Pen, Joints, str], None]
OnHead = Callable[[Pen, str], None]

LIMBS = {"vest", "rolled", "bare", "boots", "skates", "gloves", "tattoos", "ribbon", "bandage"}
"""Garments that ``people`` draws with arms and legs."""


def _skirt(part: float) -> OnBody:
    """From the shoulders down to that part of the thighs."""

    def draw(pen: Pen, body: Joints, colour: str) -> None:
        near, far = body.knees(part)
        front = max(near, far)
        back = min(near, far)
        top, waist = body.along(0.97, 0.05), body.along(0.97, -0.06)
        hem = 0.06 if part > 1 else 0.04
        pen.poly(
            [
                waist,
                top,
                body.along(0.3, 0.085),
                body.along(0, 0.09),
                (front[0] + hem, front[1]),
                (back[0] - hem, back[1]),
                body.along(0, -0.09),
                body.along(0.3, -0.085),
            ],
            colour,
        )

    return draw


def _apron(pen: Pen, body: Joints, colour: str) -> None:
    near, far = body.knees(0.85)
    front = max(near, far)
    pen.poly(
        [
            body.along(0.85, -0.01),
            body.along(0.85, 0.08),
            body.along(0.2, 0.1),
            (front[0] + 0.06, front[1]),
            (front[0] - 0.07, front[1]),
            body.along(0.2, -0.04),
        ],
        colour,
    )


def _striped_apron(pen: Pen, body: Joints, colour: str) -> None:
    _apron(pen, body, "#f6f1e4")
    near, far = body.knees(0.85)
    front = max(near, far)
    for side in (0.0, 0.04, 0.08):
        pen.line([body.along(0.8, side), (front[0] + side - 0.03, front[1] + 0.01)], 0.016, colour)


def _overalls(pen: Pen, body: Joints, colour: str) -> None:
    pen.poly(
        [body.along(p, s) for p, s in ((0, -0.08), (0.6, -0.05), (0.6, 0.08), (0, 0.09))], colour
    )
    pen.line([body.along(0.55, 0.05), body.along(0.98, 0.03)], 0.025, colour)
    pen.disc(*body.along(0.58, 0.05), 0.013, "#e8d27a")


def _braces(pen: Pen, body: Joints, colour: str) -> None:
    for side in (-0.025, 0.04):
        pen.line([body.along(0.02, side), body.along(0.98, side)], 0.022, colour)


def _dots(pen: Pen, body: Joints, colour: str) -> None:
    for part, side in ((0.8, 0), (0.6, 0.04), (0.55, -0.04), (0.3, 0), (0.1, 0.05), (0.1, -0.05)):
        pen.disc(*body.along(part, side), 0.017, colour)


def _stains(pen: Pen, body: Joints, colour: str) -> None:
    for part, side in ((0.85, 0.03), (0.6, -0.02), (0.4, 0.04), (0.15, 0)):
        pen.oval(*body.along(part, side), 0.04, 0.028, colour)
    for leg in (body.near_leg, body.far_leg):
        pen.disc(*leg[1], 0.042, colour)


def _buttons_wrong(pen: Pen, body: Joints, colour: str) -> None:
    pen.line([body.along(1, 0.0), body.along(0, 0.045)], 0.012, colour)
    for part in (0.2, 0.45, 0.7):
        pen.disc(*body.along(part, 0.06 - part * 0.04), 0.012, "#333333")
    pen.poly([body.along(0, 0.0), body.along(0, 0.08), body.along(-0.22, 0.07)], colour)


def _scarf_knee(pen: Pen, body: Joints, colour: str) -> None:
    pen.disc(*body.near_leg[1], 0.058, colour)
    u, v = body.near_leg[1]
    pen.poly([(u, v), (u - 0.1, v - 0.02), (u - 0.07, v - 0.08)], colour)


def _number(pen: Pen, body: Joints, colour: str) -> None:
    pen.line([body.along(0.25, 0.01), body.along(0.85, 0.01)], 0.06, colour)


def _violin_case(pen: Pen, body: Joints, colour: str) -> None:
    pen.line([body.along(0.0, -0.13), body.along(1.25, -0.13)], 0.09, colour)
    pen.disc(*body.along(0.15, -0.14), 0.085, colour)


def _satchel(pen: Pen, body: Joints, colour: str) -> None:
    u, v = body.along(0.05, -0.09)
    pen.box(u - 0.1, v - 0.12, u + 0.06, v + 0.04, colour)


def _cap(pen: Pen, colour: str) -> None:
    pen.oval(-0.01, 0.065, 0.1, 0.05, colour)
    pen.box(-0.105, 0.045, 0.09, 0.075, colour)
    pen.oval(0.1, 0.045, 0.055, 0.016, colour)


def _straw(pen: Pen, colour: str) -> None:
    pen.oval(0, 0.05, 0.18, 0.028, colour)
    pen.oval(0, 0.075, 0.095, 0.055, colour)
    pen.line([(-0.09, 0.062), (0.09, 0.062)], 0.02, "#b04a3a")


def _helmet(pen: Pen, colour: str) -> None:
    pen.oval(-0.01, 0.045, 0.12, 0.085, colour)
    pen.box(-0.12, 0.0, -0.06, 0.045, colour)
    for at in (-0.05, 0.0, 0.05):
        pen.line([(at, 0.115), (at + 0.02, 0.06)], 0.014, "#00000055")
    pen.line([(0.03, 0.03), (0.03, -0.09)], 0.012, "#333333")


def _knight(pen: Pen, colour: str) -> None:
    pen.oval(0, 0.02, 0.115, 0.12, colour)
    pen.box(0.0, -0.02, 0.12, 0.025, "#222222")
    pen.line([(0, 0.13), (-0.08, 0.2)], 0.05, "#c03a3a")


def _hood(pen: Pen, colour: str) -> None:
    pen.poly(
        [
            (0.06, 0.11),
            (-0.02, 0.135),
            (-0.11, 0.08),
            (-0.125, -0.05),
            (-0.07, -0.11),
            (-0.03, -0.08),
            (-0.05, 0.0),
            (0.0, 0.06),
            (0.08, 0.07),
        ],
        colour,
    )


def _glasses(pen: Pen, colour: str) -> None:
    for at in (0.03, 0.082):
        pen.arc(at, 0.008, 0.024, (0, 360), 0.009, colour)
    pen.line([(0.005, 0.012), (-0.08, 0.02)], 0.009, colour)


def _beard(pen: Pen, colour: str) -> None:
    pen.poly(
        [(-0.05, -0.03), (0.02, -0.025), (0.1, -0.03), (0.085, -0.1), (0.03, -0.15), (-0.03, -0.1)],
        colour,
    )
    pen.line([(0.035, -0.055), (0.075, -0.055)], 0.01, "#7a2f2a")


def _moustache(pen: Pen, colour: str) -> None:
    pen.oval(0.03, -0.032, 0.035, 0.016, colour)
    pen.oval(0.085, -0.032, 0.03, 0.016, colour)


def _newspaper(pen: Pen, colour: str) -> None:
    pen.poly([(0.06, 0.12), (0.13, 0.12), (0.13, -0.12), (0.06, -0.12)], colour)
    for at in (-0.07, -0.02, 0.03, 0.08):
        pen.line([(0.075, at), (0.118, at)], 0.012, "#777777")


def _blush(pen: Pen, colour: str) -> None:
    pen.disc(0.02, -0.03, 0.022, colour)
    pen.disc(0.088, -0.03, 0.018, colour)


def _drop(pen: Pen, colour: str) -> None:
    pen.disc(0.105, -0.012, 0.022, colour)


def _band(pen: Pen, colour: str) -> None:
    pen.line([(-0.1, 0.045), (0.09, 0.055)], 0.03, colour)


BEHIND: dict[str, OnBody] = {"violin case": _violin_case, "satchel": _satchel}
OVER: dict[str, OnBody] = {
    "dress": _skirt(1.0),
    "skirt": _skirt(0.7),
    "coat": _skirt(1.15),
    "raincoat": _skirt(1.0),
    "apron": _apron,
    "striped apron": _striped_apron,
    "overalls": _overalls,
    "braces": _braces,
    "dots": _dots,
    "mud": _stains,
    "flour": _stains,
    "wrong buttons": _buttons_wrong,
    "handkerchief": _scarf_knee,
    "bib": _number,
}
HATS: dict[str, OnHead] = {
    "cap": _cap,
    "straw hat": _straw,
    "helmet": _helmet,
    "knight helmet": _knight,
    "hood": _hood,
    "glasses": _glasses,
    "beard": _beard,
    "moustache": _moustache,
    "newspaper": _newspaper,
    "blush": _blush,
    "drop": _drop,
    "band": _band,
}
GARMENTS = LIMBS | BEHIND.keys() | OVER.keys() | HATS.keys()
"""All that a script may name."""

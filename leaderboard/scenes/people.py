"""People: a skeleton posed by angles, with clothes, hair, a face and things in their hands."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin

from leaderboard.scenes.garments import BEHIND, HATS, OVER
from leaderboard.scenes.joints import Joints
from leaderboard.scenes.pen import Pen, Point
from leaderboard.scenes.script import Look
from leaderboard.scenes.stage import Actor

THIGH, SHIN, BACK, UPPER, LOWER = 0.25, 0.23, 0.29, 0.16, 0.15
LOWEST_HIP = 0.07

Holds = Callable[[Pen, str, float], None]
"""Draws a thing held: a pen in the hand, its name, the phase."""


def person(pen: Pen, actor: Actor, holds: Holds) -> None:
    """Draw the person with the feet at the pen's origin, one unit high."""
    body = skeleton(actor.joints)
    look, worn = actor.look, dict(_garment(item) for item in actor.wear)
    sleeve = look.skin if "vest" in worn else look.top
    if "coat" in worn:
        sleeve = worn["coat"]
    for name, colour in worn.items():
        if name in BEHIND:
            BEHIND[name](pen, body, colour)
    _arm(pen, body.far, sleeve, look.skin, worn)
    if actor.other:
        holds(pen.at(*body.far[2], turn=_tilt(body.far)), actor.other, actor.phase)
    _leg(pen, body.far_leg, look.bottom, worn)
    _leg(pen, body.near_leg, look.bottom, worn)
    _trunk(pen, body, look.top, look.wide)
    for name, colour in worn.items():
        if name in OVER:
            OVER[name](pen, body, colour)
    _head(pen.at(*body.head, unit=look.head, turn=body.tilt), actor, worn)
    if actor.hold:
        holds(pen.at(*body.near[2], turn=_tilt(body.near)), actor.hold, actor.phase)
    _arm(pen, body.near, sleeve, look.skin, worn)


def skeleton(joints: tuple[float, ...]) -> Joints:
    """Where the joints are, the lowest of them on the ground."""
    back, nod, *limbs = joints
    near_leg = _limb((0.0, 0.0), limbs[4], limbs[5], THIGH, SHIN)
    far_leg = _limb((0.0, 0.0), limbs[6], limbs[7], THIGH, SHIN)
    hip = max(LOWEST_HIP, *(-v for _, v in (*near_leg, *far_leg)))
    shoulder = (BACK * sin(radians(back)), hip + BACK * cos(radians(back)))
    neck = radians(back + nod * 0.5)
    head = (shoulder[0] + 0.12 * sin(neck), shoulder[1] + 0.12 * cos(neck))
    return Joints(
        hip=(0.0, hip),
        shoulder=shoulder,
        head=head,
        tilt=back * 0.6 + nod,
        near=_limb(shoulder, limbs[0], limbs[1], UPPER, LOWER),
        far=_limb(shoulder, limbs[2], limbs[3], UPPER, LOWER),
        near_leg=[(u, v + hip) for u, v in near_leg],
        far_leg=[(u, v + hip) for u, v in far_leg],
    )


def _limb(start: Point, upper: float, lower: float, long: float, end: float) -> list[Point]:
    u, v = start
    middle = (u + long * sin(radians(upper)), v - long * cos(radians(upper)))
    u, v = middle
    return [start, middle, (u + end * sin(radians(lower)), v - end * cos(radians(lower)))]


def _tilt(limb: list[Point]) -> float:
    """How far a thing in that hand leans back: upright when the forearm points forward."""
    (a, b), (c, d) = limb[1:]
    return 0.0 if abs(c - a) > abs(d - b) else (12.0 if d > b else -12.0)


def _garment(item: str) -> tuple[str, str]:
    name, _, colour = item.partition(":")
    return name, colour or "#ffffff"


def _arm(pen: Pen, arm: list[Point], sleeve: str, skin: str, worn: dict[str, str]) -> None:
    bare = "vest" in worn or "rolled" in worn
    pen.line(arm[:2], 0.062, sleeve)
    pen.line(arm[1:], 0.052, skin if bare else sleeve)
    if "tattoos" in worn:
        (a, b), (c, d) = arm[1:]
        for part in (0.25, 0.5, 0.75):
            pen.disc(a + (c - a) * part, b + (d - b) * part, 0.02, worn["tattoos"])
    large = 0.062 if "gloves" in worn else 0.034
    pen.disc(*arm[2], large, worn.get("gloves", skin))
    if "ribbon" in worn:
        pen.disc(*arm[2], 0.05, worn["ribbon"])


def _leg(pen: Pen, leg: list[Point], trousers: str, worn: dict[str, str]) -> None:
    pen.line(leg[:2], 0.085, trousers)
    pen.line(leg[1:], 0.07, worn.get("bare", trousers))
    u, v = leg[2]
    shoe = worn.get("boots", worn.get("skates", "#2a2522"))
    pen.oval(u + 0.035, v + 0.012, 0.065, 0.03, shoe)
    if "skates" in worn:
        for wheel in (-0.01, 0.07):
            pen.disc(u + wheel, v - 0.03, 0.02, "#333333")
    if "bandage" in worn:
        pen.disc(*leg[1], 0.052, worn["bandage"])


def _trunk(pen: Pen, body: Joints, colour: str, wide: float) -> None:
    side = 0.088 * wide
    (hu, hv), (su, sv) = body.hip, body.shoulder
    pen.line([(hu, hv + 0.02), (su, sv - 0.02)], 2 * side, colour)
    if wide > 1.15:
        pen.oval((hu + su) / 2 + 0.02, (hv + sv) / 2 - 0.02, side * 1.25, side * 1.4, colour)


def _head(pen: Pen, actor: Actor, worn: dict[str, str]) -> None:
    """Head, hair, face and hat; the pen's origin is the head's middle."""
    look = actor.look
    _hair_behind(pen, look)
    pen.disc(0, 0, 0.1, look.skin)
    if look.style != "bald":
        cap = [(0.1 * cos(radians(a)), 0.1 * sin(radians(a)) + 0.008) for a in range(35, 216, 12)]
        pen.poly([*cap, (-0.05, -0.03), (-0.03, 0.04), (0.06, 0.05)], look.hair)
    _face(pen, actor.mood)
    for name, colour in worn.items():
        if name in HATS:
            HATS[name](pen, colour)


def _hair_behind(pen: Pen, look: Look) -> None:
    if look.style == "puff":
        pen.disc(-0.02, 0.03, 0.13, look.hair)
    if look.style == "long":
        pen.oval(-0.05, -0.03, 0.085, 0.15, look.hair)
    if look.style in {"braids", "bun"}:
        pen.disc(-0.1, 0.06 if look.style == "bun" else -0.02, 0.045, look.hair)
    if look.style == "braids":
        pen.line([(-0.1, -0.02), (-0.14, -0.16)], 0.035, look.hair)


def _face(pen: Pen, mood: str) -> None:
    if mood == "sleep":
        pen.line([(0.02, 0.0), (0.045, 0.0)], 0.01, "#222222")
        pen.line([(0.065, 0.0), (0.085, 0.0)], 0.01, "#222222")
    else:
        pen.disc(0.032, 0.008, 0.012, "#222222")
        pen.disc(0.075, 0.008, 0.012, "#222222")
    mouths = {"smile": (200, 340), "sad": (150, 30)}
    if mood == "open":
        pen.oval(0.056, -0.048, 0.018, 0.022, "#7a2f2a")
    elif mood in mouths:
        drop = -0.03 if mood == "smile" else -0.065
        pen.arc(0.054, drop, 0.025, mouths[mood], 0.011, "#7a2f2a")
    else:
        pen.line([(0.035, -0.045), (0.075, -0.045)], 0.011, "#7a2f2a")

"""Where a person's joints are, in units of the person's height."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.scenes.pen import Point


@dataclass(frozen=True, slots=True)
class Joints:
    """Limbs are three points each: shoulder, elbow, hand, or hip, knee, foot."""

    hip: Point
    shoulder: Point
    head: Point
    tilt: float
    near: list[Point]
    far: list[Point]
    near_leg: list[Point]
    far_leg: list[Point]

    def along(self, part: float, side: float = 0.0) -> Point:
        """A point of the back: 0 at the hip, 1 at the shoulder, ``side`` to the front."""
        (hu, hv), (su, sv) = self.hip, self.shoulder
        length = max(0.01, ((su - hu) ** 2 + (sv - hv) ** 2) ** 0.5)
        across = ((sv - hv) / length, -(su - hu) / length)
        return (
            hu + (su - hu) * part + across[0] * side,
            hv + (sv - hv) * part + across[1] * side,
        )

    def knees(self, part: float) -> tuple[Point, Point]:
        """Points of the two thighs, 0 at the hip and 1 at the knee: near and far."""

        def on(leg: list[Point]) -> Point:
            (a, b), (c, d) = leg[:2]
            return (a + (c - a) * part, b + (d - b) * part)

        return on(self.near_leg), on(self.far_leg)

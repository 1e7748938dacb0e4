"""What is on the stage at a moment: a script and a time in, where and how every figure stands out.

Two moments whose stage is equal look the same, so that a frame is drawn once and then held.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace

from leaderboard.scenes.pen import WHOLE, Camera
from leaderboard.scenes.poses import POSES, angles, blend, moves
from leaderboard.scenes.script import Beat, Change, Look, Script

PERIOD = 1.0
"""Seconds in which what goes on and on (rain, whisking) comes round once."""

LONGEST_MOVE = 6.0
STRIDE = 0.75
"""How far a figure of height 1 comes in one cycle of walking."""

ALIVE = {"rain", "fire", "smoke", "notes", "sleepers", "sea", "wasps", "seabed"}
"""Figures that never stand still."""


@dataclass(frozen=True, slots=True)
class Actor:
    """One figure as it is drawn."""

    look: Look
    x: float
    y: float
    size: float
    face: int = 1
    turn: float = 0.0
    level: float = 0.0
    pose: str = "stand"
    joints: tuple[float, ...] = POSES["stand"][0]
    phase: float = 0.0
    hold: str = ""
    other: str = ""
    mood: str = "plain"
    wear: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """A moment: equal ones look the same."""

    place: str
    light: str
    camera: Camera
    actors: tuple[Actor, ...]


@dataclass(frozen=True, slots=True)
class _Set:
    """Everything as one beat leaves it, by name."""

    place: str = ""
    light: str = ""
    camera: Camera = WHOLE
    actors: Mapping[str, Actor] | None = None


class Timeline:
    """A script, ready to be asked what is on the stage at a time."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self._starts = [beat.at for beat in script.beats]
        self._sets = [_Set(actors={})]
        for beat in script.beats:
            self._sets.append(self._after(self._sets[-1], beat))

    def at(self, seconds: float) -> Stage:
        """The stage at that time, 0 to the duration."""
        n = max(0, bisect_right(self._starts, seconds) - 1)
        beat = self.script.beats[n]
        before, after = self._sets[n], self._sets[n + 1]
        ends = [*self._starts[1:], self.script.duration][n]
        move = beat.move or min(LONGEST_MOVE, 0.7 * (ends - beat.at))
        part = min(1.0, (seconds - beat.at) / move)
        there = {} if beat.place else before.actors or {}
        shown = tuple(
            _between(there.get(name), actor, beat.do.get(name), part, seconds)
            for name, actor in (after.actors or {}).items()
        )
        return Stage(after.place, after.light, after.camera, shown)

    def _after(self, before: _Set, beat: Beat) -> _Set:
        there = {} if beat.place else dict(before.actors or {})
        for name, change in beat.do.items():
            if change.show:
                there[name] = _changed(there.get(name), self.script.cast[name], change)
            else:
                there.pop(name, None)
        kept = "" if beat.place else before.light
        return _Set(
            place=beat.place or before.place,
            light=kept if beat.light is None else beat.light,
            camera=self.script.view_of(beat),
            actors={name: there[name] for name in self.script.cast if name in there},
        )


def _changed(actor: Actor | None, look: Look, change: Change) -> Actor:
    """The figure as the change leaves it; one that was not there enters as the cast has it."""
    start = actor or Actor(look, x=240, y=240, size=look.size, wear=look.wear)
    names = ("x", "y", "size", "turn", "level", "face", "pose", "hold", "other", "mood")
    given = {name: getattr(change, name) for name in names if getattr(change, name) is not None}
    off = set(change.off)
    kept = tuple(item for item in start.wear if item.split(":")[0] not in off)
    return replace(start, **given, wear=kept + change.on)


def _between(
    before: Actor | None, after: Actor, change: Change | None, part: float, seconds: float
) -> Actor:
    """The figure on its way from one beat's end to the next one's."""
    if change is None:
        return _posed(after, after, 1.0, None, seconds)
    start = before or after
    start = replace(
        start,
        x=start.x if change.x0 is None else change.x0,
        y=start.y if change.y0 is None else change.y0,
    )
    eased = part * part * (3 - 2 * part)

    def way(a: float, b: float) -> float:
        return round(a + (b - a) * eased, 2)

    now = replace(
        after,
        x=way(start.x, after.x),
        y=round(way(start.y, after.y) - change.arc * 4 * part * (1 - part), 2),
        size=way(start.size, after.size),
        turn=way(start.turn, after.turn),
        level=way(start.level, after.level),
    )
    far = abs(after.x - start.x) > 0.12 * after.size
    gait = change.gait or ("walk" if far and not change.arc else "none")
    stride = (now.x - start.x) / (STRIDE * after.size)
    walking = abs(stride) if gait != "none" and part < 1 else None
    if walking is not None and after.look.figure == "person":
        return replace(now, joints=_rounded(angles(gait, walking)), phase=round(walking, 3))
    if walking is not None:
        return replace(now, pose=gait, phase=round(walking, 3))
    return _posed(now, start, min(1.0, part * 2), change, seconds)


def _posed(now: Actor, start: Actor, part: float, change: Change | None, seconds: float) -> Actor:
    """Limbs of who stands still, and the phase of what goes on and on."""
    turning = round(seconds / PERIOD % 1.0, 3)
    if now.look.figure != "person":
        lively = now.look.figure in ALIVE or now.pose in {"busy", "walk", "run", "cheer"}
        return replace(now, phase=turning if lively else 0.0)
    new = angles(now.pose, turning if moves(now.pose) else 0.0)
    if change is not None and change.pose and part < 1:
        new = blend(angles(start.pose, 0.0), new, part)
    return replace(now, joints=_rounded(new), phase=turning if moves(now.pose) else 0.0)


def _rounded(joints: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(joint, 1) for joint in joints)

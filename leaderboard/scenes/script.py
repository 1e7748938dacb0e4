"""Scene scripts: the shapes of their TOML, and what a reader is told when one does not fit.

A script says who is on the stage (``cast``) and what happens when (``beats``). A beat changes what
it names and leaves all else as it was; one with a ``place`` clears the stage first.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from leaderboard.scenes.pen import WHOLE, Camera
from leaderboard.scenes.poses import POSES

Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}([0-9a-f]{2})?$")]
Garment = Annotated[str, Field(pattern=r"^[a-z ]+(:#[0-9a-f]{6})?$")]


class Part(BaseModel):
    """A piece of a script: a word that it does not know is a fault."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Look(Part):
    """What a figure looks like: a person's clothes, or a thing's two colours."""

    figure: str = "person"
    size: Annotated[float, Field(gt=0)] = 90.0
    top: Colour = "#888888"
    bottom: Colour = "#444444"
    skin: Colour = "#e8b48c"
    hair: Colour = "#4a3322"
    style: Literal["short", "long", "bun", "braids", "bald", "puff"] = "short"
    head: Annotated[float, Field(gt=0, le=2)] = 1.12
    wide: Annotated[float, Field(gt=0, le=2)] = 1.0
    wear: tuple[Garment, ...] = ()


class Change(Part):
    """What one beat changes of one figure.

    ``x``, ``y`` (where it stands), ``size``, ``turn`` (degrees) and ``level`` (0 to 1: how far
    open, how high, how much) are reached in the course of the beat's move, from where they were or
    from ``x0``, ``y0``; ``arc`` lifts the way by so many pixels. All else changes at once.
    """

    x: float | None = None
    y: float | None = None
    x0: float | None = None
    y0: float | None = None
    arc: float = 0.0
    size: float | None = None
    turn: float | None = None
    level: Annotated[float, Field(ge=0, le=1)] | None = None
    face: Literal[-1, 1] | None = None
    pose: str | None = None
    gait: str | None = None
    hold: str | None = None
    other: str | None = None
    mood: Literal["plain", "smile", "sad", "open", "sleep"] | None = None
    on: tuple[Garment, ...] = ()
    off: tuple[str, ...] = ()
    show: bool = True


class Beat(Part):
    """What happens from ``at`` (seconds) to the next beat; ``tells`` says it in words."""

    at: Annotated[float, Field(ge=0)]
    tells: Annotated[str, Field(min_length=1)]
    place: str = ""
    light: Colour | None = None
    view: Camera | None = None
    move: Annotated[float, Field(gt=0)] | None = None
    do: dict[str, Change] = {}


class Script(Part):
    """Cast and beats of one scene, in its order and over its whole duration."""

    duration: Annotated[float, Field(gt=0)]
    cast: dict[str, Look]
    beats: Annotated[tuple[Beat, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def whole(self) -> Self:
        """Beats begin at 0, follow each other, and name only figures and poses that there are."""
        starts = [beat.at for beat in self.beats]
        if starts[0] != 0 or not self.beats[0].place:
            raise ValueError("the first beat must begin at 0 and name its place")
        if any(a >= b for a, b in zip(starts, [*starts[1:], self.duration], strict=True)):
            raise ValueError("beats must follow each other and begin before the scene ends")
        for beat in self.beats:
            strangers = sorted(set(beat.do) - set(self.cast))
            if strangers:
                raise ValueError(f"the beat at {beat.at:g}: {', '.join(strangers)} not in the cast")
            self._check_poses(beat)
        return self

    def _check_poses(self, beat: Beat) -> None:
        for name, change in beat.do.items():
            if self.cast[name].figure != "person":
                continue
            unknown = {change.pose, change.gait} - {None, "none"} - set(POSES)
            if unknown:
                raise ValueError(f"the beat at {beat.at:g}: {name}: no pose {unknown.pop()!r}")

    def view_of(self, beat: Beat) -> Camera:
        """How the frame sees the stage: the last view named since the last place."""
        camera = WHOLE
        for one in self.beats:
            camera = one.view or (WHOLE if one.place else camera)
            if one is beat:
                break
        return camera

"""What the interface says of texts by themselves."""

from __future__ import annotations

from uuid import UUID

from ninja import Schema


class ExampleOut(Schema):
    """A piece of a clip's description, in the submitter's own words."""

    clip: str
    text: str


class OtherOut(Schema):
    """A submission that texts were found in, and of how many clips."""

    submission: UUID
    system: str
    clips: int


class FlagOut(Schema):
    """What texts show by themselves, without a judge; it changes no score.

    `severity` is `serious`, `notable` or `minor`; `others` come with copies.
    """

    code: str
    title: str
    meaning: str
    severity: str
    count: int
    clips: list[str]
    examples: list[ExampleOut]
    others: list[OtherOut]


class LengthsOut(Schema):
    """Median `words`; 5th, 50th and 95th percentile of words over those of the reference."""

    words: float
    low: float
    median: float
    high: float


class DiagnosticsOut(Schema):
    """Flags, the gravest first. `lengths` is null where there is nothing to compare with."""

    flags: list[FlagOut]
    lengths: LengthsOut | None

"""Texts of a clip page as they are read: each sentence linked to its nearest on the other side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.tables.alignment import Alignment, pieces


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text. A sentence has a ``key`` of its own on the page and the keys of its
    ``partners``; ``step`` (0 to 4) is how near the nearest is, ``alone`` that it has none.
    """

    text: str
    key: str = ""
    partners: tuple[str, ...] = ()
    step: int = 0
    alone: bool = False
    cosine: float | None = None


def said_spans(text: str, aligned: Alignment | None, at: int) -> tuple[Span, ...]:
    """The description of the page's system number ``at``."""
    if aligned is None:
        return (Span(text),)
    return tuple(
        Span(piece.text)
        if (one := piece.sentence) is None
        else Span(
            text=piece.text,
            key=f"s{at}-{one.place}",
            partners=() if one.nearest is None else (f"r{aligned.option}-{one.nearest}",),
            step=one.step,
            alone=one.alone,
            cosine=one.cosine,
        )
        for piece in pieces(text, aligned.candidate)
    )


def reference_spans(
    text: str, option: int, aligned: Mapping[int, Alignment | None]
) -> tuple[Span, ...]:
    """Reference number ``option`` of those that the track reads, beside the page's systems.

    A sentence is as near as the nearest sentence of any shown system, and alone when all of them
    missed it.
    """
    beside = {at: one for at, one in aligned.items() if one is not None and one.option == option}
    if not beside:
        return (Span(text),)
    first = next(iter(beside.values()))
    return tuple(
        Span(piece.text)
        if piece.sentence is None
        else _reference_span(piece.text, piece.sentence.place, option, beside)
        for piece in pieces(text, first.reference)
    )


def _reference_span(text: str, place: int, option: int, beside: Mapping[int, Alignment]) -> Span:
    here = {at: one.reference[place] for at, one in beside.items()}
    known = [one for one in here.values() if one.cosine is not None]
    partners = [(at, one.nearest) for at, one in here.items() if one.nearest is not None]
    nearest = max(known, key=lambda one: one.cosine or 0.0, default=None)
    return Span(
        text=text,
        key=f"r{option}-{place}",
        partners=tuple(f"s{at}-{other}" for at, other in partners),
        step=nearest.step if nearest else 0,
        alone=all(one.alone for one in here.values()),
        cosine=nearest.cosine if nearest else None,
    )


def options(references: Sequence[object], wanted: Mapping[str, str]) -> list[int | None]:
    """For each reference its place among those that have what is ``wanted``; None for others."""
    found: list[int | None] = []
    for reference in references:
        read = all(getattr(reference, name) == value for name, value in wanted.items())
        found.append(sum(place is not None for place in found) if read else None)
    return found

"""Sentences of a text, each tied to its nearest on the other side, where they stand in the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Lowest cosines of the stronger steps: five steps can be told apart by eye, and what they mean
# differs from judge to judge anyway. The numbers themselves stand in the tables.
STEPS = (0.3, 0.5, 0.7, 0.85)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its place among its text's sentences.

    ``nearest`` is the place of the sentence of the other side with the highest cosine. ``alone``
    says that no sentence over there has this one as its nearest.
    """

    place: int
    text: str
    nearest: int | None = None
    cosine: float | None = None
    alone: bool = False

    @property
    def step(self) -> int:
        """How near, from 0 to 4 (see ``STEPS``)."""
        return sum((self.cosine or 0.0) >= least for least in STEPS)


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a text: a sentence, or what stands between two."""

    text: str
    sentence: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Alignment:
    """A description and the reference that it was scored against, sentence by sentence.

    ``unsupported`` are the description's sentences that are nearest to none of the reference's,
    ``missed`` the reference's that are nearest to none of the description's. Both follow from the
    order of cosines alone, so they mean the same for every judge. ``option`` is the place of the
    reference among those that the track reads. ``grid`` has the cosines of all pairs, a row for
    each sentence of the description; None where they were not kept.
    """

    option: int
    candidate: tuple[Sentence, ...]
    reference: tuple[Sentence, ...]
    grid: tuple[tuple[float, ...], ...] | None = None

    @property
    def unsupported(self) -> tuple[Sentence, ...]:
        """Said, and nearest to nothing in the reference."""
        return tuple(sentence for sentence in self.candidate if sentence.alone)

    @property
    def missed(self) -> tuple[Sentence, ...]:
        """In the reference, and nearest to nothing that is said."""
        return tuple(sentence for sentence in self.reference if sentence.alone)


def alignment(data: Mapping[str, Any] | None) -> Alignment | None:
    """Evidence of the ``semantic`` protocol, read both ways; None where there is none."""
    if not data or not data.get("reference"):
        return None
    cosines = data.get("cosines")
    return Alignment(
        option=int(data.get("reference_used", 0)),
        candidate=_sentences(data["candidate"], data["candidate_best"], data["reference_best"]),
        reference=_sentences(data["reference"], data["reference_best"], data["candidate_best"]),
        grid=tuple(tuple(cell / 1000 for cell in row) for row in cosines) if cosines else None,
    )


def pieces(text: str, sentences: Sequence[Sentence]) -> Iterator[Piece]:
    """``text`` cut at its sentences; all pieces together are the text.

    A sentence that is not found behind the one before stays part of what is between.
    """
    start = 0
    for sentence in sentences:
        at = text.find(sentence.text, start)
        if at < 0:
            continue
        if at > start:
            yield Piece(text[start:at])
        start = at + len(sentence.text)
        yield Piece(sentence.text, sentence)
    if start < len(text):
        yield Piece(text[start:])


def _sentences(
    texts: Sequence[str], best: Sequence[Sequence[Any]], others: Sequence[Sequence[Any]]
) -> tuple[Sentence, ...]:
    if not best:
        return tuple(Sentence(place, text, alone=True) for place, text in enumerate(texts))
    chosen = {int(index) for index, _ in others}
    return tuple(
        Sentence(place, text, int(index), float(cosine), alone=place not in chosen)
        for place, (text, (index, cosine)) in enumerate(zip(texts, best, strict=True))
    )

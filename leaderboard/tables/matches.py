"""What the ``semantic`` protocol saw on a clip: each sentence with its best counterpart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Match:
    """A sentence, the sentence of the other side nearest to it, and their cosine."""

    sentence: str
    nearest: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Matches:
    """Both directions: ``precision`` over the system's sentences, ``recall`` over the
    reference's, the least covered first.
    """

    precision: tuple[Match, ...]
    recall: tuple[Match, ...]


def matches(data: Mapping[str, Any] | None) -> Matches | None:
    """Evidence to matches; None when the judge saw nothing (an empty description)."""
    if not data or not data.get("candidate"):
        return None
    mine, theirs = data["candidate"], data["reference"]
    precision = _matches(mine, theirs, data["candidate_best"])
    recall = sorted(_matches(theirs, mine, data["reference_best"]), key=lambda m: m.cosine)
    return Matches(precision, tuple(recall))


def _matches(
    sentences: Sequence[str], others: Sequence[str], best: Sequence[Sequence[Any]]
) -> tuple[Match, ...]:
    return tuple(
        Match(sentence, others[int(index)], float(cosine))
        for sentence, (index, cosine) in zip(sentences, best, strict=True)
    )

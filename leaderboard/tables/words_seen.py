"""What the plainer protocols saw on a clip: sentences matched one to one, and words counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from leaderboard.tables.labels import metric_title
from leaderboard.tables.matches import Match


@dataclass(frozen=True, slots=True)
class Pairs:
    """Sentences of both sides as ``embedding_match`` paired them, the highest cosine first.

    ``median`` is CosSent. ``alone`` and ``missed`` are the sentences said, and of the reference,
    that found no partner. ``used`` names, per metric, the reference it is measured against,
    counted from 1 among those that the track reads.
    """

    pairs: tuple[Match, ...]
    median: float
    alone: tuple[str, ...]
    missed: tuple[str, ...]
    used: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Words:
    """How many words ``ngram`` counted in the description, and in each reference that was read."""

    said: int
    references: tuple[int, ...]

    @property
    def shortest(self) -> int:
        """Words of the shortest reference."""
        return min(self.references)

    @property
    def longest(self) -> int:
        """Words of the longest one."""
        return max(self.references)


def pairs_seen(data: Mapping[str, Any] | None) -> Pairs | None:
    """Evidence to pairs; None when the judge saw nothing (an empty description)."""
    if not data or not data.get("pairs"):
        return None
    mine, theirs, pairs = data["candidate"], data["reference"], data["pairs"]
    paired = {int(row) for row, _, _ in pairs}
    met = {int(column) for _, column, _ in pairs}
    return Pairs(
        pairs=tuple(Match(mine[int(r)], theirs[int(c)], float(cosine)) for r, c, cosine in pairs),
        median=median(float(cosine) for _, _, cosine in pairs),
        alone=tuple(text for place, text in enumerate(mine) if place not in paired),
        missed=tuple(text for place, text in enumerate(theirs) if place not in met),
        used=tuple((metric_title(m), place + 1) for m, place in data["references_used"].items()),
    )


def words_seen(data: Mapping[str, Any] | None) -> Words | None:
    """Evidence to counts; None where there is no evidence."""
    if not data or not data.get("reference_words"):
        return None
    return Words(data["words"], tuple(data["reference_words"]))

"""What a reader has chosen to look at: judges, clips, kind of interval. All of it is an address."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leaderboard.models import Clip, Release

if TYPE_CHECKING:
    from django.http import QueryDict

INTERVALS = {
    "percentile": "Percentile interval of the rank, from resampling the clips",
    "simultaneous": "Confidence set of the rank by mean score, for all systems at once",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Empty fields leave nothing out. Durations are in seconds, both ends included; a clip whose
    duration is not known is left out as soon as one end is given. ``systems`` are the slugs of
    those that take part, None for all.
    """

    judges: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    shortest: float | None = None
    longest: float | None = None
    interval: str = "percentile"
    systems: tuple[str, ...] | None = None

    @classmethod
    def parse(cls, query: QueryDict, judges: Sequence[str], categories: Sequence[str]) -> Choice:
        """What an address asks for; what is no judge, category or number is left out."""
        return cls(
            judges=_some(query.getlist("judge"), judges),
            categories=_some(query.getlist("category"), categories),
            shortest=number(query.get("shortest", "")),
            longest=number(query.get("longest", "")),
            interval="simultaneous" if query.get("interval") == "simultaneous" else "percentile",
        )

    @property
    def narrows_clips(self) -> bool:
        """True when clips may be left out."""
        return bool(self.categories) or self.shortest is not None or self.longest is not None

    @property
    def narrows(self) -> bool:
        """True when the table is not the one that was computed for everybody."""
        return self.narrows_clips or bool(self.judges) or self.systems is not None

    @property
    def clip_words(self) -> str:
        """The choice of clips, for a signature; empty when all count."""
        words = [f"category={category}" for category in self.categories]
        words += [] if self.shortest is None else [f"from={self.shortest:g}s"]
        words += [] if self.longest is None else [f"to={self.longest:g}s"]
        return ",".join(words)

    @property
    def words(self) -> str:
        """The choice of clips for a reader, as in "Home or Sport, from 60 s to 300 s"."""
        ends = [("from", self.shortest), ("to", self.longest)]
        said = " ".join(f"{end} {value:g} s" for end, value in ends if value is not None)
        return ", ".join(filter(None, (" or ".join(self.categories), said)))

    def includes(self, clip: Clip) -> bool:
        """Whether a clip counts."""
        if self.categories and clip.category not in self.categories:
            return False
        if self.shortest is None and self.longest is None:
            return True
        if clip.duration is None:
            return False
        return (self.shortest or 0) <= clip.duration <= (self.longest or math.inf)

    def has_system(self, slug: str) -> bool:
        """Whether a system takes part."""
        return self.systems is None or slug in self.systems


def categories_of(release: Release) -> list[str]:
    """The categories of the release's scored clips, by name."""
    found = release.clips.filter(excluded=False).exclude(category="")
    return sorted(found.values_list("category", flat=True).order_by().distinct())


def has_durations(release: Release) -> bool:
    """Whether clips can be told apart by how long they are."""
    return release.clips.filter(excluded=False, duration__isnull=False).exists()


def _some(asked: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Those of ``known`` that are asked for; none when all or none are."""
    found = tuple(name for name in known if name in set(asked))
    return () if len(found) == len(known) else found


def number(text: str) -> float | None:
    """A positive number; None for anything else."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None

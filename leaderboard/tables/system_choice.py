"""Which systems a reader wants to see side by side. All of it is an address.

A table of some systems is a table of its own: Borda counts who is left behind, so ranks, points and
intervals are computed again among those that are shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from leaderboard.models import Ranking, System
from leaderboard.tables.choice import Choice, number
from leaderboard.tables.keeping import kept_by
from leaderboard.tables.system_facts import SystemFacts, facts_of, systems_stamp

if TYPE_CHECKING:
    from django.http import QueryDict

KEPT_SECONDS = 600
WEIGHTS = {"open": "Open weights", "closed": "Closed weights"}
PARAMETERS = ("family", "organisation", "weights", "smallest", "largest", "since", "until")


@dataclass(frozen=True, slots=True)
class SystemChoice:
    """Empty fields leave nobody out. Sizes are billions of parameters, days those of the upload
    that counts, both ends included; a system whose fact is not known is left out as soon as that
    fact is asked for. Rows for comparison (people, chance) stay.
    """

    families: tuple[str, ...] = ()
    organisations: tuple[str, ...] = ()
    weights: str = ""
    smallest: float | None = None
    largest: float | None = None
    since: date | None = None
    until: date | None = None

    @classmethod
    def parse(cls, query: QueryDict) -> SystemChoice:
        """What an address asks for; what is no number or day is left out."""
        weights = query.get("weights", "")
        return cls(
            families=_texts(query.getlist("family")),
            organisations=_texts(query.getlist("organisation")),
            weights=weights if weights in WEIGHTS else "",
            smallest=number(query.get("smallest", "")),
            largest=number(query.get("largest", "")),
            since=_day(query.get("since", "")),
            until=_day(query.get("until", "")),
        )

    @property
    def narrows(self) -> bool:
        """True when systems may be left out."""
        return self != SystemChoice()

    def among(self, facts: Iterable[SystemFacts]) -> SystemChoice:
        """Without families and organisations that none of the systems has."""
        there = list(facts)
        families = {fact.family for fact in there}
        organisations = {fact.organisation for fact in there}
        return replace(
            self,
            families=tuple(name for name in self.families if name in families),
            organisations=tuple(name for name in self.organisations if name in organisations),
        )

    def includes(self, facts: SystemFacts | None) -> bool:
        """Whether a system is shown; one of which nothing is known is not."""
        if facts is None:
            return False
        if facts.reference:
            return True
        return (
            (not self.families or facts.family in self.families)
            and (not self.organisations or facts.organisation in self.organisations)
            and (not self.weights or facts.weights == self.weights)
            and _within(facts.billions, self.smallest, self.largest)
            and _within(facts.day, _number(self.since), _number(self.until))
        )

    @property
    def words(self) -> str:
        """The choice for a reader, as in "Qwen2.5 or LLaVA; open weights; from 7B to 13B"."""
        sizes = [("from", self.smallest), ("to", self.largest)]
        days = [("since", self.since), ("until", self.until)]
        parts = (
            " or ".join(self.families),
            " or ".join(self.organisations),
            WEIGHTS.get(self.weights, "").lower(),
            " ".join(f"{end} {value:g}B" for end, value in sizes if value is not None),
            " ".join(f"{end} {day:%Y-%m-%d}" for end, day in days if day is not None),
        )
        return "; ".join(filter(None, parts))


def choose_systems(choice: Choice, ranking: Ranking, asked: SystemChoice) -> Choice:
    """``choice`` with the systems of ``ranking`` that are asked for.

    Who that is is kept until a system changes, so that rows need not be read to know it.
    """
    if not asked.narrows:
        return choice
    content = (ranking.pk, ranking.content, asked, systems_stamp())
    systems = kept_by(
        "systems-chosen", content, lambda: _chosen(ranking.rows, asked), seconds=KEPT_SECONDS
    )
    return replace(choice, systems=systems)


def _chosen(rows: Sequence[Mapping[str, Any]], asked: SystemChoice) -> tuple[str, ...] | None:
    facts = facts_of(rows, dated=bool(asked.since or asked.until))
    wanted = asked.among(facts.values())
    if not wanted.narrows:
        return None
    found = tuple(row["system"] for row in rows if wanted.includes(facts.get(row["system"])))
    return None if len(found) == len(rows) else tuple(sorted(found))


def values_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """What can be chosen among a ranking's rows: their families and organisations, by name."""
    systems = System.objects.filter(slug__in=[row["system"] for row in rows]).order_by()
    found = list(systems.values_list("family", "organisation").distinct())
    return {
        "families": sorted({family for family, _ in found} - {""}, key=str.casefold),
        "organisations": sorted({name for _, name in found} - {""}, key=str.casefold),
    }


def _within(value: float | None, low: float | None, high: float | None) -> bool:
    if low is None and high is None:
        return True
    if value is None:
        return False
    return (-math.inf if low is None else low) <= value <= (math.inf if high is None else high)


def _number(day: date | None) -> int | None:
    return day.toordinal() if day else None


def _texts(asked: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted({text for text in asked if text}))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None

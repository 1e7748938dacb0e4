"""Rankings as far as short tables need them: single rows, and how many there are.

A worker stores both beside each newest ranking. They are read while nothing that the ranking shows
has been hidden, unnamed or withdrawn since; until it is ranked again then, and of rankings that
have none, from the ranking itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from leaderboard.models import Digest, RankedRow, Ranking
from leaderboard.pipeline import digest, visible
from leaderboard.tables.standing import as_shown

Raw = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Head:
    """How many rows a ranking shows, how many of them have places, and whether with intervals."""

    systems: int
    places: int
    has_intervals: bool


class Heads:
    """Several rankings at once; the number of queries does not depend on how many.

    ``rankings`` come without their heavy fields and with their tracks, releases and benchmarks.
    """

    def __init__(self, rankings: Iterable[Ranking]) -> None:
        self.rankings = {ranking.pk: ranking for ranking in rankings}
        light = [r for r in self.rankings.values() if "rows" in r.get_deferred_fields()]
        self._stored = fresh(light)
        behind = [ranking for ranking in light if ranking.pk not in self._stored]
        _read(behind)

    def of(self, ranking: Ranking) -> Head:
        """What is known of one."""
        if (stored := self._stored.get(ranking.pk)) is not None:
            return Head(stored["systems"], stored["places"], stored["has_intervals"])
        rows = ranking.rows
        return Head(
            systems=len(rows),
            places=sum(row["rank"] is not None for row in rows),
            has_intervals=any(row["rank_low"] is not None for row in rows),
        )

    def rows(
        self, *, first: int = 0, systems: Collection[str] = (), submissions: Collection[str] = ()
    ) -> dict[int, list[Raw]]:
        """By ranking, in their order: the ``first`` rows, and those of systems or submissions."""
        found: dict[int, list[Raw]] = {pk: [] for pk in self.rankings}
        wanted = Q(at__lt=first) | Q(system__in=systems) | Q(submission__in=submissions)
        stored = RankedRow.objects.filter(wanted, ranking__in=self._stored)
        for pk, row in stored.values_list("ranking_id", "data"):
            found[pk].append(row)
        for pk in self.rankings.keys() - self._stored.keys():
            found[pk] = [
                row
                for at, row in enumerate(self.rankings[pk].rows)
                if at < first
                or row["system"] in systems
                or (row.get("submission") or "-") in submissions
            ]
        return found


def fresh(rankings: Collection[Ranking]) -> dict[int, dict[str, Any]]:
    """Of those whose digest says what may be shown now, by id what it has as their head."""
    stored = Digest.objects.filter(ranking__in=rankings)
    found = {pk: rest for pk, *rest in stored.values_list("ranking_id", "as_of", "stamp", "head")}
    if not found:
        return {}
    asked = {one.pk: (one.track.release, found[one.pk][0]) for one in rankings if one.pk in found}
    now = visible.stamps(asked)
    return {pk: head for pk, (_, stamp, head) in found.items() if now[pk] == stamp}


def packed(ranking: Ranking) -> digest.Packed | None:
    """The compact arrays of a ranking, None where it has none."""
    data = Digest.objects.filter(ranking=ranking).values_list("arrays", flat=True).first()
    return digest.Packed.of(data) if data else None


def _read(rankings: Sequence[Ranking]) -> None:
    """The rows of all of them, as they may be shown now."""
    if not rankings:
        return
    rows = dict(Ranking.objects.filter(pk__in=[r.pk for r in rankings]).values_list("pk", "rows"))
    for ranking in rankings:
        ranking.rows = rows[ranking.pk]
    as_shown(rankings)

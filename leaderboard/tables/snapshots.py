"""Stored rankings beside the ones before them, from what was stored with them as different.

Rankings of older releases, and those whose neighbour is gone, are compared whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from leaderboard.models import Digest, Ranking
from leaderboard.pipeline import digest
from leaderboard.pipeline.rank_rows import Row
from leaderboard.tables.history import GONE, Snapshot
from leaderboard.tables.standing import Seen, seen_on, unseen


@dataclass(frozen=True, slots=True)
class Pair:
    """A ranking and the one before it, None of the first. Of what both have in common there is
    nothing in their entries; their places are complete where they were asked for.
    """

    ranking: Ranking
    systems: int
    after: Snapshot
    before: Snapshot | None


def pairs(
    rankings: Sequence[Ranking], older: Ranking | None, *, places: bool = False
) -> tuple[Pair, ...]:
    """Each of ``rankings`` of one track, the newest first; ``older`` is before all of them.

    The number of queries is fixed, and the rankings' heavy fields are not read where what is stored
    with them will do.
    """
    whole = [*rankings, *([older] if older else [])]
    stored = Digest.objects.filter(ranking__in=whole)
    found = {one.ranking_id: one for one in (stored if places else stored.defer("arrays"))}
    beside = [(after, before) for after, before in pairwise([*whole, None]) if after in rankings]
    lacking = [pair for pair in beside if not _is_told(*pair, found)]
    seen = seen_on({ranking.track_id for ranking in whole})
    needed = {one.pk for pair in lacking for one in pair if one}
    heavy = {
        one.pk: Snapshot.of(one.inputs or {}, one.rows, _gone(one.rows, seen))
        for one in (Ranking.objects.filter(pk__in=needed) if needed else ())
    }
    indexes = {pk: _Index.of(one, seen) for pk, one in found.items()} if places else {}
    made = []
    for after, before in beside:
        if after is None:
            continue
        if (after, before) in lacking:
            snapshot = heavy[after.pk]
            earlier = heavy[before.pk] if before else None
            made.append(Pair(after, len(snapshot.places), snapshot, earlier))
            continue
        one = found[after.pk]
        step = one.step if before and one.step else {"after": NOTHING, "before": NOTHING}
        snapshot = _cut(step["after"], indexes.get(after.pk), seen)
        earlier = _cut(step["before"], indexes.get(before.pk), seen) if before else None
        made.append(Pair(after, one.head["systems"], snapshot, earlier))
    return tuple(made)


NOTHING: Mapping[str, Any] = {"inputs": {}, "rows": []}


def _is_told(after: Ranking | None, before: Ranking | None, found: Mapping[int, Digest]) -> bool:
    """Whether what was stored with a ranking says how it differs from the one before."""
    one = found.get(after.pk) if after else None
    if one is None:
        return False
    return before is None or (one.previous == before.pk and before.pk in found)


@dataclass(frozen=True, slots=True)
class _Index:
    """Every row's system, place and name."""

    places: Mapping[str, int | None]
    names: Mapping[str, str]
    hidden: frozenset[str]

    @classmethod
    def of(cls, stored: Digest, seen: Mapping[str, Seen]) -> _Index:
        packed = digest.Packed.of(stored.arrays)
        systems, names, submissions = (packed.texts(name) for name in digest.TEXTS)
        rows = zip(systems, submissions, strict=True)
        hidden = frozenset(
            system
            for system, submission in rows
            if submission and unseen({"system": system, "submission": submission}, seen)
        )
        return cls(
            places={
                system: int(rank) or None
                for system, rank in zip(systems, packed["ranks"].tolist(), strict=True)
            },
            names={
                system: GONE if system in hidden else name
                for system, name in zip(systems, names, strict=True)
            },
            hidden=hidden,
        )


def _cut(side: Mapping[str, Any], index: _Index | None, seen: Mapping[str, Seen]) -> Snapshot:
    found = Snapshot.of(side["inputs"], side["rows"], _gone(side["rows"], seen))
    if index is None:
        return found
    return replace(found, places=index.places, names=index.names, hidden=index.hidden)


def _gone(rows: Iterable[Row], seen: Mapping[str, Seen]) -> set[str]:
    """Submissions of the rows that may not be seen any more as the rows have them."""
    return {str(r["submission"]) for r in rows if r.get("submission") and unseen(r, seen)}

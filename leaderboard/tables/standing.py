"""Stored rankings as they may be shown now: the only way for a table to its newest ranking.

A ranking is computed by a worker, some time after an owner or a curator has hidden, withdrawn or
unnamed a submission. Until then its rows are brought here to what may be seen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField
from django.db.models.functions import Cast
from django.utils import timezone

from leaderboard.models import Names, Ranking, Release, Submission, Track
from leaderboard.models.pseudonym import pseudonym
from leaderboard.models.submission import nameless
from leaderboard.pipeline import visible
from leaderboard.pipeline.rank_rows import UNPLACED, Row, mark_of

_READ = ("system_id", "release_id", "visibility", "named_from", "withdrawn_at")


@dataclass(frozen=True, slots=True)
class Seen:
    """How a submission may be shown: under a pseudonym, where it has one; taken back or not."""

    hidden: Names | None
    withdrawn: bool


_PLAIN = Seen(hidden=None, withdrawn=False)


def newest_shown(track: Track, provenance: str) -> Ranking | None:
    """The newest ranking of a track as it may be shown now."""
    found = Ranking.objects.latest_of(track, provenance)
    if found is not None:
        found.track = track
        as_shown([found])
    return found


def as_shown(rankings: Iterable[Ranking]) -> None:
    """Bring rankings in memory to what may be seen of them now, with one query for all.

    A row whose submission is not open to all any more goes, one that has become anonymous gets its
    pseudonym, one that was withdrawn and goes on being shown loses its place. Those behind move up;
    their intervals are widened to what is certain: without n others a rank is at most n better.
    Numbers stay as they were computed, until a worker computes them again.
    """
    found = list(rankings)
    seen = seen_now(found)
    for ranking in found:
        _bring_up_to_date(ranking, seen)


def stamp(release: Release) -> str:
    """Changes with whatever ``as_shown`` may do to a ranking of the release; two small queries."""
    return visible.stamp(release)


def seen_now(rankings: Collection[Ranking]) -> Mapping[str, Seen]:
    """What may be seen of the rankings' submissions, by id; those not in it may not be."""
    if not any(row.get("submission") for ranking in rankings for row in ranking.rows):
        return {}
    return seen_on({ranking.track_id for ranking in rankings})


def seen_on(track_ids: Collection[int]) -> Mapping[str, Seen]:
    """What may be seen of all submissions to the tracks' releases."""
    now = timezone.now()
    tracks = Track.objects.filter(pk__in=track_ids)
    open_now = Submission.objects.open_to_all().filter(release__in=tracks.values("release"))
    # As text: a thousand UUID objects cost more than the query.
    rows = open_now.order_by().values_list(Cast("pk", CharField()), *_READ)
    return {
        _dashed(pk): _PLAIN
        if visibility == Submission.Visibility.PUBLIC and withdrawn is None
        else Seen(
            pseudonym(system, release) if nameless(visibility, named_from, now) else None,
            withdrawn is not None,
        )
        for pk, system, release, visibility, named_from, withdrawn in rows
    }


def _dashed(pk: str) -> str:
    """An id as the database has it for text, with dashes or without, as rankings have it."""
    if len(pk) == 36:
        return pk
    return f"{pk[:8]}-{pk[8:12]}-{pk[12:16]}-{pk[16:20]}-{pk[20:]}"


def unseen(row: Row, seen: Mapping[str, Seen]) -> bool:
    """Whether the row, as it is, shows what may not be seen."""
    of_it = seen.get(str(row["submission"]))
    return of_it is None or (of_it.hidden is not None and of_it.hidden.slug != row["system"])


def _bring_up_to_date(ranking: Ranking, seen: Mapping[str, Seen]) -> None:
    taken = {row["system"] for row in ranking.rows}
    changes: dict[str, Row | None] = {}
    for row in ranking.rows:
        if row.get("submission") and (change := _change(row, seen, taken)) != {}:
            changes[row["system"]] = change
    if not changes:
        return
    ranking.rows = _moved_up(ranking.rows, changes)
    if "inputs" not in ranking.get_deferred_fields():
        entries = [
            entry | (changes.get(entry["system"]) or {})
            for entry in ranking.inputs["entries"]
            if changes.get(entry["system"], {}) is not None
        ]
        ranking.inputs = ranking.inputs | {"entries": entries}
    said = repr(sorted((system, str(change)) for system, change in changes.items()))
    ranking.changes = hashlib.sha256(said.encode()).hexdigest()


def _change(row: Row, seen: Mapping[str, Seen], taken: Collection[str]) -> dict[str, Any] | None:
    """What a row, and its entry, say now; None where they go."""
    of_it = seen.get(str(row["submission"]))
    if of_it is None:
        return None
    change: dict[str, Any] = {}
    if of_it.hidden is not None and of_it.hidden.slug != row["system"]:
        if of_it.hidden.slug in taken:  # of an anonymous system one row is shown
            return None
        change = {"system": of_it.hidden.slug, "name": of_it.hidden.name}
    if of_it.withdrawn and not row.get("withdrawn"):
        change["withdrawn"] = True
    return change


def _moved_up(rows: Iterable[Row], changes: Mapping[str, Row | None]) -> list[Row]:
    stays: list[Row] = []
    taken_back: list[Row] = []
    free: list[float] = []
    for row in rows:
        change = changes.get(row["system"], {})
        goes = change is None or "withdrawn" in change
        if goes and row["rank"] is not None:
            free.append(row["rank"])
        if change is not None:
            (taken_back if goes else stays).append(row | change)
    places = sum(row["rank"] is not None for row in stays)
    stays = [_up(row, free, places) if free else row for row in stays]
    competing = [row for row in stays if not mark_of(row)]
    marked = [row for row in stays if mark_of(row)]
    return [*competing, *(row | UNPLACED for row in taken_back), *marked]


def _up(row: Row, free: Collection[float], places: int) -> Row:
    if row["rank"] is None:
        return row
    moved = row | {"rank": row["rank"] - sum(rank < row["rank"] for rank in free)}
    if row["rank_low"] is not None:
        moved["rank_low"] = max(1, row["rank_low"] - len(free))
        moved["rank_high"] = min(places, row["rank_high"])
    return moved

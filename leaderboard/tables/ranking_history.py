"""Stored rankings of a track: the one of a day, their list, and one system's way through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import QuerySet
from django.utils.dateparse import parse_date, parse_datetime

from leaderboard.models import Ranking, Track
from leaderboard.tables.history import Event, Snapshot, Why, changes, why
from leaderboard.tables.withheld import redacted, withheld, withheld_in

LOOKED_BACK = 300
"""Stored rankings that a system's history goes through, the newest."""


@dataclass(frozen=True, slots=True)
class Step:
    """A stored ranking, and what is new in it; ``first`` when nothing was before it."""

    ranking: Ranking
    systems: int
    events: tuple[Event, ...]
    first: bool = False


@dataclass(frozen=True, slots=True)
class SystemStep:
    """A stored ranking in which a system's place or what it follows from changed, and why."""

    ranking: Ranking
    name: str
    places: int
    why: Why


def moment_of(text: str) -> datetime | None:
    """The last moment that ``2026-11-30`` (its end, by UTC) or a whole ISO moment means.

    None for what is neither.
    """
    try:
        day = parse_date(text)
        moment = None if day else parse_datetime(text.replace(" ", "+"))
    except ValueError:
        return None
    if day is not None:
        return _end_of(day)
    if moment is None:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def ranking_at(track: Track, provenance: str, moment: datetime) -> Ranking | None:
    """The newest ranking computed by ``moment``, with what is not public any more withheld."""
    stored = rankings_of(track, provenance).filter(computed_at__lte=moment).first()
    if stored is None:
        return None
    stored.track = track
    return redacted(stored, withheld(stored))


def rankings_of(track: Track, provenance: str) -> QuerySet[Ranking]:
    """All that were stored, the newest first."""
    return Ranking.objects.filter(track=track, provenance=provenance).order_by(
        "-computed_at", "-pk"
    )


def steps(rankings: Sequence[Ranking], older: Ranking | None) -> tuple[Step, ...]:
    """Each of ``rankings`` (the newest first) beside the one before it; ``older`` is before all."""
    whole = [*rankings, *([older] if older else [])]
    seen = _snapshots(whole)
    found = []
    for at, ranking in enumerate(rankings):
        first = at + 1 == len(whole)
        events = () if first else _public(changes(seen[at + 1], seen[at]), seen[at : at + 2])
        found.append(Step(ranking, len(seen[at].places), events, first))
    return tuple(found)


def way_of(track: Track, provenance: str, system: str) -> tuple[SystemStep, ...]:
    """What became of a system and why, the newest first; empty when no ranking shows it by name."""
    rankings = list(rankings_of(track, provenance)[:LOOKED_BACK])
    seen = _snapshots(rankings)
    found = []
    for at, ranking in enumerate(rankings):
        after = seen[at]
        before = seen[at + 1] if at + 1 < len(rankings) else None
        if system in after.hidden or (before and system in before.hidden):
            continue
        said = why(before, after, system) if before else _at_first(after, system)
        if said is None or not (said.moved or said.reasons):
            continue
        name = after.names.get(system) or (before or after).names.get(system, system)
        places = sum(place is not None for place in after.places.values())
        found.append(SystemStep(ranking, name, places, said))
    return tuple(found)


def _at_first(snapshot: Snapshot, system: str) -> Why | None:
    """The beginning of what is looked at."""
    if system not in snapshot.places:
        return None
    return Why(None, snapshot.places[system], ("It stands in the first table that is kept.",))


def _public(events: tuple[Event, ...], both: Sequence[Snapshot]) -> tuple[Event, ...]:
    """Without the slugs of what is withheld; the words name nobody already."""
    hidden = frozenset[str]().union(*(one.hidden for one in both))
    return tuple(replace(event, system="") if event.system in hidden else event for event in events)


def _snapshots(rankings: Sequence[Ranking]) -> list[Snapshot]:
    hidden = withheld_in(rankings)
    return [Snapshot.of(one.inputs or {}, one.rows, hidden[one.pk]) for one in rankings]


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), UTC) - timedelta(microseconds=1)

"""Stored rankings of a track: the one of a day, their list, and one system's way through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import QuerySet
from django.utils.dateparse import parse_date, parse_datetime

from leaderboard.models import Digest, Ranking, Track
from leaderboard.models.ranking import HEAVY
from leaderboard.tables.history import Event, Snapshot, Why, changes, why
from leaderboard.tables.snapshots import Pair, pairs
from leaderboard.tables.withheld import redacted, withheld

LOOKED_BACK, FEWEST = 300, 10
"""Stored rankings that a system's history goes through, the newest: at most, and at least."""
MOST_ROWS = 500_000
"""Of which it goes through no more rows in all."""


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


@dataclass(frozen=True, slots=True)
class Way:
    """A system's steps through the newest ``rankings``; ``cut`` where older ones are left out."""

    steps: tuple[SystemStep, ...]
    rankings: int
    cut: bool


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


def light(rankings: QuerySet[Ranking]) -> QuerySet[Ranking]:
    """Without their heavy fields."""
    return rankings.defer(*HEAVY)


def steps(rankings: Sequence[Ranking], older: Ranking | None) -> tuple[Step, ...]:
    """Each of ``rankings`` (the newest first) beside the one before it; ``older`` is before all."""
    found = []
    for pair in pairs(rankings, older):
        events = _public(changes(pair.before, pair.after), pair) if pair.before else ()
        found.append(Step(pair.ranking, pair.systems, events, pair.before is None))
    return tuple(found)


def way_of(track: Track, provenance: str, system: str) -> Way:
    """What became of a system and why, the newest first; no steps when no ranking shows it by
    name. Of a long table fewer rankings are gone through.
    """
    rankings = list(light(rankings_of(track, provenance))[: LOOKED_BACK + 1])
    heads = Digest.objects.filter(ranking__in=rankings[:1]).values_list("head", flat=True)
    longest = max([head["systems"] for head in heads], default=1)
    most = min(LOOKED_BACK, max(FEWEST, MOST_ROWS // max(longest, 1)))
    looked, older = rankings[:most], next(iter(rankings[most:]), None)
    found = []
    for pair in pairs(looked, older, places=True):
        before, after = pair.before, pair.after
        if system in after.hidden or (before and system in before.hidden):
            continue
        said = why(before, after, system) if before else _at_first(after, system)
        if said is None or not (said.moved or said.reasons):
            continue
        name = after.names.get(system) or (before or after).names.get(system, system)
        places = sum(place is not None for place in after.places.values())
        found.append(SystemStep(pair.ranking, name, places, said))
    return Way(tuple(found), len(looked), older is not None)


def _at_first(snapshot: Snapshot, system: str) -> Why | None:
    """The beginning of what is looked at."""
    if system not in snapshot.places:
        return None
    return Why(None, snapshot.places[system], ("It stands in the first table that is kept.",))


def _public(events: tuple[Event, ...], pair: Pair) -> tuple[Event, ...]:
    """Without the slugs of what is withheld; the words name nobody already."""
    hidden = pair.after.hidden | (pair.before.hidden if pair.before else frozenset())
    return tuple(replace(event, system="") if event.system in hidden else event for event in events)


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), UTC) - timedelta(microseconds=1)

"""Benchmarks with what stands at the top of their tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, OuterRef, Q, Subquery

from leaderboard import access
from leaderboard.models import Benchmark, Ranking, Release, Track
from leaderboard.models.ranking import HEAVY
from leaderboard.tables.board import VERIFIED_FIRST, Row, board
from leaderboard.tables.heads import Heads, Raw
from leaderboard.tables.system_facts import SystemFacts, facts_of

TOP = 5


@dataclass(frozen=True, slots=True)
class TopTable:
    """The best rows of a track's newest ranking; ``ranking`` is None while there is none.

    ``heads`` has been asked about it, and about all others of the same list.
    """

    track: Track
    ranking: Ranking | None
    rows: tuple[Row, ...] = ()
    systems: int = 0
    places: int = 0
    has_intervals: bool = False
    mean: str = ""
    is_of_pairs: bool = False
    heads: Heads | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A benchmark as it stands in a list: its newest release, and its tables' best rows."""

    benchmark: Benchmark
    release: Release
    clips: int
    tables: tuple[TopTable, ...]


def cards(
    benchmarks: Iterable[Benchmark] | None = None, *, viewer: access.Viewer
) -> tuple[Card, ...]:
    """A card for each benchmark with a published release; the number of queries is fixed.

    Of a release under embargo it has no rankings, unless ``viewer`` curates it.
    Rows have the card of their system where it has one; a pseudonym has none.
    """
    shown = list(access.benchmarks() if benchmarks is None else benchmarks)
    newest = {benchmark: benchmark.releases.all()[0] for benchmark in shown}
    open_ones = [one for one in newest.values() if access.shows_scores(viewer, one)]
    tracks = [track for release in open_ones for track in _current(release)]
    tops = _tops(newest_rankings(tracks))
    counted = Count("clips", filter=Q(clips__excluded=False))
    clips = dict(
        Release.objects.filter(pk__in=[release.pk for release in newest.values()])
        .annotate(scored=counted)
        .values_list("pk", "scored")
    )
    made = tuple(
        Card(
            benchmark=benchmark,
            release=release,
            clips=clips[release.pk],
            tables=tuple(one for track in _current(release) for one in _tables(track, tops)),
        )
        for benchmark, release in newest.items()
    )
    stands = {row.system for card in made for table in card.tables for row in table.rows}
    facts = facts_of([{"system": slug} for slug in stands], dated=False) if stands else {}
    return tuple(replace(card, tables=_with_facts(card.tables, facts)) for card in made)


def _with_facts(
    tables: Iterable[TopTable], facts: Mapping[str, SystemFacts]
) -> tuple[TopTable, ...]:
    return tuple(
        replace(t, rows=tuple(replace(row, card=facts.get(row.system)) for row in t.rows))
        for t in tables
    )


def _current(release: Release) -> list[Track]:
    """Its tracks without those that another version has replaced."""
    tracks = list(release.tracks.all())
    replaced = {track.replaces_id for track in tracks}
    return [track for track in tracks if track.pk not in replaced]


def newest_rankings(tracks: Iterable[Track]) -> list[Ranking]:
    """The newest ranking of each track and provenance without its ``HEAVY`` fields; one query."""
    same = Ranking.objects.filter(track=OuterRef("track"), provenance=OuterRef("provenance"))
    newest = Subquery(same.order_by("-computed_at", "-pk").values("pk")[:1])
    found = Ranking.objects.filter(track__in=list(tracks), pk=newest)
    return list(found.select_related("track__release__benchmark").defer(*HEAVY))


def _tops(rankings: Sequence[Ranking]) -> dict[tuple[int, str], TopTable]:
    """By track and provenance; a fixed number of queries."""
    heads = Heads(rankings)
    rows = heads.rows(first=TOP)
    return {(one.track_id, one.provenance): _top(one, heads, rows[one.pk]) for one in rankings}


def _top(ranking: Ranking, heads: Heads, rows: list[Raw]) -> TopTable:
    first = Ranking(track=ranking.track, provenance=ranking.provenance, rows=rows)
    table, head = board(first, cards=False), heads.of(ranking)
    return TopTable(
        ranking.track,
        ranking,
        table.rows,
        head.systems,
        head.places,
        head.has_intervals,
        table.mean.title,
        table.is_of_pairs,
        heads,
    )


def _tables(track: Track, tops: Mapping[tuple[int, str], TopTable]) -> list[TopTable]:
    """One table for each provenance that the track has numbers of, verified first."""
    found = [tops.get((track.pk, provenance)) for provenance in VERIFIED_FIRST]
    return [table for table in found if table is not None] or [TopTable(track, None)]

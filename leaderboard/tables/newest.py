"""The newest results on the boards of the benchmarks that a page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from leaderboard.models import Provenance, Ranking, Submission
from leaderboard.tables.benchmarks import Card
from leaderboard.tables.labels import metric_title
from leaderboard.tables.system import known_slugs

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Newest:
    """A submission that has come to a board, by the name that the board has for it.

    ``known``: the name is that of a system, which has a page; a pseudonym has none.
    """

    at: datetime
    system: str
    name: str
    known: bool
    ranking: Ranking
    rank: int | None
    places: int
    mean: float | None
    metric: str


def newest(cards: Sequence[Card]) -> tuple[Newest, ...]:
    """The latest submissions that stand in the verified tables of ``cards``, latest first.

    Each once, in the first of its tables. A submission that was taken back since the table was made
    is not shown.
    """
    shown = [
        (table.ranking, table.heads)
        for card in cards
        for table in card.tables
        if table.ranking is not None
        and table.heads is not None
        and table.ranking.provenance == Provenance.VERIFIED
    ]
    if not shown:
        return ()
    rankings, heads = [ranking for ranking, _ in shown], shown[0][1]
    releases = {ranking.track.release_id for ranking in rankings}
    sent = Submission.objects.on_the_board().filter(release__in=releases, runs__state="done")
    # Some of the latest may not be ranked yet, or have been followed by a newer one.
    latest = sent.distinct().order_by("-created_at").values_list("pk", "created_at")[: 10 * SHOWN]
    when = {str(pk): at for pk, at in latest}
    theirs = heads.rows(submissions=when.keys())
    rows = {
        str(row["submission"]): (ranking, row)
        for ranking in reversed(rankings)
        for row in theirs[ranking.pk]
    }
    found = [(at, *rows[pk]) for pk, at in when.items() if pk in rows][:SHOWN]
    known = known_slugs(row["system"] for _, _, row in found) if found else frozenset()
    return tuple(
        Newest(
            at=at,
            system=row["system"],
            name=row["name"],
            known=row["system"] in known,
            ranking=ranking,
            rank=row["rank"],
            places=heads.of(ranking).places,
            mean=row["mean"].get(ranking.track.primary_metric),
            metric=metric_title(ranking.track.primary_metric),
        )
        for at, ranking, row in found
    )

"""How far judges that answer differently from call to call spread, for the systems of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from leaderboard.models import Ranking, Run, Track
from leaderboard.tables.labels import judge_title
from leaderboard.tables.runs import SpreadOf, remarks


@dataclass(frozen=True, slots=True)
class SpreadLine:
    """A system's means by one judge that judged everything several times; the first one counts."""

    system: str
    judge: str
    spread: SpreadOf


def spreads(ranking: Ranking, metric: str) -> tuple[SpreadLine, ...]:
    """A line for each system and judge of the table that was judged several times, best first.

    Only tracks of facts are; for others nothing is looked up.
    """
    if ranking.track.protocol != Track.Protocol.FACTS:
        return ()
    # What a paper reports has no runs.
    entries: Mapping[str, Mapping[str, int]] = {
        entry["system"]: entry.get("runs", {}) for entry in ranking.inputs["entries"]
    }
    wanted = [key for its_runs in entries.values() for key in its_runs.values()]
    runs = (
        Run.objects.filter(pk__in=wanted).only("judge", "summary", "failures", "counts").in_bulk()
    )
    return tuple(
        SpreadLine(row["name"], judge_title(judge), spread)
        for row in ranking.rows
        for judge, key in entries.get(row["system"], {}).items()
        if key in runs
        for spread in remarks(runs[key]).spread
        if spread.metric == metric
    )

"""What runs that are still to be done will take, by what past ones took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F

from leaderboard.models import Run, Track

SECONDS_PER_HOUR = 3600


@dataclass(frozen=True, slots=True)
class JudgeCost:
    """Runs of one judge under one protocol; ``hours`` is None where it has never finished one."""

    judge: str
    protocol: str
    runs: int
    hours: float | None
    known_from: int


@dataclass(frozen=True, slots=True)
class Cost:
    """All of them. ``hours`` counts those that are known, ``unknown`` the runs that are not."""

    judges: tuple[JudgeCost, ...]

    @property
    def runs(self) -> int:
        """How many there are."""
        return sum(one.runs for one in self.judges)

    @property
    def hours(self) -> float:
        """Hours of judges that have finished runs before."""
        return sum(one.hours for one in self.judges if one.hours is not None)

    @property
    def unknown(self) -> int:
        """Runs of judges of which nothing is known."""
        return sum(one.runs for one in self.judges if one.hours is None)


def cost_of(runs: Iterable[tuple[Track, str]]) -> Cost:
    """The cost of (track, judge) runs.

    A run is taken to last as long as the finished runs of its judge under the protocol did on this
    site, from claim to end, on average.
    """
    wanted = Counter((judge, track.protocol) for track, judge in runs)
    took = ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField())
    past = (
        Run.objects.done()
        .filter(judge__in={judge for judge, _ in wanted}, started_at__isnull=False)
        .order_by()
        .values("judge", "track__protocol")
        .annotate(mean=Avg(took), count=Count("pk"))
    )
    known = {
        (row["judge"], row["track__protocol"]): (row["mean"].total_seconds(), row["count"])
        for row in past
        if row["mean"] is not None
    }
    return Cost(tuple(_one(*key, count, known.get(key)) for key, count in sorted(wanted.items())))


def _one(judge: str, protocol: str, runs: int, past: tuple[float, int] | None) -> JudgeCost:
    if past is None:
        return JudgeCost(judge, protocol, runs, None, 0)
    seconds, count = past
    return JudgeCost(judge, protocol, runs, runs * seconds / SECONDS_PER_HOUR, count)

"""How far a run is: what waits before it, how long it will take, when it was last heard of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from leaderboard.models import Run

RECENT = 200
"""Finished runs that durations are taken from."""
PACE_AFTER = 5.0
"""Seconds of work after which a run's own pace says more than what others took."""
LATELY = timedelta(minutes=15)
"""A judge of which nothing was heard for so long is said to have no worker."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An open run as its submitter sees it.

    ``before`` is how many queued runs its judge does first; None for one that is being worked on.
    ``seconds`` estimates the time until it is through, None when nothing is known to tell from. Of
    one that waits it is the least: a worker may serve other judges besides, whose runs it does too.
    ``attended`` is false when no worker has been heard of for this judge lately.
    """

    before: int | None
    seconds: float | None
    attended: bool

    @property
    def place(self) -> int | None:
        """Place in the queue of its judge, from 1."""
        return None if self.before is None else self.before + 1


@dataclass(frozen=True, slots=True)
class _Judge:
    """What is known of a judge: how long its runs take, how many workers are at it, when heard."""

    duration: float | None
    working: int
    heard: datetime | None


@dataclass(frozen=True, slots=True)
class LogLine:
    """What a worker did with a run, and when."""

    at: datetime
    judge: str
    sentence: str


def log_of(runs: Sequence[tuple[str, Run]]) -> tuple[LogLine, ...]:
    """The logs of runs, each with its judge's title, as one: the oldest line first."""
    lines = [
        LogLine(datetime.fromisoformat(at), title, sentence)
        for title, run in runs
        for at, sentence in run.log
    ]
    return tuple(sorted(lines, key=lambda line: line.at))


def waiting(runs: Sequence[Run], *, now: datetime) -> dict[int, Waiting]:
    """Run id to how it stands, for those of ``runs`` that are open; three queries for all.

    A run that is worked on is estimated from its own pace once it has one, else from the median
    duration of its judge's last runs under the same protocol; one that waits from those before it
    and the workers that are at that judge now.
    """
    still_open = [run for run in runs if not run.is_final]
    if not still_open:
        return {}
    before = _before(still_open)
    judges = _judges(still_open)
    return {run.pk: _waiting(run, before.get(run.pk, 0), judges, now) for run in still_open}


def remaining(run: Run, usual: float | None, now: datetime) -> float | None:
    """Seconds that a run which is being worked on still takes, or None when nobody can tell.

    From its own pace after ``PACE_AFTER`` seconds with progress; else what is left of ``usual``,
    as long as it has not taken longer than that already.
    """
    if run.started_at is None:
        return None
    elapsed = (now - run.started_at).total_seconds()
    if run.done and run.total and elapsed >= PACE_AFTER:
        return max(0.0, elapsed * (run.total - run.done) / run.done)
    return usual - elapsed if usual is not None and usual > elapsed else None


def _waiting(
    run: Run, before: int, judges: Mapping[tuple[str, str], _Judge], now: datetime
) -> Waiting:
    judge = judges[run.judge, run.track.protocol]
    attended = judge.working > 0 or (judge.heard is not None and now - judge.heard < LATELY)
    if run.state == Run.State.RUNNING:
        return Waiting(None, remaining(run, judge.duration, now), attended=True)
    seconds = None
    if judge.duration is not None and attended:
        workers = max(1, judge.working)
        turns = (before + judge.working) // workers + 1
        seconds = turns * judge.duration
    return Waiting(before, seconds, attended)


def _before(runs: Sequence[Run]) -> dict[int, int]:
    """Run id to how many queued runs its judge does before it."""
    earlier = Q(queued_at__lt=OuterRef("queued_at")) | Q(
        queued_at=OuterRef("queued_at"), pk__lt=OuterRef("pk")
    )
    first = Q(low_priority=OuterRef("low_priority")) & earlier
    urgent = Q(low_priority=False) & Q(low_priority__lt=OuterRef("low_priority"))
    queued = Run.objects.filter(first | urgent, state=Run.State.QUEUED, judge=OuterRef("judge"))
    count = queued.order_by().values("judge").annotate(n=Count("pk")).values("n")
    mine = Run.objects.filter(pk__in=[run.pk for run in runs], state=Run.State.QUEUED)
    counted = mine.annotate(before=Coalesce(Subquery(count), 0))
    return dict(counted.values_list("pk", "before"))


def _judges(runs: Sequence[Run]) -> dict[tuple[str, str], _Judge]:
    names = {run.judge for run in runs}
    took: dict[tuple[str, str], list[float]] = defaultdict(list)
    heard: dict[str, datetime] = {}
    ended = Run.objects.filter(judge__in=names, state=Run.State.DONE, started_at__isnull=False)
    rows = ended.order_by("-finished_at").values_list(
        "judge", "track__protocol", "started_at", "finished_at"
    )
    for judge, protocol, started, finished in rows[:RECENT]:
        if started and finished:
            took[judge, protocol].append((finished - started).total_seconds())
            heard.setdefault(judge, finished)
    running = Run.objects.filter(judge__in=names, state=Run.State.RUNNING).order_by()
    working = dict(running.values_list("judge").annotate(n=Count("pk")))
    return {
        (run.judge, run.track.protocol): _Judge(
            median(known) if (known := took[run.judge, run.track.protocol]) else None,
            working.get(run.judge, 0),
            heard.get(run.judge),
        )
        for run in runs
    }

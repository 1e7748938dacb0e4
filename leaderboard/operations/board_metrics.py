"""How the work stands, counted from its rows: names of judges and states, and of nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta

from django.db.models import Case, CharField, Count, Exists, F, Min, OuterRef, Sum, Value, When
from django.utils import timezone

from leaderboard.models import Attendance, Run, Submission
from leaderboard.pipeline import attendance
from leaderboard.pipeline.judges import RULES

ELSEWHERE = "elsewhere"
"""Stands for every judge that a submitter has named."""

Values = Mapping[tuple[str, ...], float]
Gauge = tuple[str, str, list[str], Values]


def gauges() -> Iterator[Gauge]:
    """(name, what it is, labels, values) of each number that goes up and down."""
    queued, age = _queues()
    yield "cliprank_queue_runs", "Runs that wait for a judge.", ["judge"], queued
    yield "cliprank_queue_oldest_seconds", "How long the oldest has waited.", ["judge"], age
    yield "cliprank_runs", "Runs by judge and state.", ["judge", "state"], _runs()
    text = "Runs that failed or are incomplete, by cause."
    yield "cliprank_run_failures", text, ["judge", "error_code"], _failures()
    yield "cliprank_submissions", "Submissions by how their runs stand.", ["state"], _submissions()
    text = "Since a worker of this judge was heard of."
    yield "cliprank_judge_silent_seconds", text, ["judge"], _silence()


def durations() -> dict[str, tuple[int, float]]:
    """Judge to how many done runs there are and how many seconds they took in all."""
    rows = (
        Run.objects.filter(state=Run.State.DONE, started_at__isnull=False)
        .order_by()
        .values_list("judge")
        .annotate(n=Count("pk"), took=Sum(F("finished_at") - F("started_at")))
    )
    found: dict[str, tuple[int, float]] = {}
    known = _known()
    for judge, count, took in rows:
        name = judge if judge in known else ELSEWHERE
        before = found.get(name, (0, 0.0))
        seconds = (took or timedelta()).total_seconds()
        found[name] = (before[0] + count, before[1] + seconds)
    return found


def _known() -> frozenset[str]:
    """Judges of the catalogues; ``exact`` reads pair tests."""
    return frozenset(attendance.installed()) | RULES | {"exact"}


def _queues() -> tuple[Values, Values]:
    known, now = _known(), timezone.now()
    queued: Counter[tuple[str, ...]] = Counter()
    age: dict[tuple[str, ...], float] = {}
    waiting = Run.objects.filter(state=Run.State.QUEUED).order_by().values_list("judge")
    for judge, count, oldest in waiting.annotate(n=Count("pk"), oldest=Min("queued_at")):
        name = (judge if judge in known else ELSEWHERE,)
        queued[name] += count
        age[name] = max(age.get(name, 0.0), (now - oldest).total_seconds())
    return queued, age


def _runs() -> Values:
    rows = Run.objects.order_by().values_list("judge", "state").annotate(n=Count("pk"))
    return _summed(rows)


def _failures() -> Values:
    ended = Run.objects.filter(state__in=(Run.State.FAILED, Run.State.INCOMPLETE))
    return _summed(ended.order_by().values_list("judge", "error_code").annotate(n=Count("pk")))


def _summed(rows: Iterable[tuple[str, str, int]]) -> Values:
    known = _known()
    found: Counter[tuple[str, ...]] = Counter()
    for judge, what, count in rows:
        found[judge if judge in known else ELSEWHERE, what] += count
    return found


def _submissions() -> Values:
    runs = Run.objects.filter(submission=OuterRef("pk"))
    short = (Run.State.FAILED, Run.State.INCOMPLETE)
    state = Case(
        When(Exists(runs.filter(state__in=Run.OPEN)), then=Value("open")),
        When(Exists(runs.filter(state__in=short)), then=Value("failed")),
        When(Exists(runs.filter(state=Run.State.CANCELLED)), then=Value("cancelled")),
        When(Exists(runs), then=Value("scored")),
        default=Value("without runs"),
        output_field=CharField(),
    )
    # Counted here: grouping by what a subquery says is not the same in all databases.
    states = Submission.objects.order_by().annotate(stands=state).values_list("stands", flat=True)
    return {(name,): count for name, count in Counter(states.iterator()).items()}


def _silence() -> Values:
    now = timezone.now()
    heard = Attendance.objects.values_list("judge", "heard_at")
    return {(judge,): (now - at).total_seconds() for judge, at in heard}

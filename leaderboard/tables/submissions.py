"""A submission's way to the board: what its judges are doing, its scores, its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from django.contrib.auth.models import User
from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils import timezone

from leaderboard.models import Ranking, Release, Run, ScoreVector, Submission, Track
from leaderboard.tables.board import Row, board
from leaderboard.tables.columns import Column
from leaderboard.tables.fact_distribution import fact_distribution
from leaderboard.tables.labels import in_order, judge_title, metric_title
from leaderboard.tables.means import mean_of_all
from leaderboard.tables.progress import LogLine, Waiting, log_of, waiting
from leaderboard.tables.reliability import Matrix
from leaderboard.tables.runs import Remarks, remarks
from leaderboard.tables.standing import newest_shown

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser

# A ranking follows the last run within seconds; after this long the page stops asking for it.
PATIENCE = timedelta(minutes=2)

State = Literal[
    "scoring",
    "ranking",
    "ranked",
    "incomplete",
    "failed",
    "cancelled",
    "private",
    "held",
    "hidden",
    "withdrawn",
    "newer",
    "embargo",
]


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """One run: its judge, and its means once it is done, in the order of the columns."""

    run: Run
    title: str
    scores: tuple[float | None, ...]
    waiting: Waiting | None = None

    @property
    def cut(self) -> int | None:
        """Texts that were longer than the judge reads; None for a judge without such a limit."""
        cut: int | None = self.run.counts.get("cut")
        return cut

    @property
    def remarks(self) -> Remarks:
        """What the run says beside its scores."""
        return remarks(self.run)

    @property
    def spread(self) -> dict[str, float] | None:
        """How far the primary metric spreads where everything was judged several times."""
        spreads: dict[str, dict[str, float]] = self.run.summary.get("spread", {})
        return spreads.get(self.run.track.primary_metric)


@dataclass(frozen=True, slots=True)
class TrackLine:
    """A track's runs and what has become of the submission there.

    ``state`` is ``scoring`` while a run is open, ``failed`` when none has numbers,
    ``cancelled`` when one was stopped, ``incomplete``
    when a judge failed on some clips (a retry goes on from there), ``private``, ``held``,
    ``hidden`` or ``withdrawn`` for what has no place on a board, ``newer`` when a later submission
    of the system counts, ``ranking`` between the last score and the table, ``ranked``, and
    ``embargo`` for any of these while nobody may see the table.
    """

    track: Track
    state: State
    judges: tuple[JudgeLine, ...]
    metrics: tuple[Column, ...]
    means: tuple[float | None, ...]
    row: Row | None = None
    places: int = 0
    distributions: tuple[tuple[str, Matrix], ...] = ()

    @property
    def finished(self) -> int:
        """How many judges are through."""
        return sum(line.run.is_final for line in self.judges)

    @property
    def log(self) -> tuple[LogLine, ...]:
        """What the judges' workers did, the oldest first."""
        return log_of([(line.title, line.run) for line in self.judges])


@dataclass(frozen=True, slots=True)
class Report:
    """All tracks of a submission. ``final`` when nothing more will come by itself."""

    submission: Submission
    tracks: tuple[TrackLine, ...]
    final: bool

    @property
    def finished(self) -> int:
        """Judges that are through, over all tracks."""
        return sum(track.finished for track in self.tracks)

    @property
    def total(self) -> int:
        """Judges there are, over all tracks."""
        return sum(len(track.judges) for track in self.tracks)

    @property
    def resumable(self) -> int:
        """Judges that ended without a score and can be tried again."""
        states = [line.run.state for track in self.tracks for line in track.judges]
        return sum(state in Run.RESUMABLE for state in states)

    @property
    def failed(self) -> int:
        """Judges that failed."""
        return sum(
            line.run.state == Run.State.FAILED for track in self.tracks for line in track.judges
        )


def report(submission: Submission, *, now: datetime) -> Report:
    """Where the submission stands at ``now``; the number of queries grows with tracks only."""
    runs = (
        submission.runs.select_related("track__release__benchmark")
        .prefetch_related(Prefetch("vectors", ScoreVector.objects.defer("data")))
        .order_by("track__position", "track__slug", "pk")
    )
    by_track: dict[Track, list[Run]] = {}
    for run in runs:
        by_track.setdefault(run.track, []).append(run)
    waits = waiting(list(runs), now=now)
    lines = tuple(_track(submission, track, some, waits) for track, some in by_track.items())
    return Report(submission, lines, all(_settled(line, now) for line in lines))


def submissions_of(user: User) -> QuerySet[Submission]:
    """One's own and one's teams', newest first.

    Each with ``runs_all``, ``runs_done`` and ``runs_failed``.
    """
    return (
        Submission.objects.of(user)
        .select_related("system", "release__benchmark", "team")
        .annotate(
            runs_all=Count("runs"),
            runs_done=Count("runs", filter=Q(runs__state=Run.State.DONE)),
            runs_failed=Count("runs", filter=Q(runs__state=Run.State.FAILED)),
        )
        .order_by("-created_at")
    )


def own_in(release: Release, user: AbstractBaseUser | AnonymousUser) -> dict[str, str]:
    """One's own submissions to a release, as id to the name of the system."""
    own = Submission.objects.of(user).filter(release=release)
    return {str(pk): name for pk, name in own.values_list("pk", "system__name")}


def being_scored(track: Track) -> int:
    """Submissions for the board with a run on the track that is not through."""
    live = [state for state in Run.State if state not in Run.FINAL]
    # By state alone first, which has an index: nearly always that is the end of it.
    busy = Run.objects.filter(state__in=live).order_by().values_list("track", flat=True).distinct()
    if track.pk not in busy:
        return 0
    unsettled = Run.objects.filter(track=track, state__in=live)
    coming = Submission.objects.on_the_board().filter(release=track.release_id)
    waiting = unsettled.filter(submission__in=coming)
    return waiting.values("submission").distinct().count()


def scores_of(run: Run) -> dict[str, float | None]:
    """Metric to mean; none for what was cancelled, whatever an earlier try has left."""
    if run.state == Run.State.CANCELLED:
        return {}
    return {vector.metric: vector.mean for vector in run.vectors.all()}


def _track(
    submission: Submission, track: Track, runs: list[Run], waits: Mapping[int, Waiting]
) -> TrackLine:
    means = {run.pk: scores_of(run) for run in runs}
    names = in_order(metric for scores in means.values() for metric in scores)
    runs.sort(key=lambda run: track.judges.index(run.judge) if run.judge in track.judges else 99)
    judges = tuple(
        JudgeLine(
            run,
            judge_title(run.judge),
            tuple(means[run.pk].get(m) for m in names),
            waits.get(run.pk),
        )
        for run in runs
    )
    columns = list(zip(*(line.scores for line in judges), strict=True))
    state, row, places = _standing(submission, track, runs)
    return TrackLine(
        track=track,
        state=state,
        judges=judges,
        metrics=tuple(
            Column.of(m, metric_title(m), m, values)
            for m, values in zip(names, columns, strict=False)
        ),
        means=tuple(mean_of_all(values) for values in columns),
        row=row,
        places=places,
        distributions=_distributions(track, judges),
    )


def _distributions(track: Track, judges: tuple[JudgeLine, ...]) -> tuple[tuple[str, Matrix], ...]:
    """Of a track of facts: each judge's rates over the clips."""
    if track.protocol != Track.Protocol.FACTS:
        return ()
    found = ((line.title, fact_distribution(line.run)) for line in judges if line.scores)
    return tuple((title, matrix) for title, matrix in found if matrix is not None)


def _standing(
    submission: Submission, track: Track, runs: list[Run]
) -> tuple[State, Row | None, int]:
    if not all(run.is_final or run.stands for run in runs):
        return "scoring", None, 0
    if all(run.state == Run.State.FAILED for run in runs):
        return "failed", None, 0
    if any(run.state == Run.State.CANCELLED for run in runs):
        return "cancelled", None, 0
    if any(run.state == Run.State.INCOMPLETE for run in runs):
        return "incomplete", None, 0
    if off := _off_the_board(submission):
        return off, None, 0
    return _place(submission, newest_shown(track, submission.provenance))


def _off_the_board(submission: Submission) -> State | None:
    """Why it has no place on any board, however it is scored."""
    if submission.withdrawn_at is not None:
        return "withdrawn"
    if submission.standing == Submission.Standing.HIDDEN:
        return "hidden"
    if submission.standing == Submission.Standing.HELD:
        return "held"
    return "private" if submission.visibility == Submission.Visibility.PRIVATE else None


def _place(submission: Submission, ranking: Ranking | None) -> tuple[State, Row | None, int]:
    rows = ranking.rows if ranking is not None else []
    slug = submission.names(timezone.now()).slug
    on_board = {row["system"]: row.get("submission") for row in rows}.get(slug)
    if ranking is None or on_board is None:
        return "ranking", None, 0
    if on_board == str(submission.pk):
        table = board(ranking, cards=False)
        row = next(row for row in table.rows if row.system == slug)
        return "ranked", row, table.places
    newer = Submission.objects.filter(pk=on_board, created_at__gt=submission.created_at)
    return "newer" if newer.exists() else "ranking", None, 0


def _settled(line: TrackLine, now: datetime) -> bool:
    if line.state == "scoring":
        return False
    ends = [judge.run.finished_at for judge in line.judges if judge.run.finished_at]
    return line.state != "ranking" or now - max(ends, default=now) > PATIENCE

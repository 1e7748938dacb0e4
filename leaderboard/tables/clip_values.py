"""Numbers of one clip: what the board's systems have on it, judge by judge."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import BinaryField, Q
from django.db.models.functions import Substr

from leaderboard.models import Clip, ScoreVector, Track
from leaderboard.tables.keeping import kept_by
from leaderboard.tables.labels import judge_title
from leaderboard.tables.means import mean_of_all

Runs = Mapping[str, int]
"""Judge to the id of its run."""
ONE = struct.Struct("<d")
Values = dict[tuple[int, str], float]
"""(run, metric) to the value."""


@dataclass(frozen=True, slots=True)
class JudgeScores:
    """A judge's values on the clip, one for each metric, and the place that its primary one has
    among the board's.
    """

    title: str
    values: tuple[float | None, ...]
    place: int | None


@dataclass(frozen=True, slots=True)
class _Board:
    """What the systems of a board have on a clip: run to value, and every column ascending."""

    values: Mapping[int, float]
    means: Sequence[float]
    by_judge: Mapping[str, Sequence[float]]


class ClipValues:
    """The values of one clip on one track.

    ``board`` are the runs of each system on the board, ``shown`` those of what the page shows: all
    metrics are read of these, the primary one of all. Only eight bytes of each vector leave the
    database; the board's are kept by ``content``, what its ranking follows from.
    """

    def __init__(
        self,
        clip: Clip,
        track: Track,
        board: Sequence[Runs],
        shown: Iterable[Runs],
        content: str,
    ) -> None:
        self.track = track
        self.board = kept_by(
            "clip-board", (clip.pk, track.pk, content), lambda: _board(clip, track, board)
        )
        here = [run for runs in shown for run in runs.values()]
        self.values = _read(clip, Q(run__in=here))

    @property
    def metrics(self) -> set[str]:
        """Those that there are values of."""
        return {metric for _, metric in self.values}

    @property
    def means(self) -> Sequence[float]:
        """Of the board's systems, ascending."""
        return self.board.means

    def mean(self, runs: Runs) -> float | None:
        """The primary metric over all judges of the track, None unless all have scored the clip."""
        return mean_of_all([self._primary(runs, judge) for judge in self.track.judges])

    def place(self, runs: Runs) -> int | None:
        """By the mean. Equal means share a place; what is not on the board gets the place that it
        would have.
        """
        return _place(self.mean(runs), self.means)

    def scores(self, runs: Runs, metrics: Sequence[str]) -> tuple[JudgeScores, ...]:
        """A row for each judge of the track."""
        return tuple(
            JudgeScores(
                title=judge_title(judge),
                values=tuple(self.values.get((runs.get(judge, 0), m)) for m in metrics),
                place=_place(self._primary(runs, judge), self.board.by_judge[judge]),
            )
            for judge in self.track.judges
        )

    def _primary(self, runs: Runs, judge: str) -> float | None:
        return self.values.get((runs.get(judge, 0), self.track.primary_metric))


def _place(value: float | None, others: Sequence[float]) -> int | None:
    return None if value is None else len(others) - bisect_right(others, value) + 1


def _board(clip: Clip, track: Track, board: Sequence[Runs]) -> _Board:
    """Asked by track: naming thousands of runs would cost more than the answer."""
    of_all = Q(run__track=track, metric=track.primary_metric)
    values = {run: value for (run, _), value in _read(clip, of_all).items()}
    rows = [[values.get(runs.get(judge, 0)) for judge in track.judges] for runs in board]
    columns = zip(*rows, strict=True) if rows else ([] for _ in track.judges)
    return _Board(
        values=values,
        means=sorted(mean for mean in map(mean_of_all, rows) if mean is not None),
        by_judge={
            judge: sorted(value for value in column if value is not None)
            for judge, column in zip(track.judges, columns, strict=True)
        },
    )


def _read(clip: Clip, wanted: Q) -> Values:
    piece = Substr("data", 8 * clip.position + 1, 8, output_field=BinaryField())
    vectors = ScoreVector.objects.filter(wanted, unit=ScoreVector.Unit.CLIP)
    rows = vectors.order_by().values_list("run_id", "metric", piece)
    found = {(run, metric): ONE.unpack(data)[0] for run, metric, data in rows if len(data) == 8}
    return {key: value for key, value in found.items() if value == value}  # noqa: PLR0124 - NaN

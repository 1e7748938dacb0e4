"""Numbers of one clip: what the board's systems have on it, judge by judge."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import BinaryField, Q
from django.db.models.functions import Substr

from leaderboard.models import Clip, ScoreVector, Track
from leaderboard.tables.keeping import kept_by
from leaderboard.tables.labels import judge_title

Runs = Mapping[str, int]
"""Judge to the id of its run."""
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
        here = [run for runs in shown for run in runs.values()]
        everybody = {run for runs in board for run in runs.values()}
        self.values = {
            (run, track.primary_metric): value
            for run, value in _primary_values(clip, track, content).items()
            if run in everybody
        } | _read(clip, Q(run__in=here))
        means = (self.mean(runs) for runs in board)
        self.means = sorted((mean for mean in means if mean is not None), reverse=True)
        self._by_judge = {
            judge: [
                self.values[runs[judge], track.primary_metric]
                for runs in board
                if (runs.get(judge, 0), track.primary_metric) in self.values
            ]
            for judge in track.judges
        }

    @property
    def metrics(self) -> set[str]:
        """Those that there are values of."""
        return {metric for _, metric in self.values}

    def mean(self, runs: Runs) -> float | None:
        """The primary metric over all judges of the track, None unless all have scored the clip."""
        known = [self._primary(runs, judge) for judge in self.track.judges]
        scores = [value for value in known if value is not None]
        return sum(scores) / len(scores) if scores and len(scores) == len(known) else None

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
                place=_place(self._primary(runs, judge), self._by_judge[judge]),
            )
            for judge in self.track.judges
        )

    def _primary(self, runs: Runs, judge: str) -> float | None:
        return self.values.get((runs.get(judge, 0), self.track.primary_metric))


def _place(value: float | None, others: Sequence[float]) -> int | None:
    return None if value is None else sum(other > value for other in others) + 1


def _primary_values(clip: Clip, track: Track, content: str) -> dict[int, float]:
    """Run to its primary metric on the clip, of all runs of the track.

    Asked by track: naming thousands of runs would cost more than the answer.
    """
    of_all = Q(run__track=track, metric=track.primary_metric)
    return kept_by(
        "clip-values",
        (clip.pk, content),
        lambda: {run: value for (run, _), value in _read(clip, of_all).items()},
    )


def _read(clip: Clip, wanted: Q) -> Values:
    piece = Substr("data", 8 * clip.position + 1, 8, output_field=BinaryField())
    vectors = ScoreVector.objects.filter(wanted, unit=ScoreVector.Unit.CLIP)
    found = {}
    for run, metric, data in vectors.order_by().values_list("run_id", "metric", piece):
        if len(data) == 8:
            (value,) = struct.unpack("<d", bytes(data))
            found[run, metric] = value
    return {key: value for key, value in found.items() if value == value}  # noqa: PLR0124 - NaN

"""A ranking of keypoints by duration, category and kind of keypoint, from its stored rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.models import Ranking, Track
from leaderboard.tables.labels import metric_title
from leaderboard.tables.reliability import Matrix
from scoring.protocols.keypoints import DURATION_BINS, KINDS

# A longer table is cut to its first systems, and says so.
MOST_SYSTEMS = 50
# Kinds hold shares over all keypoints of a kind, under names of their own.
OF_KIND = {"acc": "accuracy", "cov": "coverage"}


@dataclass(frozen=True, slots=True)
class Breakdown:
    """One table per dimension that the ranking has, for the first ``systems`` of ``of_systems``."""

    parts: tuple[Matrix, ...]
    systems: int
    of_systems: int


def breakdown(ranking: Ranking, metric: str) -> Breakdown | None:
    """The metric by part of the benchmark, mean over its judges; None where no row has it.

    A cell is empty unless each of these judges has its number.
    """
    if ranking.track.protocol != Track.Protocol.KEYPOINTS:
        return None
    rows = [row for row in ranking.rows if row.get("parts")][:MOST_SYSTEMS]
    judges = ranking.inputs["judges"]
    title = metric_title(metric)
    made = (
        _matrix(rows, judges, "duration", metric, f"{title} by duration of the clip", _seconds),
        _matrix(rows, judges, "category", metric, f"{title} by category of the clip", str),
        _matrix(
            rows, judges, "kind", OF_KIND.get(metric, ""), f"{title} by kind of keypoint", _kind
        ),
    )
    parts = tuple(matrix for matrix in made if matrix is not None)
    return Breakdown(parts, len(rows), len(ranking.rows)) if parts else None


def _matrix(
    rows: Sequence[Mapping[str, Any]],
    judges: Sequence[str],
    dimension: str,
    metric: str,
    title: str,
    words: Callable[[str], str],
) -> Matrix | None:
    cells = [[row["parts"].get(judge, {}).get(dimension, {}) for judge in judges] for row in rows]
    known = {name for of in cells for one in of for name, part in one.items() if metric in part}
    names = _arranged(dimension, known)
    if not names:
        return None
    meaning = (
        "share of all keypoints of the kind"
        if dimension == "kind"
        else "mean over the clips of the part"
    )
    return Matrix(
        key=dimension,
        title=title,
        meaning=meaning,
        rows=tuple(
            (
                row["name"],
                tuple(_mean(one.get(name, {}).get(metric) for one in of) for name in names),
            )
            for row, of in zip(rows, cells, strict=True)
        ),
        columns=tuple(words(name) for name in names),
    )


def _arranged(dimension: str, known: set[str]) -> list[str]:
    order = {"duration": list(DURATION_BINS), "kind": list(KINDS)}.get(dimension, [])
    return [name for name in order if name in known] + sorted(known - set(order))


def _mean(values: Iterable[float | None]) -> float | None:
    given = list(values)
    known = [value for value in given if value is not None]
    return sum(known) / len(known) if known and len(known) == len(given) else None


def _seconds(name: str) -> str:
    """``(0,120]`` -> (0, 120] s."""
    return f"{name.replace(',', ', ')} s"


def _kind(name: str) -> str:
    return KINDS.get(name, name)

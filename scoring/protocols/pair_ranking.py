"""Ranking systems by pair tests: one number a test, the average over tests, and how sure it is.

A system's number is the mean over tests of its accuracy per test, each test counting the same and
an unanswered pair counting as wrong (``of_all``). Systems are ordered by it; equal ones share a
place. A system that lacks a test has no average and is listed last, without a place.

The bootstrap draws pairs within each test, the same pairs for all systems, and ranks again. It
draws as ``pairs.score`` does, so the intervals of a single system are the same here and there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.protocols.pair_intervals import percentile_interval, wilson_interval
from scoring.protocols.pair_metrics import CHANCE, IVAT_METRICS
from scoring.protocols.pair_results import Accuracy, Average
from scoring.protocols.pair_table import METRICS, Answered, PairRow, PairTable, Positions
from scoring.protocols.pair_tests import averaged
from scoring.ranking.bootstrap import Replicates, draws
from scoring.ranking.borda import places
from scoring.signature import digest, joined, release
from scoring.types import FloatArray, ScoringError

VERSION = "pairs.1"
_CHUNK = 256


@dataclass(frozen=True, slots=True)
class _Cell:
    """One metric of one test of one system: values of the pairs, and 1.0 where answered."""

    correct: FloatArray
    answered: FloatArray


_Cells = dict[tuple[str, str], _Cell]
"""(system, metric) -> the cell, of one test."""
_Resampled = dict[tuple[str, str], tuple[FloatArray, FloatArray]]
"""(system, metric) -> accuracy over answered pairs and over all pairs, per replicate."""


def rank_pairs(
    systems: Sequence[Answered],
    tests: Positions,
    *,
    primary: str = "classic",
    replicates: int = 1000,
    seed: int = 0,
    signatures: Iterable[str] = (),
) -> PairTable:
    """Rank systems by their average of the primary metric.

    Args:
        systems: what each answered; each system once.
        tests: the pairs that count.
        primary: one of `METRICS`.
        replicates: resamples, at least 1.
        signatures: those of the runs ranked, for the table's own.

    Raises:
        ScoringError: a system twice, or an unknown metric.
    """
    names = [one.system for one in systems]
    if len(set(names)) < len(names):
        raise ScoringError(f"each system is ranked once; got {', '.join(sorted(names))}")
    if primary not in METRICS:
        raise ScoringError(f"no metric named {primary!r} to rank by; there are {METRICS}")
    cells = {test: _cells(systems, positions) for test, positions in tests.items()}
    again = {test: _resample(cells[test], replicates, seed) for test in tests}
    # Every test draws from a stream of its own: tests are resampled independently.
    wanted = averaged(tests)
    streams = {
        test: _resample(cells[test], replicates, seed + at) for at, test in enumerate(wanted)
    }
    streams |= {"ivat": again["ivat"]} if "ivat" in again else {}
    rows = [_row(name, cells, again, streams, primary) for name in names]
    parts = {
        "ranking": VERSION,
        "primary": primary,
        "tests": ",".join(tests),
        "replicates": str(replicates),
        "seed": str(seed),
        "runs": digest("\n".join(sorted(set(signatures)))),
    }
    return PairTable(
        rows=_placed(rows, streams, primary),
        pairs={test: len(positions) for test, positions in tests.items()},
        primary=primary,
        replicates=replicates,
        seed=seed,
        signature=f"cliprank:{release()}|{joined(parts)}",
    )


def tests_of(metric: str, tests: Iterable[str]) -> tuple[str, ...]:
    """The tests that a metric's average is taken over."""
    if metric in IVAT_METRICS:
        return ("ivat",) if "ivat" in tests else ()
    return averaged(tests)


def _cells(systems: Sequence[Answered], positions: NDArray[np.int64]) -> _Cells:
    """The metrics that have a value for every pair of the test."""
    found: _Cells = {}
    for one in systems:
        for metric, values in one.values.items():
            if len(values) <= positions.max() or not np.isfinite(values[positions]).all():
                continue
            blank = np.isin(positions, np.asarray(one.unanswered.get(metric, ()), np.int64))
            found[one.system, metric] = _Cell(values[positions], (~blank).astype(np.float64))
    return found


def _resample(cells: _Cells, replicates: int, seed: int) -> _Resampled:
    """Accuracies of all cells in the same resamples of the pairs."""
    if not cells:
        return {}
    columns = [column for cell in cells.values() for column in (cell.correct, cell.answered)]
    matrix = np.column_stack(columns)
    pairs = len(matrix)
    sums = np.concatenate(
        [counts @ matrix for counts in draws(pairs, replicates, seed).counts(_CHUNK)]
    )
    right, answered = sums[:, ::2], sums[:, 1::2]
    values = np.divide(right, answered, out=np.zeros_like(right), where=answered > 0)
    return {key: (values[:, at], right[:, at] / pairs) for at, key in enumerate(cells)}


def _row(
    system: str,
    cells: Mapping[str, _Cells],
    again: Mapping[str, _Resampled],
    streams: Mapping[str, _Resampled],
    primary: str,
) -> PairRow:
    accuracies: dict[str, dict[str, Accuracy]] = {}
    unanswered: dict[str, dict[str, int]] = {}
    for test, of_test in cells.items():
        for metric in METRICS:
            cell = of_test.get((system, metric))
            if cell is None:
                continue
            value = _accuracy(metric, cell, again[test][system, metric][0])
            accuracies.setdefault(test, {})[metric] = value
            blank = int(len(cell.answered) - cell.answered.sum())
            unanswered.setdefault(test, {})[metric] = blank
    present = {metric for of_test in accuracies.values() for metric in of_test}
    averages = {
        metric: _average(system, metric, accuracies, streams, cells)
        for metric in METRICS
        if metric in present
    }
    needed = tests_of(primary, cells)
    missing = averages[primary].missing if primary in averages else needed
    return PairRow(system, accuracies, averages, unanswered, missing)


def _accuracy(metric: str, cell: _Cell, resampled: FloatArray) -> Accuracy:
    count, right = int(cell.answered.sum()), float(cell.correct.sum())
    share = not metric.endswith("_independent") and count > 0
    return Accuracy(
        value=right / count if count else 0.0,
        of_all=right / len(cell.correct),
        chance=CHANCE[metric],
        bootstrap=percentile_interval(resampled),
        wilson=wilson_interval(round(right), count) if share else None,
    )


def _average(
    system: str,
    metric: str,
    accuracies: Mapping[str, Mapping[str, Accuracy]],
    streams: Mapping[str, _Resampled],
    tests: Iterable[str],
) -> Average:
    wanted = tests_of(metric, tests)
    missing = tuple(test for test in wanted if metric not in accuracies.get(test, {}))
    if missing or not wanted:
        return Average(None, None, None, wanted, missing)
    chosen = [accuracies[test][metric] for test in wanted]
    resampled = np.mean([streams[test][system, metric][0] for test in wanted], axis=0)
    return Average(
        value=float(np.mean([one.value for one in chosen])),
        of_all=float(np.mean([one.of_all for one in chosen])),
        interval=percentile_interval(resampled),
        tests=wanted,
        missing=(),
    )


def _placed(
    rows: Sequence[PairRow], streams: Mapping[str, _Resampled], primary: str
) -> tuple[PairRow, ...]:
    """The rows with their places and intervals, best first, unranked last."""
    means = {row.system: row.averages[primary].of_all for row in rows if primary in row.averages}
    ranked = [row for row in rows if means.get(row.system) is not None]
    unranked = [row for row in rows if means.get(row.system) is None]
    if ranked:
        values = np.array([means[row.system] for row in ranked], np.float64)
        ranked = _with_intervals(ranked, values, _again(ranked, streams, primary))
    ranked.sort(key=lambda row: (row.rank or 0, row.system))
    return (*ranked, *sorted(unranked, key=lambda row: row.system))


def _again(
    ranked: Sequence[PairRow], streams: Mapping[str, _Resampled], primary: str
) -> Replicates:
    """Averages and places of every replicate."""
    tests = ranked[0].averages[primary].tests
    means = np.stack(
        [
            np.mean([streams[test][row.system, primary][1] for test in tests], axis=0)
            for row in ranked
        ],
        axis=1,
    )
    at = places(np.zeros_like(means), means).astype(np.int32)
    return Replicates(places=at, means=means, clips=0)


def _with_intervals(
    rows: Sequence[PairRow], means: FloatArray, resampled: Replicates
) -> list[PairRow]:
    """Intervals are widened, where needed, to hold the place and the value that are shown."""
    at = places(np.zeros_like(means), means)
    low_rank, high_rank = resampled.rank_interval()
    low, high = resampled.mean_interval()
    first = resampled.first()
    return [
        replace(
            row,
            rank=int(at[v]),
            rank_low=int(min(low_rank[v], at[v])),
            rank_high=int(max(high_rank[v], at[v])),
            p_first=float(first[v]),
            low=float(min(low[v], means[v])),
            high=float(max(high[v], means[v])),
        )
        for v, row in enumerate(rows)
    ]

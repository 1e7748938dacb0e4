"""Systems compared by pair tests: a test stands where other tracks have a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from leaderboard.models import Ranking
from leaderboard.pipeline import bridge_pairs
from leaderboard.tables.compared import (
    Compared,
    Comparison,
    Gap,
    Pair,
    gaps_between,
    known,
    replicates_of,
    signature_of,
    total,
)
from leaderboard.tables.labels import judge_title, metric_title
from scoring.protocols.pair_ranking import tests_of
from scoring.ranking import bootstrap, compare, resampled_differences
from scoring.ranking.borda import IntArray
from scoring.ranking.compare import holm
from scoring.types import FloatArray


def tests_compared(ranking: Ranking, rows: Sequence[Mapping[str, Any]]) -> Comparison:
    """Accuracies on the tests of the track's primary metric, an unanswered pair counted as wrong.

    Caption pairs are drawn again within each test; p-values are adjusted for all pairs of systems
    on all tests. An average of tests has an interval and no p-value. A system that lacks a test is
    left out.
    """
    track, metric = ranking.track, ranking.track.primary_metric
    positions = bridge_pairs.scored_positions(track.release)
    tests = tests_of(metric, positions)
    runs = {entry["system"]: entry["runs"] for entry in ranking.inputs["entries"]}
    given = bridge_pairs.answered([(row["system"], runs[row["system"]]) for row in rows])
    vectors = [one.values.get(metric) for one in given]
    lacking = [[t for t in tests if not _answered(v, positions[t])] for v in vectors]
    shown = [at for at, lacks in enumerate(lacking) if not lacks]
    values = {
        test: np.array(
            [vector[positions[test]] for at in shown if (vector := vectors[at]) is not None]
        )
        for test in tests
    }
    means = np.array([values[test].mean(axis=1) for test in tests]).T if shown else np.empty(0)
    return Comparison(
        metric=metric_title(metric),
        parts=tuple(map(judge_title, tests)),
        systems=tuple(
            Compared(
                rows[at]["system"],
                rows[at]["name"],
                rows[at]["rank"],
                float(means[place].mean()),
                tuple(map(float, means[place])),
            )
            for place, at in enumerate(shown)
        ),
        left_out=tuple(
            (row["name"], tuple(map(judge_title, lacks)))
            for row, lacks in zip(rows, lacking, strict=True)
            if lacks
        ),
        pairs=_pairs(list(values.values()), replicates_of(track), track.bootstrap_seed)
        if len(shown) > 1
        else (),
        replicates=replicates_of(track),
        signature=signature_of(ranking, track.judges),
        of_tests=True,
    )


def _answered(vector: FloatArray | None, positions: IntArray) -> bool:
    """Whether the system has a value for every pair of a test."""
    if vector is None or len(vector) <= positions.max():
        return False
    return bool(np.isfinite(vector[positions]).all())


def _pairs(tests: Sequence[FloatArray], replicates: int, seed: int) -> tuple[Pair, ...]:
    # As the ranking does: each test draws from a stream of its own.
    drawn = [
        bootstrap(values[:, None, :], replicates=replicates, seed=seed + at).means
        for at, values in enumerate(tests)
    ]
    found = [
        gaps_between(compare(values), *resampled_differences(means))
        for values, means in zip(tests, drawn, strict=True)
    ]
    keys = list(combinations(range(len(tests[0])), 2))
    adjusted = holm(np.array([[part[key].p for key in keys] for part in found], np.float64).ravel())
    adjusted = adjusted.reshape(len(found), len(keys))
    low, high = resampled_differences(np.mean(drawn, axis=0))
    return tuple(
        Pair(
            a,
            b,
            _average([part[a, b] for part in found], float(low[a, b]), float(high[a, b])),
            tuple(
                replace(part[a, b], p_holm=known(adjusted[test, at]))
                for test, part in enumerate(found)
            ),
        )
        for at, (a, b) in enumerate(keys)
    )


def _average(gaps: Sequence[Gap], low: float, high: float) -> Gap:
    """Each test counts the same in the difference; wins and losses are over all caption pairs."""
    return Gap(
        difference=float(np.mean([gap.difference for gap in gaps])),
        low=low,
        high=high,
        wins=total([gap.wins for gap in gaps]),
        ties=total([gap.ties for gap in gaps]),
        losses=total([gap.losses for gap in gaps]),
    )

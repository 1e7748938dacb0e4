"""Tables of pair tests: a test stands where other tables have a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from leaderboard.models import Track
from leaderboard.pipeline import bridge_pairs
from leaderboard.pipeline.rank_rows import Row, Table
from scoring.protocols.pair_metrics import CHANCE
from scoring.protocols.pair_ranking import rank_pairs, tests_of
from scoring.protocols.pair_table import METRICS
from scoring.ranking import rank_means

REPLICATES = 1000  # where a track asks for none: an interval belongs to every accuracy
Cells = Mapping[str, Mapping[str, float]]
"""Test (or "" for the average) and metric to a reported number."""


def verified(
    track: Track, entries: Sequence[tuple[str, Mapping[str, int]]], signatures: Sequence[str]
) -> Table:
    """From the runs of (slug, runs), right or wrong per pair."""
    made = rank_pairs(
        bridge_pairs.answered(entries),
        bridge_pairs.scored_positions(track.release),
        primary=track.primary_metric,
        replicates=track.bootstrap_replicates or REPLICATES,
        seed=track.bootstrap_seed,
        signatures=signatures,
    )
    return Table([row.to_json() | {"pairs": dict(made.pairs)} for row in made.rows], made.signature)


def reported(track: Track, numbers: Mapping[str, Cells]) -> Table:
    """By the averages that papers print; a system without one has no place."""
    primary = track.primary_metric
    systems = sorted(numbers)
    averages = np.array(
        [[numbers[system].get("", {}).get(primary, np.nan)] for system in systems], np.float64
    ).reshape(-1, 1)
    made = rank_means(systems, ["average"], {primary: averages}, primary=primary)
    rows = [_reported_row(row, numbers[row["system"]], primary) for row in made.to_json()["rows"]]
    return Table(rows, made.signature)


def _reported_row(row: Row, cells: Cells, primary: str) -> Row:
    tests = {test: dict(metrics) for test, metrics in cells.items() if test}
    average: dict[str, float | None] = dict(cells.get("", {}))
    present = {metric for metrics in tests.values() for metric in metrics}
    for metric in (metric for metric in METRICS if metric in present - set(average)):
        # A metric of one test only is its own average.
        only = [metrics[metric] for metrics in tests.values() if metric in metrics]
        average[metric] = only[0] if tests_of(metric, tests) == ("ivat",) else None
    lacking = [test for test in tests_of(primary, tests) if primary not in tests[test]]
    detail = {
        test: {metric: _cell(metric, value) for metric, value in metrics.items()}
        for test, metrics in tests.items()
    }
    return row | {
        "borda": None,
        "mean": average,
        "judges": tests,
        "tests": detail,
        "missing": lacking if row["rank"] is None else [],
    }


def _cell(metric: str, value: float) -> dict[str, Any]:
    """As ``Accuracy`` of the scoring library, without what a printed number does not tell."""
    return {
        "value": value,
        "of_all": value,
        "chance": CHANCE[metric],
        "bootstrap": None,
        "wilson": None,
    }

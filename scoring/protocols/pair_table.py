"""A table of systems by pair tests: what it is made of, and its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.protocols.pair_metrics import IVAT_METRICS
from scoring.protocols.pair_results import Accuracy, Average
from scoring.types import FloatArray

METRICS = ("classic", "strict", "mcq", *IVAT_METRICS)
"""Every metric of pair tests; the first three are averaged over tests."""
Positions = Mapping[str, NDArray[np.int64]]
"""Test -> where its pairs stand in the values of a metric, tests in the order of the table."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a system answered: 1.0, 0.0 (IVAT also 0.5) per pair and metric, NaN where not asked.

    ``unanswered`` names, by metric, the positions of pairs whose answer could not be read; their
    value is 0.
    """

    system: str
    values: Mapping[str, FloatArray]
    unanswered: Mapping[str, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PairRow:
    """One system's line.

    ``tests``: test -> metric -> accuracy; ``averages``: metric -> average over tests (of an IVAT
    metric over that test alone); ``unanswered``: test -> metric -> pairs. ``missing`` names the
    tests that the average of the primary metric lacks. The other fields are those of a table over
    judges (`scoring.ranking.table.Row`), for that average.
    """

    system: str
    tests: Mapping[str, Mapping[str, Accuracy]]
    averages: Mapping[str, Average]
    unanswered: Mapping[str, Mapping[str, int]]
    missing: tuple[str, ...]
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    p_first: float | None = None
    low: float | None = None
    high: float | None = None

    def to_json(self) -> dict[str, Any]:
        """JSON-ready data in the form of a table over judges, a test in a judge's place.

        `mean` and `judges` hold the values that count unanswered pairs as wrong.
        """
        data = asdict(self)
        return data | {
            "borda": None,
            "missing": list(self.missing),
            "mean": {metric: average.of_all for metric, average in self.averages.items()},
            "judges": {
                test: {metric: value.of_all for metric, value in values.items()}
                for test, values in self.tests.items()
            },
        }


@dataclass(frozen=True, slots=True)
class PairTable:
    """A ranking by pair tests: best first, unranked last. ``pairs``: test -> how many count."""

    rows: tuple[PairRow, ...]
    pairs: Mapping[str, int]
    primary: str
    replicates: int
    seed: int
    signature: str

"""How far the judges of a ranking agree, as a table of pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from leaderboard.models import Ranking
from leaderboard.tables.labels import judge_title

MEASURES = {"spearman": "Spearman", "kendall": "Kendall", "pearson": "Pearson"}
MEANINGS = {
    "spearman": "rank correlation over systems",
    "kendall": "rank correlation over systems, tau-b",
    "pearson": "correlation over all pairs of system and clip",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """One coefficient over all pairs of judges; None where it is not defined."""

    key: str
    title: str
    meaning: str
    low: float | None
    mean: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two judges and their coefficients, in the order of the measures."""

    first: str
    second: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The measures with their ranges, and every pair of judges."""

    measures: tuple[Measure, ...]
    pairs: tuple[Pair, ...]


def agreement(ranking: Ranking) -> Agreement | None:
    """From ``Ranking.agreement``; None with fewer than two judges."""
    found: Mapping[str, Any] = ranking.agreement or {}
    names = found.get("judges", [])
    if len(names) < 2:
        return None
    measures = tuple(
        Measure(key, title, MEANINGS[key], found[key]["min"], found[key]["mean"], found[key]["max"])
        for key, title in MEASURES.items()
        if key in found
    )
    pairs = tuple(
        Pair(
            judge_title(names[a]),
            judge_title(names[b]),
            tuple(found[measure.key]["matrix"][a][b] for measure in measures),
        )
        for a, b in combinations(range(len(names)), 2)
    )
    return Agreement(measures, pairs)

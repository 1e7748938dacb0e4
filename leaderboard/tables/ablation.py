"""Judges outside a track's panel beside it: what each gave the same systems, and how they agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leaderboard.models import Ranking, ReportedResult
from leaderboard.tables.labels import in_order, judge_title, metric_title
from scoring.ranking.agreement import pearson, spearman


@dataclass(frozen=True, slots=True)
class Compared:
    """One metric by both: correlations over the systems that have both numbers."""

    title: str
    pearson: float | None
    spearman: float | None


@dataclass(frozen=True, slots=True)
class Ablation:
    """Another judge beside the panel. ``rows``: a system, and per metric what the panel and what
    the judge gave.
    """

    panel: str
    judge: str
    metrics: tuple[Compared, ...]
    rows: tuple[tuple[str, tuple[tuple[float | None, float | None], ...]], ...]


def ablations(ranking: Ranking) -> tuple[Ablation, ...]:
    """One for each judge outside the panel that the ranking's rows name, by title.

    Reported rankings have such rows: a paper that checks its judge with another one.
    """
    judges = {judge for row in ranking.rows for judge in row.get("other_judges", ())}
    judges -= {ReportedResult.LENGTH}
    return tuple(_ablation(ranking, judge) for judge in sorted(judges, key=judge_title))


def _ablation(ranking: Ranking, judge: str) -> Ablation:
    rows = [row for row in ranking.rows if judge in row.get("other_judges", ())]
    metrics = in_order(metric for row in rows for metric in row["other_judges"][judge])
    cells = [
        tuple((row["mean"].get(m), row["other_judges"][judge].get(m)) for m in metrics)
        for row in rows
    ]
    panel = [judge_title(name) for name in ranking.track.judges]
    return Ablation(
        panel=panel[0] if len(panel) == 1 else "Mean of the panel",
        judge=judge_title(judge),
        metrics=tuple(
            _compared(metric, [line[at] for line in cells]) for at, metric in enumerate(metrics)
        ),
        rows=tuple((row["name"], line) for row, line in zip(rows, cells, strict=True)),
    )


def _compared(metric: str, pairs: list[tuple[float | None, float | None]]) -> Compared:
    known = np.array([pair for pair in pairs if None not in pair], dtype=np.float64).reshape(-1, 2)
    first, second = known.T
    both = len(known) > 1
    return Compared(
        title=metric_title(metric),
        pearson=pearson(first, second) if both else None,
        spearman=spearman(first, second) if both else None,
    )

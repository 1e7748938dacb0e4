"""Score vectors in, a ranked table out: means, Borda, places and how sure they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from scoring.ranking.agreement import agreement
from scoring.ranking.bootstrap import Replicates, bootstrap
from scoring.ranking.borda import Missing, Standing, standing
from scoring.ranking.inputs import (
    blank_missing,
    checked,
    over_clips,
    over_present,
    shared_clips,
)
from scoring.signature import joined, ranking_signature
from scoring.types import FloatArray


@dataclass(frozen=True, slots=True)
class Row:
    """One system's line in a ranked table.

    ``rank`` and ``borda`` are None for an unranked system. ``mean`` holds each metric's mean over
    clips and judges, None unless every judge has it; ``judges`` each judge's own means.
    ``rank_low`` and ``rank_high`` are the 95% percentile interval of the place (widened, where
    needed, to hold the place shown), ``low`` and ``high`` that of the mean primary metric,
    ``p_first`` the share of resamples that put the system first; None without a bootstrap.
    ``missing`` names the judges that have not scored the system on every clip.
    """

    system: str
    rank: int | None
    borda: float | None
    mean: Mapping[str, float | None]
    judges: Mapping[str, Mapping[str, float | None]]
    rank_low: int | None = None
    rank_high: int | None = None
    p_first: float | None = None
    low: float | None = None
    high: float | None = None
    missing: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The row as JSON-ready data."""
        # Not ``asdict``, which copies every number: ten thousand rows would take seconds.
        data = {field.name: getattr(self, field.name) for field in _ROW}
        judges = {judge: dict(metrics) for judge, metrics in self.judges.items()}
        return data | {"mean": dict(self.mean), "judges": judges, "missing": list(self.missing)}


_ROW = fields(Row)


@dataclass(frozen=True, slots=True)
class RankTable:
    """A ranking: rows best first (unranked last), and everything needed to make it again.

    ``clips`` is how many clips every mean is taken over, None for reported means. ``agreement``
    is that of the judges on the ranked systems (see ``agreement.agreement``).
    """

    rows: tuple[Row, ...]
    judges: tuple[str, ...]
    metrics: tuple[str, ...]
    primary: str
    clips: int | None
    replicates: int
    seed: int
    agreement: Mapping[str, Any]
    signature: str
    missing: Missing = "unranked"

    def to_json(self) -> dict[str, Any]:
        """The table as JSON-ready data: no NaN, None where a value is not defined."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        rows = [row.to_json() for row in self.rows]
        return data | {"rows": rows, "judges": list(self.judges), "metrics": list(self.metrics)}


def rank_scores(  # noqa: PLR0913 - the options are those that the signature names
    systems: Sequence[str],
    judges: Sequence[str],
    metrics: Mapping[str, FloatArray],
    *,
    primary: str = "hm_cf",
    replicates: int = 1000,
    seed: int = 0,
    missing: Missing = "unranked",
    higher_is_better: bool = True,
    gapped: Collection[str] = (),
    signatures: Iterable[str] = (),
) -> RankTable:
    """Rank systems by per-clip scores, with a paired bootstrap over clips.

    Args:
        systems: V names; judges: J names.
        metrics: name -> (V, J, C). Clips on which the primary metric is NaN everywhere are
            excluded for all. A system with a NaN left on a judge is missing that judge.
        replicates: resamples; 0 leaves intervals None. One clip leaves them None too.
        missing: what becomes of a system without a judge (see ``borda``).
        higher_is_better: direction of the primary metric.
        gapped: metrics that some clips do not have, whoever the system; their means are over the
            clips that have them. The primary metric is never one.
        signatures: those of the runs ranked, for the table's own.

    Raises:
        ScoringError: a name twice, a shape that does not fit, an unknown primary metric.
    """
    arrays = shared_clips(checked(systems, judges, metrics, primary, axes=3), primary)
    means = _means(arrays, primary, gapped)
    sign = 1.0 if higher_is_better else -1.0
    stands = standing(sign * means[primary], missing)
    scores = sign * blank_missing(arrays[primary])[stands.counted]
    rows = _rows(systems, judges, means, primary, stands)
    if replicates and len(scores) and scores.shape[2] > 1:
        resampled = bootstrap(
            scores, replicates=replicates, seed=seed, break_ties=stands.comparable
        )
        rows = _with_intervals(rows, primary, stands, resampled, sign)
    return RankTable(
        rows=_ordered(rows),
        judges=tuple(judges),
        metrics=tuple(metrics),
        primary=primary,
        clips=scores.shape[2],
        replicates=replicates,
        seed=seed,
        agreement=agreement(judges, means[primary][stands.counted], scores),
        signature=_signature(primary, judges, replicates, seed, missing, signatures),
        missing=missing,
    )


def rank_means(
    systems: Sequence[str],
    judges: Sequence[str],
    metrics: Mapping[str, FloatArray],
    *,
    primary: str = "hm_cf",
    missing: Missing = "unranked",
    higher_is_better: bool = True,
    signatures: Iterable[str] = (),
) -> RankTable:
    """Rank systems by reported means, ``metrics``: name -> (V, J).

    The same Borda as ``rank_scores``; without clips there is nothing to resample, so every
    interval is None. NaN marks a judge that is missing for a system.
    """
    means = checked(systems, judges, metrics, primary, axes=2)
    sign = 1.0 if higher_is_better else -1.0
    stands = standing(sign * means[primary], missing)
    return RankTable(
        rows=_ordered(_rows(systems, judges, means, primary, stands)),
        judges=tuple(judges),
        metrics=tuple(metrics),
        primary=primary,
        clips=None,
        replicates=0,
        seed=0,
        agreement=agreement(judges, means[primary][stands.counted]),
        signature=_signature(primary, judges, 0, 0, missing, signatures),
        missing=missing,
    )


def _means(
    arrays: Mapping[str, FloatArray], primary: str, gapped: Collection[str]
) -> dict[str, FloatArray]:
    """(V, J) by metric; where the primary one is missing, so is every gapped one."""
    means = {name: over_clips(values) for name, values in arrays.items()}
    for name in means.keys() & set(gapped) - {primary}:
        means[name] = np.where(np.isnan(means[primary]), np.nan, over_present(arrays[name]))
    return means


def _rows(
    systems: Sequence[str],
    judges: Sequence[str],
    means: Mapping[str, FloatArray],
    primary: str,
    stands: Standing,
) -> list[Row]:
    """One row a system, in the order given."""
    at = {int(system): n for n, system in enumerate(stands.counted)}
    absent = np.isnan(means[primary])
    return [
        Row(
            system=system,
            rank=int(stands.places[at[v]]) if v in at else None,
            borda=float(stands.totals[at[v]]) if v in at else None,
            mean={name: _number(values[v].mean()) for name, values in means.items() if judges},
            judges={
                judge: {name: _number(values[v, j]) for name, values in means.items()}
                for j, judge in enumerate(judges)
                if not absent[v, j]
            },
            missing=tuple(judge for j, judge in enumerate(judges) if absent[v, j]),
        )
        for v, system in enumerate(systems)
    ]


def _with_intervals(
    rows: list[Row], primary: str, stands: Standing, resampled: Replicates, sign: float
) -> list[Row]:
    """The rows with what the bootstrap says of them; unranked ones are left as they are."""
    rank_low, rank_high = resampled.rank_interval()
    ends = np.sort([sign * end for end in resampled.mean_interval()], axis=0)
    first = resampled.first()
    rows = list(rows)
    for at, (system, place) in enumerate(zip(stands.counted, stands.places, strict=True)):
        row, mean = rows[system], rows[system].mean[primary]
        rows[system] = replace(
            row,
            # An interval beside a value that it does not hold helps nobody: with very many near
            # ties a percentile interval can miss the place of the full data.
            rank_low=int(min(rank_low[at], place)),
            rank_high=int(max(rank_high[at], place)),
            p_first=float(first[at]),
            low=None if mean is None else min(float(ends[0, at]), mean),
            high=None if mean is None else max(float(ends[1, at]), mean),
        )
    return rows


def _ordered(rows: list[Row]) -> tuple[Row, ...]:
    """Best first, unranked last; those who share a place, and the unranked, by name."""
    return tuple(sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.system)))


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _signature(
    primary: str,
    judges: Sequence[str],
    replicates: int,
    seed: int,
    missing: Missing,
    signatures: Iterable[str],
) -> str:
    made = ranking_signature(
        primary=primary,
        judges=judges,
        replicates=replicates,
        seed=seed,
        run_signatures=signatures,
    )
    return made if missing == "unranked" else f"{made}|{joined({'missing': missing})}"

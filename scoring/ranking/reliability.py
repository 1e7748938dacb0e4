"""Everything that says how far a ranking can be trusted, in one value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.ranking.bootstrap import LEVEL, bootstrap
from scoring.ranking.borda import IntArray, average_ranks
from scoring.ranking.claims import Claim, neighbour_claims
from scoring.ranking.compare import Comparison, compare
from scoring.ranking.headtohead import head_to_head
from scoring.ranking.influence import (
    Move,
    PanelRanks,
    influence,
    judge_subsets,
    leave_one_judge_out,
)
from scoring.ranking.inputs import over_clips, shared_clips
from scoring.ranking.intervals import RankSets, rank_sets
from scoring.ranking.plain import plain
from scoring.ranking.stability import StabilityPoint, stability
from scoring.ranking.table import RankTable, rank_scores
from scoring.types import FloatArray

OVER_JUDGES = "mean over judges"


@dataclass(frozen=True, slots=True)
class MeanRanks:
    """Ranks by a plain mean over clips (of one judge, or over judges) and what may be claimed.

    ``basis`` says of whom. ``means`` and ``ranks`` (ties share the average rank) are those of the
    data, ``sets`` the 95% confidence sets, ``best`` the systems tied with the best (all those whose
    simultaneous set holds rank 1); the last two are None with one clip.
    """

    basis: str
    means: FloatArray
    ranks: FloatArray
    sets: RankSets | None
    best: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Resampled:
    """The bootstrap of the table: Borda places under resampling of the clips.

    ``low``, ``high``: 95% percentile interval of the place; ``first``: P(first);
    ``distribution[v, r]``: P(place r + 1); ``above[a, b]``: P(a above b); ``tau``, ``tau_low``,
    ``tau_high``: mean and 95% interval of Kendall's tau-b of replicates with the table.
    """

    low: IntArray
    high: IntArray
    first: FloatArray
    distribution: FloatArray
    above: FloatArray
    tau: float | None
    tau_low: float | None
    tau_high: float | None


@dataclass(frozen=True, slots=True)
class Reliability:
    """How sure a ranking is. Every list over systems follows ``systems``: ranked ones, best first.

    ``resampled`` speaks of the table itself (Borda), ``over_judges`` and ``by_judge`` of ranks by
    means, for which confidence sets exist: the two answer different questions and are named apart.
    ``comparison`` is over per-clip means over judges, and ``detectable`` the median over pairs of
    the least true difference that this many clips would show (power 0.8, two-sided 5%).
    ``leaving`` maps a system to the moves of the others when it leaves.
    """

    table: RankTable
    systems: tuple[str, ...]
    unranked: tuple[str, ...]
    places: IntArray
    resampled: Resampled | None
    over_judges: MeanRanks
    by_judge: tuple[MeanRanks, ...]
    comparison: Comparison
    agreement: Mapping[str, Any]
    without_judge: tuple[PanelRanks, ...]
    judge_subsets: tuple[PanelRanks, ...]
    leaving: Mapping[str, tuple[Move, ...]]
    detectable: float | None
    stability: tuple[StabilityPoint, ...]
    claims: tuple[Claim, ...]
    signature: str

    def to_json(self) -> dict[str, Any]:
        """The value as strict JSON data (no NaN); arrays are nested lists."""
        data: dict[str, Any] = plain(self)
        claims = [plain(claim) | {"text": claim.text} for claim in self.claims]
        return data | {"table": self.table.to_json(), "claims": claims}


def statistics(
    systems: Sequence[str],
    judges: Sequence[str],
    scores: FloatArray,
    *,
    primary: str = "hm_cf",
    replicates: int = 1000,
    seed: int = 0,
    signatures: Iterable[str] = (),
) -> Reliability:
    """Compute everything above from (V, J, C) per-clip values of the primary metric.

    Higher is better (turn a rate of errors round before). Systems without a judge are unranked and
    take no part. Some 0.2 s for 17 systems, 5 judges and 199 clips; comparisons grow
    with V squared, so a table of many hundred systems is better cut to the ones of interest.
    """
    table = rank_scores(
        systems,
        judges,
        {primary: scores},
        primary=primary,
        replicates=replicates,
        seed=seed,
        signatures=signatures,
    )
    ranked = {row.system: row.rank for row in table.rows if row.rank is not None}
    names = tuple(ranked)
    places = np.array([ranked[name] for name in names], dtype=np.int64)
    kept = _ranked_scores(scores, [list(systems).index(name) for name in names])
    means, over_judges = over_clips(kept), _over_judges(kept)
    resampled = _resampled(kept, places, replicates, seed)
    by_mean = _mean_ranks(OVER_JUDGES, names, over_judges, replicates, seed)
    comparison = compare(over_judges)
    claims: tuple[Claim, ...] = ()
    if resampled is not None and by_mean.sets is not None:
        claims = neighbour_claims(names, resampled.above, by_mean.sets)
    return Reliability(
        table=table,
        systems=names,
        unranked=tuple(row.system for row in table.rows if row.rank is None),
        places=places,
        resampled=resampled,
        over_judges=by_mean,
        by_judge=tuple(
            _mean_ranks(judge, names, kept[:, j], replicates, seed)
            for j, judge in enumerate(judges)
        ),
        comparison=comparison,
        agreement=table.agreement,
        without_judge=leave_one_judge_out(judges, means),
        judge_subsets=judge_subsets(judges, means),
        leaving=influence(names, means),
        detectable=_median(comparison.detectable),
        stability=stability(kept, seed=seed),
        claims=claims,
        signature=table.signature,
    )


def _ranked_scores(scores: FloatArray, ranked: list[int]) -> FloatArray:
    """The ranked systems' scores, best first, on the clips that count: no NaN is left."""
    return shared_clips({"": np.asarray(scores, dtype=np.float64)}, "")[""][ranked]


def _over_judges(scores: FloatArray) -> FloatArray:
    """(V, C) mean over judges on each clip."""
    systems, judges, clips = scores.shape
    return scores.mean(axis=1) if judges else np.zeros((systems, clips))


def _mean_ranks(
    basis: str, names: tuple[str, ...], scores: FloatArray, replicates: int, seed: int
) -> MeanRanks:
    means = over_clips(scores[:, None])[:, 0]
    sets = rank_sets(scores, replicates=replicates, seed=seed) if replicates else None
    best = tuple(names[v] for v in sets.best) if sets else None
    return MeanRanks(basis, means, average_ranks(means), sets, best)


def _resampled(
    scores: FloatArray, places: IntArray, replicates: int, seed: int
) -> Resampled | None:
    """The bootstrap, or None where there is nothing to resample."""
    if not replicates or scores.shape[2] < 2 or not scores.size:
        return None
    drawn = bootstrap(scores, replicates=replicates, seed=seed)
    low, high = drawn.rank_interval()
    compared = head_to_head(drawn, places)
    tau = compared.tau[np.isfinite(compared.tau)]
    tails = np.quantile(tau, [(1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0]) if tau.size else None
    return Resampled(
        low=np.minimum(low, places),
        high=np.maximum(high, places),
        first=drawn.first(),
        distribution=drawn.distribution(),
        above=compared.above,
        tau=float(tau.mean()) if tau.size else None,
        tau_low=None if tails is None else float(tails[0]),
        tau_high=None if tails is None else float(tails[1]),
    )


def _median(matrix: FloatArray) -> float | None:
    """The median over pairs of different systems, None where there is none or it is undefined."""
    pairs = matrix[np.triu_indices(len(matrix), 1)]
    return float(np.median(pairs)) if pairs.size and np.isfinite(pairs).all() else None

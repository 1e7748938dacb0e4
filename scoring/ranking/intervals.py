"""What may be claimed of ranks: confidence sets after Mogstad, Romano, Shaikh and Wilhelm.

"Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic Achievement
across Countries", Review of Economic Studies 91 (2024). Every two systems are compared by the
paired t of their per-clip differences. A step-down test by the bootstrap distribution of the
largest |t| says which pairs are separated, and in which direction; the probability of one wrong
claim or more is at most 1 - level. A system's rank then lies between 1 + (how many are separated
above it) and V - (how many are separated below it), for all systems at once ("simultaneous") or
for one system looked at alone ("marginal").

These sets speak of ranks by a *mean* over clips (of one judge, or of the mean over judges). Borda
totals are not means, so for them only the bootstrap can be shown. Percentile intervals of
bootstrap ranks describe resampling and under-cover near ties; the sets here do not.

Critical values: the multinomial resamples of ``bootstrap.draws``, centred on the data, studentised
by the data's standard errors, then carried over from the normal to the t distribution with C - 1
degrees of freedom (the same tail probability), which matters when clips are few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

from scoring.ranking.bootstrap import LEVEL, draws, exact_for_sums, product
from scoring.ranking.borda import IntArray, tie_tolerance
from scoring.types import FloatArray, ScoringError

BoolArray = NDArray[np.bool_]
_CHUNK_CELLS, _CHUNK_ROWS = 2_000_000, 300


@dataclass(frozen=True, slots=True)
class RankSets:
    """Confidence sets of ranks, both ends inclusive, 1 is best; every array is (V,) but ``above``.

    ``low`` and ``high``: all sets hold together with probability ``level``. ``marginal_low`` and
    ``marginal_high``: each set by itself does. ``above[a, b]`` says that a is separated above b
    (simultaneously).
    """

    low: IntArray
    high: IntArray
    marginal_low: IntArray
    marginal_high: IntArray
    above: BoolArray
    level: float

    @property
    def best(self) -> tuple[int, ...]:
        """The systems that may be first ("tied with the best"): their simultaneous set holds 1."""
        return tuple(int(v) for v in np.flatnonzero(self.low == 1))


@dataclass(frozen=True, slots=True)
class Differences:
    """Paired differences of every two systems a < b, in the order of ``np.triu_indices``.

    ``mean`` (P,) is the mean over clips of a's value less b's, ``deviation`` (P,) the standard
    deviation of that difference over clips (denominator C - 1), exactly 0 where all differences are
    equal within float noise; ``clips`` is C.
    """

    first: IntArray
    second: IntArray
    mean: FloatArray
    deviation: FloatArray
    clips: int

    @property
    def error(self) -> FloatArray:
        """Standard error of the mean difference."""
        return np.asarray(self.deviation / np.sqrt(self.clips))

    @property
    def t(self) -> FloatArray:
        """Paired t; 0 for two equal systems, infinite where every clip shows the same gap."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.mean == 0.0, 0.0, self.mean / self.error)


def differences(scores: FloatArray) -> Differences:
    """Paired differences of (V, C) per-clip values, C >= 2, no NaN."""
    systems, clips = scores.shape
    first, second = np.triu_indices(systems, 1)
    mean, deviation = np.empty((2, first.size))
    rows = max(1, _CHUNK_CELLS // clips)
    for start in range(0, first.size, rows):
        part = slice(start, start + rows)
        gaps = scores[first[part]] - scores[second[part]]
        mean[part], deviation[part] = gaps.mean(axis=1), gaps.std(axis=1, ddof=1)
    noise = tie_tolerance(scores)
    mean[np.abs(mean) <= noise] = 0.0
    deviation[deviation <= noise] = 0.0
    return Differences(first, second, mean, deviation, clips)


def rank_sets(
    scores: FloatArray, *, level: float = LEVEL, replicates: int = 1000, seed: int = 0
) -> RankSets | None:
    """Confidence sets for the ranks of V systems by their mean over clips.

    Args:
        scores: (V, C) per-clip values, higher is better, no NaN.
        level: probability that a marginal set holds, and that all simultaneous sets hold at once.
        replicates: resamples behind the critical values; at least one.

    Returns:
        None with fewer than two clips: nothing can be said then.

    Raises:
        ScoringError: no replicates.
    """
    systems, clips = scores.shape
    if replicates < 1:
        raise ScoringError("confidence sets need resamples; ask for 1000, say")
    if clips < 2:
        return None
    gaps = differences(scores)
    noise = _noise(scores, replicates, seed)
    above = _above(systems, gaps, _step_down(gaps, np.arange(gaps.mean.size), noise, level))
    alone = np.zeros((2, systems), dtype=np.int64)
    for system in range(systems):
        own = np.flatnonzero((gaps.first == system) | (gaps.second == system))
        separated = np.zeros(gaps.mean.size, dtype=bool)
        separated[own] = _step_down(gaps, own, noise, level)
        ahead = np.where(gaps.first == system, gaps.mean, -gaps.mean) > 0
        alone[:, system] = (separated & ~ahead).sum(), (separated & ahead).sum()
    return RankSets(
        low=1 + above.sum(axis=0),
        high=systems - above.sum(axis=1),
        marginal_low=1 + alone[0],
        marginal_high=systems - alone[1],
        above=above,
        level=level,
    )


def _above(systems: int, gaps: Differences, separated: BoolArray) -> BoolArray:
    """Entry (a, b) is true where a is separated above b."""
    above = np.zeros((systems, systems), dtype=bool)
    above[gaps.first, gaps.second] = separated & (gaps.mean > 0)
    above[gaps.second, gaps.first] = separated & (gaps.mean < 0)
    return above


def _noise(scores: FloatArray, replicates: int, seed: int) -> FloatArray:
    """Centred resampled means, (V, B), with the variance of a mean over C clips."""
    clips = scores.shape[1]
    centred, _ = exact_for_sums(scores - scores.mean(axis=1, keepdims=True), clips)
    columns = np.ascontiguousarray(centred.T)
    stream = draws(clips, replicates, seed).counts(_CHUNK_ROWS)
    noise = np.vstack([product(counts, columns) for counts in stream])
    # Resampling C clips understates the variance by (C - 1) / C.
    return np.asarray(np.ascontiguousarray(noise.T) / np.sqrt(clips * (clips - 1.0)))


def _step_down(gaps: Differences, pairs: IntArray, noise: FloatArray, level: float) -> BoolArray:
    """Which of ``pairs`` are separated: reject by max |t|, then again with what is left over.

    The family holds one hypothesis for each direction, "a is not above b" and "b is not above a",
    so that at first the largest |t| counts. Of a separated pair one direction is rejected; the
    other stays in the family, which keeps the probability of any wrong claim, wrong directions
    included, at 1 - level or less. Pairs without variance need no test: equal systems are never
    separated, a gap that is the same on every clip always is.
    """
    t = gaps.t[pairs]
    separated = np.isinf(t)
    tested = np.flatnonzero(gaps.deviation[pairs] > 0.0)
    left = np.zeros(tested.size)
    while tested.size:
        critical = _critical(gaps, pairs[tested], left, noise, level)
        found = (np.abs(t[tested]) > critical) & (left == 0.0)
        if not found.any():
            break
        left[found] = -np.sign(t[tested[found]])
    separated[tested[left != 0.0]] = True
    return separated


def _critical(
    gaps: Differences, pairs: IntArray, left: FloatArray, noise: FloatArray, level: float
) -> float:
    """The ``level`` quantile, were all systems equal, of the largest t among what is left.

    ``left`` is 0 where both directions of a pair are, else the sign of the one that is.
    """
    largest = np.zeros(noise.shape[1])
    rows = max(1, _CHUNK_CELLS // noise.shape[1])
    for start in range(0, pairs.size, rows):
        part, sign = pairs[start : start + rows], left[start : start + rows, None]
        spread = (noise[gaps.first[part]] - noise[gaps.second[part]]) / gaps.error[part][:, None]
        spread = np.where(sign == 0.0, np.abs(spread), sign * spread)
        np.maximum(largest, spread.max(axis=0), out=largest)
    normal = float(np.quantile(largest, level, method="higher"))
    # The mirrored tails are used: the upper one of a normal runs out of digits beyond 8.
    return float(-stdtrit(gaps.clips - 1, ndtr(-normal)))

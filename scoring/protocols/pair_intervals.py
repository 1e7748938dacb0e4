"""95% intervals of an accuracy: Wilson's for shares, a percentile bootstrap for any mean."""

from __future__ import annotations

from math import sqrt

import numpy as np

from scoring.ranking.bootstrap import draws
from scoring.types import FloatArray, ScoringError

_Z = 1.959963984540054
"""The 97.5% point of the normal distribution."""


def wilson_interval(correct: int, total: int) -> tuple[float, float]:
    """95% score interval of a share (Wilson, 1927): never outside [0, 1], sensible at 0 and 1."""
    if not 0 <= correct <= total or total < 1:
        message = f"a share needs 0 <= correct <= total and total > 0; got {correct} of {total}"
        raise ScoringError(message)
    share, weight = correct / total, _Z * _Z / total
    centre = (share + weight / 2) / (1 + weight)
    half = _Z * sqrt(share * (1 - share) / total + weight / (4 * total)) / (1 + weight)
    return max(0.0, centre - half), min(1.0, centre + half)


def bootstrap_means(
    values: FloatArray, weights: FloatArray, *, replicates: int, seed: int
) -> FloatArray:
    """Means of `values` in resamples of the pairs, (replicates,); pairs of weight 0 do not count.

    A resample in which no pair counts gives 0.
    """
    stacked = np.column_stack([values * weights, weights])
    sums = np.concatenate(
        [counts @ stacked for counts in draws(len(values), replicates, seed).counts(256)]
    )
    empty = sums[:, 1] == 0
    return np.asarray(sums[:, 0] / np.where(empty, 1.0, sums[:, 1]), np.float64)


def percentile_interval(replicates: FloatArray) -> tuple[float, float]:
    """The 2.5% and 97.5% points of bootstrap replicates."""
    low, high = np.quantile(replicates, [0.025, 0.975])
    return float(low), float(high)

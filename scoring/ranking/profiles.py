"""Which systems do well and badly on the same clips."""

from __future__ import annotations

import numpy as np

from scoring.ranking.agreement import pearson
from scoring.ranking.borda import tie_tolerance
from scoring.types import FloatArray


def similarity(scores: FloatArray, system: int) -> tuple[float | None, ...]:
    """How alike the profile of one system is to that of every other.

    Args:
        scores: (V, C) values of V systems on the same C clips, no NaN.
        system: the row that the others are compared with.

    Returns:
        For each system Pearson's correlation, over clips, of the two rows after the mean of each
        clip over systems has been taken away: that a clip is hard for everybody makes nobody
        alike. In [-1, 1], 1 for the system itself; None where a profile is flat, and for all with
        fewer than three systems, whose profiles mirror each other whatever the scores.
    """
    if len(scores) < 3:
        return (None,) * len(scores)
    profiles = scores - scores.mean(axis=0)
    profiles[np.abs(profiles) <= tie_tolerance(scores)] = 0.0
    return tuple(pearson(profiles[system], other) for other in profiles)

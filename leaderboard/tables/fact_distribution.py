"""How the rates of entailed and contradicted facts spread over the clips of a run."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from leaderboard.models import Run, ScoreVector
from leaderboard.tables.labels import metric_title
from leaderboard.tables.reliability import Matrix

RATES = ("ent_ref", "ent_pred", "cont_ref", "cont_pred")
BINS = 10


def fact_distribution(run: Run) -> Matrix | None:
    """Per rate and direction the share of clips in each tenth of 0 to 1; None without such rates.

    A bin holds its lower end and not its upper one, but for the last, which holds both.
    """
    vectors = {
        vector.metric: vector.values[np.isfinite(vector.values)]
        for vector in ScoreVector.objects.filter(run=run, metric__in=RATES)
    }
    known = [name for name in RATES if len(vectors.get(name, ()))]
    if not known:
        return None
    edges = np.arange(BINS + 1) / BINS
    # Rates like 0.3 come from divisions: rounding keeps them on their own side of an edge.
    shares = [
        np.histogram(np.round(vectors[name], 9), bins=np.round(edges, 9))[0] / len(vectors[name])
        for name in known
    ]
    return Matrix(
        key=f"facts-{run.pk}",
        title="Facts over the clips",
        meaning="share of clips by rate of facts entailed (ENT) or contradicted (CONT), both ways",
        rows=tuple(
            (f"{low:.1f} to {high:.1f}", tuple(float(share[at]) for share in shares))
            for at, (low, high) in enumerate(pairwise(edges))
        ),
        columns=tuple(metric_title(name) for name in known),
        shares=True,
    )

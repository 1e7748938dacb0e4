"""Rankings and what they establish: arrays of scores in, frozen values out.

Nothing here calls a judge. ``rank_scores`` and ``rank_means`` make tables.
"""

from scoring.ranking.bootstrap import Replicates, bootstrap
from scoring.ranking.borda import per_clip_borda
from scoring.ranking.table import RankTable, Row, rank_means, rank_scores

__all__ = [
    "RankTable",
    "Replicates",
    "Row",
    "bootstrap",
    "per_clip_borda",
    "rank_means",
    "rank_scores",
]

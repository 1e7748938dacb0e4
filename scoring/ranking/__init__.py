"""Rankings and what they establish: arrays of scores in, frozen values out.

Nothing here calls a judge. ``rank_scores`` and ``rank_means`` make tables, ``statistics`` says how
far one can be trusted; one algorithm a file.
"""

from scoring.ranking.agreement import agreement
from scoring.ranking.bootstrap import Replicates, bootstrap
from scoring.ranking.borda import Missing, per_clip_borda
from scoring.ranking.claims import Claim, claim
from scoring.ranking.compare import Comparison, compare, detectable, resampled_differences
from scoring.ranking.headtohead import HeadToHead, head_to_head
from scoring.ranking.influence import influence, judge_subsets, leave_one_judge_out
from scoring.ranking.intervals import RankSets, rank_sets
from scoring.ranking.profiles import nearest, similarity
from scoring.ranking.reliability import Reliability, statistics
from scoring.ranking.stability import StabilityPoint, stability
from scoring.ranking.table import RankTable, Row, rank_means, rank_scores

__all__ = [
    "Claim",
    "Comparison",
    "HeadToHead",
    "Missing",
    "RankSets",
    "RankTable",
    "Reliability",
    "Replicates",
    "Row",
    "StabilityPoint",
    "agreement",
    "bootstrap",
    "claim",
    "compare",
    "detectable",
    "head_to_head",
    "influence",
    "judge_subsets",
    "leave_one_judge_out",
    "nearest",
    "per_clip_borda",
    "rank_means",
    "rank_scores",
    "rank_sets",
    "resampled_differences",
    "similarity",
    "stability",
    "statistics",
]

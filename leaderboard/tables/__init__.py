"""The read side: one set of rows for the page, the API and every export."""

from leaderboard.tables.ablation import ablations
from leaderboard.tables.agreement import Agreement, agreement
from leaderboard.tables.benchmarks import Card, TopTable, cards
from leaderboard.tables.board import Board, Row, board, latest_rankings, load
from leaderboard.tables.breakdown import Breakdown, breakdown
from leaderboard.tables.choice import INTERVALS, Choice, categories_of, has_durations
from leaderboard.tables.choosing import chosen_ranking, computed_apart
from leaderboard.tables.chosen import can_choose
from leaderboard.tables.clip import ClipPage, clip_page
from leaderboard.tables.clips import ClipLine, ClipList, clip_list, scoring_track
from leaderboard.tables.columns import Column, Group
from leaderboard.tables.compare import asked_systems, comparison
from leaderboard.tables.compared import focus
from leaderboard.tables.diagnostics import Diagnostics, diagnostics, flags_of_clip
from leaderboard.tables.embargo import under_embargo
from leaderboard.tables.examples import examples
from leaderboard.tables.explore import Explored, explored
from leaderboard.tables.labels import by_baseline, judge_title
from leaderboard.tables.larger import BeingComputed
from leaderboard.tables.layout import Layout
from leaderboard.tables.pair_families import Family, families, hardest
from leaderboard.tables.progress import Waiting, waiting
from leaderboard.tables.relations import relations
from leaderboard.tables.reliability import Matrix, reliability
from leaderboard.tables.runs import Remarks, remarks
from leaderboard.tables.sorting import Sort
from leaderboard.tables.spreads import spreads
from leaderboard.tables.standing import newest_shown, stamp
from leaderboard.tables.submissions import (
    Report,
    being_scored,
    own_in,
    report,
    scores_of,
    submissions_of,
)
from leaderboard.tables.summary import Summary, summary
from leaderboard.tables.system_choice import WEIGHTS, SystemChoice, choose_systems, values_of
from leaderboard.tables.system_facts import SystemFacts, billions, systems_stamp
from leaderboard.tables.teams import TeamPage, sender, team_page

__all__ = [
    "INTERVALS",
    "WEIGHTS",
    "Agreement",
    "BeingComputed",
    "Board",
    "Breakdown",
    "Card",
    "Choice",
    "ClipLine",
    "ClipList",
    "ClipPage",
    "Column",
    "Diagnostics",
    "Explored",
    "Family",
    "Group",
    "Layout",
    "Matrix",
    "Remarks",
    "Report",
    "Row",
    "Sort",
    "Summary",
    "SystemChoice",
    "SystemFacts",
    "TeamPage",
    "TopTable",
    "Waiting",
    "ablations",
    "agreement",
    "asked_systems",
    "being_scored",
    "billions",
    "board",
    "breakdown",
    "by_baseline",
    "can_choose",
    "cards",
    "categories_of",
    "choose_systems",
    "chosen_ranking",
    "clip_list",
    "clip_page",
    "comparison",
    "computed_apart",
    "diagnostics",
    "examples",
    "explored",
    "families",
    "flags_of_clip",
    "focus",
    "hardest",
    "has_durations",
    "judge_title",
    "latest_rankings",
    "load",
    "newest_shown",
    "own_in",
    "relations",
    "reliability",
    "remarks",
    "report",
    "scores_of",
    "scoring_track",
    "sender",
    "spreads",
    "stamp",
    "submissions_of",
    "summary",
    "systems_stamp",
    "team_page",
    "under_embargo",
    "values_of",
    "waiting",
]

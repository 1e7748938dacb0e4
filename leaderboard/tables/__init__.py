"""The read side: one set of rows for the page, the API and every export."""

from leaderboard.tables.agreement import Agreement, agreement
from leaderboard.tables.benchmarks import Card, TopTable, cards
from leaderboard.tables.board import Board, Column, Row, board, latest_rankings
from leaderboard.tables.clip import ClipPage, clip_page
from leaderboard.tables.clips import ClipLine, ClipList, clip_list, scoring_track
from leaderboard.tables.examples import examples
from leaderboard.tables.sorting import Sort
from leaderboard.tables.submissions import Report, being_scored, report, submissions_of

__all__ = [
    "Agreement",
    "Board",
    "Card",
    "ClipLine",
    "ClipList",
    "ClipPage",
    "Column",
    "Report",
    "Row",
    "Sort",
    "TopTable",
    "agreement",
    "being_scored",
    "board",
    "cards",
    "clip_list",
    "clip_page",
    "examples",
    "latest_rankings",
    "report",
    "scoring_track",
    "submissions_of",
]

"""Markdown: a pipe table, the best of each column in bold."""

from leaderboard.exports.sheet import sheet
from leaderboard.exports.shown import Shown
from scoring.ranking.render import to_markdown


def write(shown: Shown) -> str:
    """The table, and below it what it follows from."""
    return to_markdown(sheet(shown))

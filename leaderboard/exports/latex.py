"""LaTeX: a booktabs tabular, the best of each column in bold, rank intervals, groups of judges."""

from leaderboard.exports.sheet import sheet
from leaderboard.exports.shown import Shown
from scoring.ranking.render import to_latex


def write(shown: Shown) -> str:
    """The table, with what it follows from as comments above it."""
    return to_latex(sheet(shown))

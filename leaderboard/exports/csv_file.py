"""CSV: full precision, safe to open in a spreadsheet, each row with what it follows from."""

from leaderboard.exports.sheet import sheet
from leaderboard.exports.shown import Shown
from scoring.ranking.render import to_csv


def write(shown: Shown) -> str:
    """The table, one row a system."""
    return to_csv(sheet(shown))

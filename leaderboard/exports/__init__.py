"""Tables as files: one format a file, all fed by the rows that the page shows.

Numbers have full precision where a program reads them (CSV, JSON, NPZ) and the page's digits where
people do. What a spreadsheet, Markdown or LaTeX would act on is made plain.
"""

from leaderboard.exports.badge import badge
from leaderboard.exports.formats import FORMATS, Format
from leaderboard.exports.matrix import ScoreMatrix, score_matrix
from leaderboard.exports.parts import part_of
from leaderboard.exports.shown import Shown
from leaderboard.exports.stored import etag, permalink, stored, withheld

__all__ = [
    "FORMATS",
    "Format",
    "ScoreMatrix",
    "Shown",
    "badge",
    "etag",
    "part_of",
    "permalink",
    "score_matrix",
    "stored",
    "withheld",
]

"""Every format that a shown table is offered in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from leaderboard.exports import bibtex, csv_file, json_file, latex, markdown
from leaderboard.exports.shown import Shown


@dataclass(frozen=True, slots=True)
class Format:
    """``suffix`` ends the address and the file's name; ``write`` makes the whole text."""

    suffix: str
    title: str
    content_type: str
    write: Callable[[Shown], str]


FORMATS = {
    made.suffix: made
    for made in (
        Format("csv", "CSV, for spreadsheets", "text/csv", csv_file.write),
        Format("json", "JSON", "application/json", json_file.write),
        Format("md", "Markdown", "text/markdown", markdown.write),
        Format("tex", "LaTeX (booktabs)", "application/x-tex", latex.write),
        Format("bib", "BibTeX", "application/x-bibtex", bibtex.write),
    )
}

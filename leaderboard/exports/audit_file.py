"""The audit trail as a file: CSV for a spreadsheet, JSON Lines for programs."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from leaderboard.tables.audit_trail import COLUMNS
from scoring.ranking.render import safe_cell

Rows = Iterable[Mapping[str, Any]]


class _Line:
    """Hands a written line back instead of keeping it."""

    def write(self, line: str) -> str:
        """The line."""
        return line


@dataclass(frozen=True, slots=True)
class TrailFormat:
    """A format: its content type, and how it writes rows as lines."""

    content_type: str
    lines: Callable[[Rows], Iterator[str]]


def csv_lines(rows: Rows) -> Iterator[str]:
    """RFC 4180; what changed as JSON in one cell; no text that would be taken for a formula."""
    writer = csv.writer(_Line())
    yield writer.writerow(COLUMNS)
    for row in rows:
        cells = (_cell(row[name]) for name in COLUMNS)
        yield writer.writerow([safe_cell(cell) for cell in cells])


def json_lines(rows: Rows) -> Iterator[str]:
    """One entry a line."""
    for row in rows:
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


TRAIL_FORMATS = {
    "csv": TrailFormat("text/csv; charset=utf-8", csv_lines),
    "jsonl": TrailFormat("application/jsonl; charset=utf-8", json_lines),
}

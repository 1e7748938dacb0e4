"""Rows of a table or records of a JSON file, whatever they mean: CSV, TSV, JSON Lines, JSON list.

`records` yields each as field names and values with its position; every fault goes to a `Findings`.
Readers of pairs, keypoints and judgements build on it; what the fields mean is theirs.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from scoring.formats.fields import found
from scoring.formats.quoting import counted, quote
from scoring.formats.source import Refused, Source
from scoring.formats.strict_json import JsonFault, Lines, Number, Pairs, document, items, kind_of
from scoring.types import Problem, Severity

DELIMITERS = (",", "\t", ";", "|")
MAX_LISTED = 200
"""Problems that are listed; further ones are only counted."""
MAX_FOUND = 10_000
"""Problems after which reading stops: the file is beyond repair by hand."""
_HEADER = 100_000
# Legal in JSON, but neither PostgreSQL nor a UTF-8 stream takes them.
_FORBIDDEN = re.compile("[\x00\ud800-\udfff]")


class GiveUp(Exception):  # noqa: N818 - ends the reading of one file, caught where it began
    """The rest of the file cannot be read; the problem is already noted."""


class Findings:
    """The problems of one upload, which may be of several files. Listed up to a limit."""

    def __init__(self) -> None:
        self._errors: list[Problem] = []
        self._warnings: dict[str, Problem] = {}
        self._found = 0
        self.file = ""
        """Name of the file being read, when there are several; put before every position."""

    def add(
        self,
        code: str,
        message: str,
        where: str = "",
        clip: str = "",
        severity: Severity = "error",
    ) -> None:
        """Note a problem at `where` in the current file."""
        place = ", ".join(part for part in (self.file, where) if part)
        problem = Problem(code, message, place, clip[:120], severity)
        if severity == "warning":
            self._warnings.setdefault(f"{self.file}\n{message}", problem)
            return
        self._found += 1
        if self._found <= MAX_LISTED:
            self._errors.append(problem)
        if self._found >= MAX_FOUND:
            raise GiveUp

    def stop(self, code: str, message: str, where: str = "") -> None:
        """Note an error after which the current file is not read on."""
        self.add(code, message, where)
        raise GiveUp

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Errors, how many more there are, warnings."""
        more = self._found - MAX_LISTED
        stopped = "; reading stopped there" if self._found >= MAX_FOUND else ""
        rest = Problem("more-problems", f"and {counted(more, 'more error')}{stopped}")
        counts = (rest,) if more > 0 else ()
        return (*self._errors, *counts, *self._warnings.values())


@dataclass(frozen=True, slots=True)
class Record:
    """One row or object: values by field name (trimmed, in lower case), and where it stands.

    Cells of tables are strings. JSON values are strings, floats, booleans, None, lists and dicts.
    """

    fields: Mapping[str, object]
    where: str


def records(
    source: Source,
    findings: Findings,
    *,
    wanted: Collection[str],
    last: Collection[str] = (),
) -> Iterator[Record]:
    """Every row of the file that can be read; faults go to `findings`, never an exception.

    Args:
        wanted: Field names (in lower case) by which the delimiter of a table is told.
        last: First cells (in lower case) of a summary under a table: reading ends there, with a
            warning.
    """
    try:
        if source.start == "[":
            yield from _list(source, findings)
        elif source.start == "{":
            yield from _lines(source, findings)
        else:
            yield from _table(source, findings, wanted, last)
    except Refused as refused:
        findings.add(refused.code, refused.message)
    except GiveUp:
        return


def unfit(text: str) -> str:
    """What `text` holds that can be neither stored nor shown, in words, or ""."""
    match = _FORBIDDEN.search(text)
    if match is None:
        return ""
    return (
        "the character NUL" if match[0] == "\x00" else f"a lone surrogate (U+{ord(match[0]):04X})"
    )


def _list(source: Source, findings: Findings) -> Iterator[Record]:
    lines = Lines(source.text)
    try:
        for number, (offset, value) in enumerate(items(source.text), start=1):
            yield from _object(value, f"item {number} (line {lines.at(offset)[0]})", findings)
    except JsonFault as fault:
        line, column = lines.at(fault.offset)
        message = f"not read as JSON: {fault.message}"
        findings.stop(fault.code, message, f"line {line}, column {column}")


def _lines(source: Source, findings: Findings) -> Iterator[Record]:
    # Lines end at a line feed only: U+2028 and U+0085 are characters inside a text.
    for number, line in enumerate(source.text.split("\n"), start=1):
        if not line or line.isspace():
            continue
        where = f"line {number}"
        try:
            value = document(line)
        except JsonFault as fault:
            message = f"not read as JSON: {fault.message} (column {fault.offset + 1:,})"
            findings.add(fault.code, message, where)
        else:
            yield from _object(value, where, findings)


def _object(value: object, where: str, findings: Findings) -> Iterator[Record]:
    if not isinstance(value, Pairs):
        message = f"a record must be a JSON object, not {kind_of(value)}"
        findings.add("not-a-record", message, where)
        return
    faults: list[tuple[str, str]] = []
    fields = {key.strip().casefold(): item for key, item in _plain_items(value, faults)}
    if len(fields) < len(value) and not faults:
        faults.append(("duplicate-field", "two field names differ only by case or spaces"))
    for code, message in faults:
        findings.add(code, message, where)
    if not faults:
        yield Record(fields, where)


def _plain_items(value: Pairs, faults: list[tuple[str, str]]) -> Iterator[tuple[str, object]]:
    seen: set[str] = set()
    for key, item in value:
        if key in seen:
            faults.append(("duplicate-field", f"the field {quote(key)} stands twice; keep one"))
        if unfit(key):
            faults.append(("forbidden-character", f"a field name holds {unfit(key)}; remove it"))
        seen.add(key)
        yield key, _plain(item, key, faults)


def _plain(value: object, key: str, faults: list[tuple[str, str]]) -> object:
    """A parsed JSON value as ordinary Python data."""
    if isinstance(value, Pairs):
        return dict(_plain_items(value, faults))
    if isinstance(value, list):
        return [_plain(item, key, faults) for item in value]
    if isinstance(value, Number):
        return float(value.token)
    if isinstance(value, str) and unfit(value):
        message = f"the field {quote(key)} holds {unfit(value)}; remove it"
        faults.append(("forbidden-character", message))
    return value


def _table(
    source: Source, findings: Findings, wanted: Collection[str], last: Collection[str]
) -> Iterator[Record]:
    header: tuple[str, ...] = ()
    delimiter = _delimiter(source.text[:_HEADER], wanted)
    for line, row in _rows(source.text, delimiter, findings):
        where = f"line {line}"
        if not header:
            header = _columns(row, wanted, findings, where)
        elif row[0].strip().casefold() in last:
            message = f"the summary from line {line} on is not read: metrics are computed here"
            findings.add("summary", message, where, severity="warning")
            return
        elif len(row) != len(header):
            message = (
                f"{counted(len(row), 'field')}, expected {len(header)}; a text that holds the "
                f"delimiter {quote(delimiter)} must stand in double quotes"
            )
            findings.add("field-count", message, where)
        elif bad := next((cell for cell in row if unfit(cell)), None):
            findings.add("forbidden-character", f"a cell holds {unfit(bad)}; remove it", where)
        else:
            yield Record(dict(zip(header, row, strict=True)), where)


def _columns(
    row: list[str], wanted: Collection[str], findings: Findings, where: str
) -> tuple[str, ...]:
    header = tuple(cell.strip().casefold() for cell in row)
    twice = [cell for cell in header if cell and header.count(cell) > 1]
    if twice:
        message = f"the column {quote(twice[0])} stands twice; keep one"
        findings.stop("duplicate-field", message, where)
    if not set(header) & set(wanted):
        message = f"the first line must name columns such as {', '.join(wanted)}; found "
        findings.stop("no-header", message + found(tuple(row)), where)
    return header


def _delimiter(head: str, wanted: Collection[str]) -> str:
    """The delimiter that gives the header the most wanted columns; a comma when none does."""

    def columns(delimiter: str) -> int:
        rows = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
        header = next((row for row in rows if row), [])
        return len({cell.strip().casefold() for cell in header} & set(wanted))

    return max(DELIMITERS, key=columns)


def _rows(text: str, delimiter: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not an empty line, with the line it starts in."""
    lines = io.StringIO(text.replace("\r\n", "\n"), newline="")
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            where = f"line {start}"
            if "unexpected end of data" in str(error):
                message = "a double quote opens in this row and is never closed"
                findings.stop("unclosed-quote", message, where)
            message = "a quoted field goes on after its closing quote; double a quote inside a text"
            findings.add("bad-quote", message, where)
            continue
        if any(row):
            yield start, row

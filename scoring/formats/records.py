"""Rows of a table or records of a JSON file, whatever they mean: CSV, TSV, JSON Lines, JSON list.

`records` yields each as field names and values with its position; every fault goes to a `Findings`.
Readers of pairs, keypoints and judgements build on it; what the fields mean is theirs.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from scoring.formats.delimited import DELIMITERS, HEADER, table_rows
from scoring.formats.fields import found as found_fields
from scoring.formats.findings import MAX_ROWS, Abandoned, Findings, unfit
from scoring.formats.quoting import counted, quote
from scoring.formats.source import Refused, Source
from scoring.formats.strict_json import JsonFault, Lines, Number, Pairs, document, items, kind_of


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
            found = _list(source, findings)
        elif source.start == "{":
            found = _lines(source, findings)
        else:
            found = _table(source, findings, wanted, last)
        for number, record in enumerate(found, start=1):
            if number > MAX_ROWS:
                message = f"the file has more than {MAX_ROWS:,} rows"
                findings.abandon("too-many-rows", message, record.where)
            yield record
    except Refused as refused:
        findings.error(refused.code, refused.message)
    except Abandoned:
        return


def _list(source: Source, findings: Findings) -> Iterator[Record]:
    lines = Lines(source.text)
    try:
        for number, (offset, value) in enumerate(items(source.text), start=1):
            yield from _object(value, f"item {number} (line {lines.at(offset)[0]})", findings)
    except JsonFault as fault:
        line, column = lines.at(fault.offset)
        message = f"not read as JSON: {fault.message}"
        findings.abandon(fault.code, message, f"line {line}, column {column}")


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
            findings.error(fault.code, message, where)
        else:
            yield from _object(value, where, findings)


def _object(value: object, where: str, findings: Findings) -> Iterator[Record]:
    if not isinstance(value, Pairs):
        message = f"a record must be a JSON object, not {kind_of(value)}"
        findings.error("not-a-record", message, where)
        return
    faults: list[tuple[str, str]] = []
    fields = {key.strip().casefold(): item for key, item in _plain_items(value, faults)}
    if len(fields) < len(value) and not faults:
        faults.append(("duplicate-field", "two field names differ only by case or spaces"))
    for code, message in faults:
        findings.error(code, message, where)
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
    delimiter = _delimiter(source.text[:HEADER], wanted)
    for line, row in table_rows(source, findings, delimiter):
        where = f"line {line}"
        if not header:
            header = _columns(row, wanted, findings, where)
        elif not any(row):
            continue
        elif row[0].strip().casefold() in last:
            message = f"the summary from line {line} on is not read: metrics are computed here"
            findings.warn("summary", message, where)
            return
        elif len(row) != len(header):
            message = (
                f"{counted(len(row), 'field')}, expected {len(header)}; a text that holds the "
                f"delimiter {quote(delimiter)} must stand in double quotes"
            )
            findings.error("field-count", message, where)
        elif bad := next((cell for cell in row if unfit(cell)), None):
            findings.error("forbidden-character", f"a cell holds {unfit(bad)}; remove it", where)
        else:
            yield Record(dict(zip(header, row, strict=True)), where)


def _columns(
    row: list[str], wanted: Collection[str], findings: Findings, where: str
) -> tuple[str, ...]:
    header = tuple(cell.strip().casefold() for cell in row)
    twice = [cell for cell in header if cell and header.count(cell) > 1]
    if twice:
        message = f"the column {quote(twice[0])} stands twice; keep one"
        findings.abandon("duplicate-field", message, where)
    if not set(header) & set(wanted):
        message = f"the first line must name columns such as {', '.join(wanted)}; found "
        findings.abandon("no-header", message + found_fields(tuple(row)), where)
    return header


def _delimiter(head: str, wanted: Collection[str]) -> str:
    """The delimiter that gives the header the most wanted columns; a comma when none does."""

    def columns(delimiter: str) -> int:
        rows = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
        header = next((row for row in rows if row), [])
        return len({cell.strip().casefold() for cell in header} & set(wanted))

    return max(DELIMITERS, key=columns)

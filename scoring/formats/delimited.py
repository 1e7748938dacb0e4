"""CSV and TSV with a header line that names the clip id and the text.

Every cell is the string that stands in the file: ``None``, ``NA`` and ``0007`` stay as they are.
Cells with the delimiter, quotes or line breaks must be quoted, and quotes inside doubled. Carriage
return and line feed together read as a line feed, inside quotes too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from scoring.formats.collector import Collector
from scoring.formats.fields import FIELDS_WANTED, Shape, found, shape_of
from scoring.formats.findings import Findings
from scoring.formats.quoting import counted
from scoring.formats.source import Source

DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "vertical bars"}
SUFFIXES = (".csv", ".tsv", ".tab")
HEADER = 100_000
"""Characters in which the header is looked for."""

# The module's own limit (131,072) is one for the whole process and would end the reading of a file
# at its first long text. The size of a file and of a text are limited elsewhere.
csv.field_size_limit(2**31 - 1)


def claims_tsv(source: Source) -> bool:
    """True when the header has the wanted fields between tabs, or the name says so."""
    delimiter = _delimiter(source)
    return delimiter == "\t" or (not delimiter and source.suffix in (".tsv", ".tab"))


def claims_csv(source: Source) -> bool:
    """True when the header has the wanted fields between other delimiters, or the name says so."""
    return _delimiter(source) in DELIMITERS or source.suffix in SUFFIXES


def read_tsv(source: Source, rows: Collector) -> None:
    """Hand over every row of a tab-separated file; positions are lines."""
    _read(source, rows, "\t")


def read_csv(source: Source, rows: Collector) -> None:
    """Hand over every row of a file separated by commas, or by what its header shows."""
    delimiter = _delimiter(source) or ","
    if delimiter != ",":
        rows.warn("delimiter", f"the fields are read as separated by {DELIMITERS[delimiter]}")
    _read(source, rows, delimiter)


def _delimiter(source: Source) -> str:
    """The delimiter with which the header shows the wanted fields, or ""."""
    for delimiter in DELIMITERS:
        lines = io.StringIO(source.text[:HEADER].replace("\r\n", "\n"), newline="")
        header = next((row for row in csv.reader(lines, delimiter=delimiter) if row), [])
        if shape_of(tuple(header)).complete:
            return delimiter
    return ""


def _read(source: Source, rows: Collector, delimiter: str) -> None:
    shape: Shape | None = None
    for line, row in table_rows(source, rows, delimiter):
        where = f"line {line}"
        if shape is None:
            shape = _header(tuple(row), rows, where)
        elif len(row) != len(shape.keys):
            at = shape.id_at if shape.id_at is not None else 0
            message = (
                f"{counted(len(row), 'field')}, expected {len(shape.keys)}; a text that holds "
                f"{DELIMITERS[delimiter]} must stand in double quotes"
            )
            rows.reject("field-count", message, where, row[at] if at < len(row) else "")
        elif any(row):
            rows.add_record(shape, list(row), where)


def _header(header: tuple[str, ...], rows: Collector, where: str) -> Shape:
    shape = shape_of(header)
    if shape.id_at is None and shape.text_at is None:
        message = f"the first line must name the columns: {FIELDS_WANTED}; found {found(header)}"
        rows.abandon("no-header", message, where)
    if shape.fault is not None:
        rows.abandon(*shape.fault, where)
    return shape


def table_rows(source: Source, rows: Findings, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not an empty line, with the line it starts in."""
    # newline="": lines end at LF or CR, quoted line breaks stay, U+2028 and U+0085 end nothing.
    lines = io.StringIO(source.text.replace("\r\n", "\n"), newline="")
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "unexpected end of data" in str(error):
                message = "a double quote opens in this row and is never closed"
                rows.abandon("unclosed-quote", message, f"line {start}")
            message = "a quoted field goes on after its closing quote; double a quote inside a text"
            rows.error(
                "bad-quote", f"{message} (noticed in line {reader.line_num})", f"line {start}"
            )
            continue
        if row:
            yield start, row

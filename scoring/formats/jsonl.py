"""JSON Lines: one object with a clip id and a text on each line.

Lines end at a line feed (a carriage return before it is ignored) and nowhere else: U+2028, U+2029
and U+0085 are ordinary characters inside a text.
"""

from __future__ import annotations

import re

from scoring.formats.collector import Collector
from scoring.formats.json_map import is_record
from scoring.formats.source import Source
from scoring.formats.strict_json import JsonFault, document

SUFFIXES = (".jsonl", ".ndjson")

_LINE = re.compile(r"^[ \t\r]*([^ \t\r\n][^\n]*)", re.MULTILINE)


def claims(source: Source) -> bool:
    """True when a line begins as an object and the next one does too, or when the only line is a
    record by itself. The name decides on a single line that cannot be read.
    """
    if source.start != "{":
        return False
    found = _LINE.finditer(source.text)
    first = next(found)[1].rstrip()
    second = next(found, None)
    if second is not None and second[1].startswith("{"):
        return True
    if not first.endswith("}"):
        return second is None and source.suffix in SUFFIXES
    try:
        return second is not None or is_record(first)
    except JsonFault:
        return source.suffix in SUFFIXES


def read(source: Source, rows: Collector) -> None:
    """Hand over every line; a line that is no JSON is a problem, and reading goes on."""
    for number, line in enumerate(source.text.split("\n"), start=1):
        if not line or line.isspace():
            continue
        where = f"line {number}"
        try:
            record = document(line)
        except JsonFault as fault:
            message = f"not read as JSON: {fault.message} (column {fault.offset + 1:,})"
            rows.error(fault.code, message, where)
        else:
            rows.add_object(record, where)

"""A JSON list of objects, each with a clip id and a text."""

from __future__ import annotations

from scoring.formats.collector import Collector
from scoring.formats.source import Source
from scoring.formats.strict_json import JsonFault, Lines, items


def claims(source: Source) -> bool:
    """True for text that begins as a list."""
    return source.start == "["


def read(source: Source, rows: Collector) -> None:
    """Hand over every item; positions are its number in the list and its line."""
    lines = Lines(source.text)
    try:
        for number, (offset, value) in enumerate(items(source.text), start=1):
            rows.add_object(value, f"item {number} (line {lines.at(offset)[0]})")
    except JsonFault as fault:
        line, column = lines.at(fault.offset)
        rows.abandon(
            fault.code, f"not read as JSON: {fault.message}", f"line {line}, column {column}"
        )

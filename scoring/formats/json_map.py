"""A JSON object that maps clip ids to texts, as CLIP-CC-Bench lays out its ``models/*.json``."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from scoring.formats.collector import Collector
from scoring.formats.fields import shape_of
from scoring.formats.source import Source
from scoring.formats.strict_json import JsonFault, Lines, Pairs, entries


def claims(source: Source) -> bool:
    """True for text that begins as an object (JSON Lines are asked before)."""
    return source.start == "{"


def read(source: Source, rows: Collector) -> None:
    """Hand over every entry; positions are line and column of the key."""
    lines = Lines(source.text)
    with suppress(JsonFault):  # reported below, after the problems of the entries before it
        if is_record(source.text):
            record = Pairs((key, value) for key, _, value in entries(source.text))
            rows.add_object(record, "line 1")
            return
    try:
        for clip, offset, text in entries(source.text):
            line, column = lines.at(offset)
            rows.add(clip, text, f"line {line}, column {column}")
    except JsonFault as fault:
        line, column = lines.at(fault.offset)
        rows.abandon(
            fault.code, f"not read as JSON: {fault.message}", f"line {line}, column {column}"
        )


def is_record(text: str) -> bool:
    """True when the object that `text` consists of has the fields of one record, not clip ids.

    Raises:
        JsonFault: its first entries cannot be read.
    """
    return shape_of(tuple(key for key, _, _ in islice(entries(text), 50))).complete

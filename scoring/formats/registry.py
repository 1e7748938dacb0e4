"""The formats of an upload. To add one: a file with ``claims`` and ``read``, and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.formats import delimited, json_list, json_map, jsonl
from scoring.formats.collector import Collector
from scoring.formats.fields import FIELDS_WANTED
from scoring.formats.source import Refused, Source


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write descriptions into a file.

    ``claims`` looks at the content first, then at the name, and says whether the file is of this
    format; ``read`` hands every row, and every problem, to the collector. Both may ask for the
    source's text (which raises `Refused` for what is no UTF-8 text) or look at its bytes.
    """

    name: str
    title: str
    claims: Callable[[Source], bool]
    read: Callable[[Source, Collector], None]


FORMATS = (
    Format("json-list", "JSON list of objects", json_list.claims, json_list.read),
    Format("jsonl", "JSON Lines", jsonl.claims, jsonl.read),
    Format("json-map", "JSON map of clip id to text", json_map.claims, json_map.read),
    Format("tsv", "tab-separated values", delimited.claims_tsv, delimited.read_tsv),
    Format("csv", "comma-separated values", delimited.claims_csv, delimited.read_csv),
)
"""In the order in which they are asked."""


def choose(source: Source) -> Format:
    """The first format that claims the file.

    Raises:
        Refused: none does, or the bytes are no text.
    """
    for candidate in FORMATS:
        if candidate.claims(source):
            return candidate
    message = (
        "the file is neither a JSON object, a JSON list nor JSON Lines, and its first line does "
        f"not name the columns of a CSV or TSV file: {FIELDS_WANTED}"
    )
    raise Refused("unknown-format", message)

"""Small files in every accepted format, with clip ids of the release they are shown for."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass

from leaderboard.models import Release

TEXTS = (
    "A man opens a door. He steps into the rain.",
    "Two children build a tower, and it falls.",
)


@dataclass(frozen=True, slots=True)
class Example:
    """A format, the name such a file has, and a beginning of one."""

    title: str
    filename: str
    text: str


def examples(release: Release) -> tuple[Example, ...]:
    """JSON map, JSON lines and CSV, for the first two clips."""
    keys = list(release.clips.scored().values_list("key", flat=True)[: len(TEXTS)])
    pairs = list(zip(keys, TEXTS, strict=False))
    lines = [json.dumps({"clip_id": key, "description": text}) for key, text in pairs]
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows([("clip_id", "description"), *pairs])
    return (
        Example("JSON: a map", "predictions.json", json.dumps(dict(pairs), indent=2)),
        Example("JSON lines", "predictions.jsonl", "\n".join(lines)),
        Example("CSV or TSV with a header", "predictions.csv", table.getvalue().strip()),
    )

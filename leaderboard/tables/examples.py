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

# How much a system believes in the true and in the false caption.
SCORES = ((0.81, 0.12), (0.64, 0.7))


@dataclass(frozen=True, slots=True)
class Example:
    """A format, the name such a file has, and a beginning of one."""

    title: str
    filename: str
    text: str


def examples(release: Release) -> tuple[Example, ...]:
    """JSON map, JSON lines and CSV, for the first two clips; answers where there are pair tests."""
    keys = list(release.clips.scored().values_list("key", flat=True)[: len(TEXTS)])
    pairs = list(zip(keys, TEXTS, strict=False))
    lines = [json.dumps({"clip_id": key, "description": text}) for key, text in pairs]
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows([("clip_id", "description"), *pairs])
    return (
        *_of_descriptions(pairs, lines, table.getvalue()),
        *_of_pairs(release),
    )


def _of_descriptions(
    pairs: list[tuple[str, str]], lines: list[str], table: str
) -> tuple[Example, ...]:
    return (
        Example("JSON: a map", "predictions.json", json.dumps(dict(pairs), indent=2)),
        Example("JSON lines", "predictions.jsonl", "\n".join(lines)),
        Example("CSV or TSV with a header", "predictions.csv", table.strip()),
    )


def _of_pairs(release: Release) -> tuple[Example, ...]:
    found = release.caption_pairs.scored().select_related("clip")[: len(SCORES)]
    lines = [
        json.dumps(
            {
                "test_name": pair.test_name,
                "video_id": pair.clip.key,
                "event": pair.event,
                "pos_score": true,
                "neg_score": false,
            }
        )
        for pair, (true, false) in zip(found, SCORES, strict=False)
    ]
    title = "Answers to pair tests: JSON lines or CSV"
    return (Example(title, "answers.jsonl", "\n".join(lines)),) if lines else ()

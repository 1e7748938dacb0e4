"""Answers to pair tests: the CSV files of the released evaluation scripts, JSON Lines, or a ZIP.

One row per pair: `test_name`, `video_id`, `event`, and one of

- `pos_score`, `neg_score`: numbers;
- `pos_pred`, `neg_pred`: `Yes` or `No`;
- `gt_A`, `gt_B`: the answers with the positive caption as option A and as option B;
- a 2x2 matrix (`ivat`): `scores` as [[v1c1, v1c2], [v2c1, v2c2]] in JSON, or four columns.

A file without the column `test_name` is of the test that its name says (`chrono.csv`,
`ivat_scores.csv`). Which pairs are wanted is asked by `check_pairs`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np

from scoring.formats.archive import Limits, is_archive, members, suffix
from scoring.formats.findings import Abandoned, Findings
from scoring.formats.quoting import name, quote
from scoring.formats.reading import MAX_BYTES, too_large
from scoring.formats.records import Record, records
from scoring.formats.source import Source
from scoring.protocols.pair_tests import (
    Answers,
    Kind,
    PairsUpload,
    clip_name,
    event_name,
    paper_name,
)

SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json")
_SCORES = ("pos_score", "neg_score")
_VERDICTS = ("pos_pred", "neg_pred")
_CHOICES = ("gt_a", "gt_b")
_MATRICES = (
    ("scores",),
    ("v1_c1_score", "v1_c5_score", "v5_c1_score", "v5_c5_score"),
    ("va_ca", "va_cb", "vb_ca", "vb_cb"),
    ("v1c1", "v1c2", "v2c1", "v2c2"),
)
_KINDS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("scores", _SCORES),
    ("verdicts", _VERDICTS),
    ("choices", _CHOICES),
    *(("matrices", columns) for columns in _MATRICES),
)
_WANTED = ("video_id", "clip_id", *_SCORES, *_VERDICTS, *_CHOICES, *_MATRICES[1], *_MATRICES[2])
_SUMMARY = ("total", "t2v")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_MAX_NAME = 120
_ANSWERS = "pos_score and neg_score, pos_pred and neg_pred, gt_A and gt_B, or a 2x2 matrix"


@dataclass(slots=True)
class _Test:
    """The rows read so far of one test and kind."""

    file: str
    keys: list[tuple[str, str]] = field(default_factory=list)
    values: list[list[float]] = field(default_factory=list)
    words: list[tuple[str, str]] = field(default_factory=list)
    where: list[str] = field(default_factory=list)


def read_pairs(data: bytes, filename: str, *, max_bytes: int = MAX_BYTES) -> PairsUpload:
    """Read the answers of one system from a file or an archive of files; all problems at once.

    Rows keep their order. Several pairs of one clip and event are matched by it (see
    `item_names`). Sizes of archives are limited to `max_bytes` packed and 5 times that unpacked.
    """
    if len(data) > max_bytes:
        return PairsUpload("unknown", problems=(too_large(len(data), max_bytes),))
    findings = Findings()
    files: Sequence[tuple[str, bytes]] = [(filename, data)]
    format_name = suffix(filename).removeprefix(".") or "unknown"
    if is_archive(data, filename):
        contents = members(data, filename, limits=Limits(size=5 * max_bytes))
        if contents.problems:
            return PairsUpload(format_name, problems=contents.problems)
        files = list(_usable(contents.files, findings))
        if not files:
            findings.error("archive-empty", f"the archive holds no {', '.join(SUFFIXES)} file")
    tests: dict[tuple[str, Kind], _Test] = {}
    for member, content in files:
        findings.file = quote(member) if len(files) > 1 else ""
        _read(Source(content, member), findings, tests)
    findings.file = ""
    for test in [test for test, kind in tests if kind == "scores" and (test, "verdicts") in tests]:
        message = f"the test {name(test)} is answered by scores and by Yes and No; keep one"
        findings.error("two-kinds", message)
    return PairsUpload(format_name, tuple(_answers(tests)), findings.problems)


def _usable(files: Sequence[tuple[str, bytes]], findings: Findings) -> Iterator[tuple[str, bytes]]:
    for member, content in files:
        if suffix(member) in SUFFIXES:
            yield member, content
        else:
            message = f"{quote(member)} in the archive is not read"
            findings.warn("ignored-file", message)


def _read(source: Source, findings: Findings, tests: dict[tuple[str, Kind], _Test]) -> None:
    before = len(findings.problems)
    rows = 0
    try:
        for record in records(source, findings, wanted=_WANTED, last=_SUMMARY):
            rows += 1
            _take(record, source, findings, tests)
        if not rows and len(findings.problems) == before:
            findings.error("no-rows", "the file holds no rows")
    except Abandoned:
        return


def _take(
    record: Record, source: Source, findings: Findings, tests: dict[tuple[str, Kind], _Test]
) -> None:
    """Put one row into its test, once for each kind of answer that it holds."""
    key = _key(record, findings)
    test = _test_name(record, source)
    if not test:
        message = "no test_name, and the file's name does not tell the test; add the column"
        findings.error("missing-test-name", message, record.where)
        return
    kinds = [(kind, columns) for kind, columns in _KINDS if set(columns) <= set(record.fields)]
    if not kinds:
        message = f"the row needs {_ANSWERS}; found {', '.join(map(quote, record.fields))}"
        findings.abandon("missing-field", message, record.where)
    if key is None:
        return
    for kind, columns in kinds:
        gathered = tests.setdefault((test, kind), _Test(source.filename))
        if gathered.file != source.filename:
            message = (
                f"{quote(gathered.file)} and {quote(source.filename)} both hold {kind} of the "
                f"test {name(test)}; keep one"
            )
            findings.abandon("duplicate-test", message, record.where)
        _append(gathered, kind, key, [record.fields[c] for c in columns], record, findings)


def _append(
    gathered: _Test,
    kind: Kind,
    key: tuple[str, str],
    cells: list[object],
    record: Record,
    findings: Findings,
) -> None:
    shown = name(" ".join(key).strip())
    if kind in ("verdicts", "choices"):
        if not all(cell is None or isinstance(cell, str) for cell in cells):
            message = f"the answers of {shown} must be texts"
            findings.error("answer-not-string", message, record.where, key[0])
            return
        gathered.words.append((str(cells[0] or ""), str(cells[1] or "")))
    else:
        numbers = _matrix(cells[0]) if len(cells) == 1 else [_number(cell) for cell in cells]
        if any(number is None for number in numbers):
            message = (
                f"the scores of {shown} must be finite numbers, "
                f"{'2x2 of them, ' if kind == 'matrices' else ''}not {quote(_cells(cells))}"
            )
            findings.error("not-a-number", message, record.where, key[0])
            return
        gathered.values.append([number for number in numbers if number is not None])
    gathered.keys.append(key)
    gathered.where.append(", ".join(p for p in (findings.file, record.where) if p))


def _key(record: Record, findings: Findings) -> tuple[str, str] | None:
    clip = next((record.fields[f] for f in ("video_id", "clip_id") if f in record.fields), None)
    event = next((record.fields[f] for f in ("event", "ev") if f in record.fields), "")
    if isinstance(event, list) and all(isinstance(part, str) for part in event):
        event = " ".join(event)
    if not isinstance(clip, str) or not clip.strip() or len(clip) > _MAX_NAME:
        message = f"video_id must be a text of 1 to {_MAX_NAME} characters"
        findings.error("bad-video-id", message, record.where)
        return None
    if not (event is None or isinstance(event, str)) or len(event or "") > _MAX_NAME:
        message = f"event must be a text of at most {_MAX_NAME} characters, or a list of texts"
        findings.error("bad-event", message, record.where, clip)
        return None
    return clip_name(clip), event_name(event or "")


def _test_name(record: Record, source: Source) -> str:
    given = record.fields.get("test_name")
    if isinstance(given, str) and given.strip() and len(given) <= _MAX_NAME:
        return paper_name(given)
    if "test_name" in record.fields:
        return ""
    stem = PurePosixPath(source.filename.replace("\\", "/")).name.split(".")[0]
    return paper_name(re.sub(r"_(scores|preds|mcq|entail)$", "", stem.casefold()))


def _number(cell: object) -> float | None:
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    if isinstance(cell, str) and len(cell) < 100 and _NUMBER.fullmatch(cell.strip()):
        value = float(cell)
        return value if math.isfinite(value) else None
    return None


def _matrix(cell: object) -> list[float | None]:
    rows = cell if isinstance(cell, list) and len(cell) == 2 else []
    if len(rows) == 2 and all(isinstance(row, list) and len(row) == 2 for row in rows):
        return [_number(value) for row in rows for value in row]
    return [None]


def _cells(cells: list[object]) -> str:
    return ", ".join(cell if isinstance(cell, str) else str(cell) for cell in cells)


def _answers(tests: dict[tuple[str, Kind], _Test]) -> Iterator[Answers]:
    for (test, kind), rows in tests.items():
        if not rows.keys:
            continue
        values = None
        if rows.values:
            shape = (-1, 2, 2) if kind == "matrices" else (-1, 2)
            values = np.array(rows.values, np.float64).reshape(shape)
        yield Answers(test, kind, tuple(rows.keys), values, tuple(rows.words), tuple(rows.where))

"""The pairs of a benchmark: JSON or CSV with test_name, video_id, event, pos and neg."""

from __future__ import annotations

from scoring.formats.findings import Abandoned, Findings
from scoring.formats.quoting import quote
from scoring.formats.reading import MAX_REFERENCE_BYTES, too_large
from scoring.formats.records import Record, records
from scoring.formats.source import Source
from scoring.protocols.pair_tests import CaptionPair, clip_name, event_name, paper_name
from scoring.text import is_blank
from scoring.types import Problem, ScoringError

FIELDS = ("test_name", "video_id", "event", "pos", "neg")
MAX_CAPTION = 10_000
"""Characters of one caption."""


class PairTestsError(ScoringError):
    """A file of pair tests that cannot be used; ``problems`` lists all that is wrong with it."""

    code = "bad-pair-tests"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("the pair tests cannot be used: " + "; ".join(map(str, problems)))


def read_pair_tests(data: bytes, filename: str) -> dict[str, tuple[CaptionPair, ...]]:
    """Read the pairs of a release: test, by the paper's name, -> its pairs in the file's order.

    `event` may be empty, a text, or in JSON a list of texts. In an `ivat` test `pos` and `neg` are
    the captions of the two events of the clip.

    Raises:
        PairTestsError: any problem at all, every one listed with its line.
    """
    if len(data) > MAX_REFERENCE_BYTES:
        raise PairTestsError((too_large(len(data), MAX_REFERENCE_BYTES),))
    findings = Findings()
    tests: dict[str, list[CaptionPair]] = {}
    try:
        for record in records(Source(data, filename), findings, wanted=FIELDS):
            pair = _pair(record, findings)
            if pair is not None:
                tests.setdefault(pair.test, []).append(pair)
        if not tests and not findings.problems:
            findings.error("no-rows", "the file holds no pairs")
    except Abandoned:
        pass
    if findings.problems:
        raise PairTestsError(findings.problems)
    return {test: tuple(pairs) for test, pairs in tests.items()}


def _pair(record: Record, findings: Findings) -> CaptionPair | None:
    missing = [name for name in FIELDS if name not in record.fields and name != "event"]
    if missing:
        message = f"the field {', '.join(missing)} is missing; a pair has {', '.join(FIELDS)}"
        findings.abandon("missing-field", message, record.where)
    event = record.fields.get("event") or ""
    if isinstance(event, list) and all(isinstance(part, str) for part in event):
        event = " ".join(event)
    texts = [event, *(record.fields[name] for name in FIELDS if name != "event")]
    if not all(isinstance(text, str) for text in texts):
        findings.error("not-a-text", "every field of a pair must be a text", record.where)
        return None
    shown, test, clip, positive, negative = (str(text) for text in texts)
    faults = [
        name
        for name, text in zip(("test_name", "video_id", "pos", "neg"), texts[1:], strict=True)
        if is_blank(str(text)) or len(str(text)) > MAX_CAPTION
    ]
    for name in faults:
        message = f"{name} must have 1 to {MAX_CAPTION:,} characters"
        findings.error("blank-field", message, record.where, clip)
    if positive == negative and not faults:
        message = f"both captions are {quote(positive)}: nothing can tell them apart"
        findings.error("same-captions", message, record.where, clip)
    if faults or positive == negative:
        return None
    return CaptionPair(paper_name(test), clip_name(clip), event_name(shown), positive, negative)

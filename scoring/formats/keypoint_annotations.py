"""Keypoint annotations: JSON Lines (or a JSON list), one object per clip.

    {"video_id": "0001", "duration": 93.5, "category": "sport",
     "events": {"main_sbj_evts": ["<s1> laces her boots."], "main_sbj_ints": ["<s1> calls <s2>."],
                "bg_desc": ["A muddy field."], "trans_desc": [], "minor_evts": ["A dog barks."]}}

Subjects are marked `<name>` in the texts of the first two kinds; the same mark is the same subject
throughout the clip. A kind without keypoints may be left out. `category` is optional.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import PurePosixPath

from scoring.formats.findings import Abandoned, Findings
from scoring.formats.quoting import name, quote
from scoring.formats.reading import MAX_REFERENCE_BYTES, too_large
from scoring.formats.records import Record, records
from scoring.formats.source import Source
from scoring.protocols.keypoint_types import (
    KINDS,
    SUBJECT_KINDS,
    Annotation,
    Keypoint,
    subjects_in,
)
from scoring.text import is_blank
from scoring.types import Problem, ScoringError

MAX_KEYPOINT = 5_000
"""Characters of one keypoint."""
MAX_ID = 120
_WANTED = ("video_id", "duration", "events")


class AnnotationsError(ScoringError):
    """A file of annotations that cannot be used; ``problems`` lists all that is wrong with it."""

    code = "bad-annotations"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("the annotations cannot be used: " + "; ".join(map(str, problems)))


def read_annotations(data: bytes, filename: str) -> dict[str, Annotation]:
    """Read the annotations of a release: clip id -> its keypoints, in the file's order.

    The clip id is `video_id`, or the stem of `video_path`.

    Raises:
        AnnotationsError: any problem at all, every one listed with its line.
    """
    if len(data) > MAX_REFERENCE_BYTES:
        raise AnnotationsError((too_large(len(data), MAX_REFERENCE_BYTES),))
    findings = Findings()
    found: dict[str, Annotation] = {}
    lines: dict[str, str] = {}
    try:
        for record in records(Source(data, filename), findings, wanted=_WANTED):
            annotation = _annotation(record, findings)
            if annotation is None:
                continue
            clip = annotation.clip
            if clip in found:
                message = f"{name(clip)} is annotated a second time; first at {lines[clip]}"
                findings.error("duplicate-clip", message, record.where, clip)
                continue
            found[clip], lines[clip] = annotation, record.where
        if not found and not findings.problems:
            findings.error("no-rows", "the file holds no annotations")
    except Abandoned:
        pass
    if findings.problems:
        raise AnnotationsError(findings.problems)
    return found


def clip_of(fields: Mapping[str, object]) -> str:
    """The clip id of a record of the released files: `video_id`, else the stem of `video_path`."""
    clip, path = fields.get("video_id"), fields.get("video_path")
    if isinstance(clip, str):
        return clip
    if clip is None and isinstance(path, str):
        return PurePosixPath(path.replace("\\", "/")).stem
    return ""


def _annotation(record: Record, findings: Findings) -> Annotation | None:
    clip = clip_of(record.fields)
    if is_blank(clip) or len(clip) > MAX_ID:
        message = f'video_id must be a string of 1 to {MAX_ID} characters, such as "0007"'
        findings.error("bad-video-id", message, record.where)
        return None
    duration = record.fields.get("duration")
    faults = []
    if not isinstance(duration, float) or not isfinite(duration) or duration <= 0:
        message = f"the duration of {name(clip)} must be a number of seconds above 0"
        faults.append(("bad-duration", message))
    category = record.fields.get("category") or ""
    if not isinstance(category, str):
        faults.append(("bad-category", f"the category of {name(clip)} must be a string"))
    keypoints = tuple(_keypoints(record.fields.get("events"), clip, faults))
    if not keypoints and not faults:
        faults.append(("no-keypoints", f"{name(clip)} has no keypoints"))
    for code, message in faults:
        findings.error(code, message, record.where, clip)
    if faults or not isinstance(duration, float):
        return None
    return Annotation(clip, duration, keypoints, str(category))


def _keypoints(events: object, clip: str, faults: list[tuple[str, str]]) -> Iterator[Keypoint]:
    if not isinstance(events, dict):
        message = f"events of {name(clip)} must be an object with {', '.join(KINDS)}"
        faults.append(("bad-events", message))
        return
    for key in events:
        if key not in KINDS:
            message = f"{quote(str(key))} is no kind of keypoint; the kinds are {', '.join(KINDS)}"
            faults.append(("unknown-kind", message))
    seen: set[str] = set()
    for kind in KINDS:
        texts = events.get(kind) or []
        if not isinstance(texts, list):
            faults.append(("bad-events", f"{kind} of {name(clip)} must be a list of texts"))
            continue
        for number, text in enumerate(texts, start=1):
            fault = _fault(text, kind, seen)
            if fault:
                faults.append((fault[0], f"{kind}, text {number} of {name(clip)}: {fault[1]}"))
                continue
            seen.add(str(text))
            marked = subjects_in(str(text)) if kind in SUBJECT_KINDS else ()
            yield Keypoint(kind, str(text), marked)


def _fault(text: object, kind: str, seen: set[str]) -> tuple[str, str] | None:
    if not isinstance(text, str) or is_blank(text) or len(text) > MAX_KEYPOINT:
        return "bad-keypoint", f"a keypoint must be a text of 1 to {MAX_KEYPOINT:,} characters"
    if kind in SUBJECT_KINDS and not subjects_in(text):
        return "unmarked-subject", f"mark who takes part as <name> in {quote(text)}"
    if kind not in SUBJECT_KINDS and text in seen:
        return "duplicate-keypoint", f"{quote(text)} stands in the clip already"
    return None

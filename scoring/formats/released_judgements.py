"""Judgements made elsewhere: the two JSON Lines files of CapRiCorn-1K's released scripts.

The first (`1_judge_accuracy_coverage.jsonl`) has a verdict per keypoint, the second
(`2_judge_referential_consistency.jsonl`) the clusters of each subject's descriptions. They come as
a ZIP or as two files; which is which is told by their fields. All problems are reported at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from scoring.formats.archive import Limits, is_archive, members
from scoring.formats.findings import Abandoned, Findings
from scoring.formats.keypoint_annotations import clip_of
from scoring.formats.quoting import counted, name, names, quote
from scoring.formats.reading import MAX_REFERENCE_BYTES, too_large
from scoring.formats.records import Record, records
from scoring.formats.source import Source
from scoring.protocols.keypoint_released import CLUSTERING_FAILED, LABELS
from scoring.protocols.keypoint_types import Annotation
from scoring.text import is_blank
from scoring.types import Checked, Problem

_STAGES = {1: ("main_sbj_info", "other_event_judge"), 2: ("categorization_info",)}
_SUMMARIES = "_metrics.json"
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JudgementsUpload(Checked):
    """The rows of both stages as the files have them, and every problem."""

    stage1: tuple[Row, ...] = ()
    stage2: tuple[Row, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_judgements(
    files: Sequence[tuple[str, bytes]], *, max_bytes: int = MAX_REFERENCE_BYTES
) -> JudgementsUpload:
    """Read both stages from files, as (name, bytes), or from one archive of them.

    The metrics files that the scripts write beside them are passed over: numbers are made here.
    """
    size = sum(len(data) for _, data in files)
    if size > max_bytes:
        return JudgementsUpload(problems=(too_large(size, max_bytes),))
    if len(files) == 1 and is_archive(files[0][1], files[0][0]):
        contents = members(files[0][1], files[0][0], limits=Limits(size=5 * max_bytes))
        if contents.problems:
            return JudgementsUpload(problems=contents.problems)
        files = contents.files
    findings = Findings()
    stages: dict[int, dict[str, Row]] = {1: {}, 2: {}}
    for member, data in files:
        findings.file = quote(member)
        if member.lower().endswith(_SUMMARIES):
            findings.warn("ignored-file", "metrics are computed here")
            continue
        try:
            for record in records(Source(data, member), findings, wanted=_STAGES[1]):
                _take(record, stages, findings)
        except Abandoned:
            continue
    findings.file = ""
    _compare(stages, findings)
    return JudgementsUpload(tuple(stages[1].values()), tuple(stages[2].values()), findings.problems)


def check_judgements(
    upload: JudgementsUpload,
    annotations: Mapping[str, Annotation],
    ignored: Collection[str] = (),
) -> JudgementsUpload:
    """Compare judgements with the annotations of a release; rows of ``ignored`` clips may be there.

    Errors: ``missing-clip``, ``unknown-clip``, ``keypoints-differ`` (a clip whose keypoints are not
    those of the annotation, as when the audiovisual file was judged for the visual track).
    """
    rows = {clip_of(row): row for row in upload.stage1}
    missing = [clip for clip in annotations if clip not in rows]
    problems = [*upload.problems]
    if missing:
        message = f"{len(missing)} of {counted(len(annotations), 'clip')} not judged"
        problems.append(Problem("missing-clip", f"{message}: {names(missing)}"))
    unknown = [clip for clip in rows if clip not in annotations and clip not in ignored]
    if unknown:
        message = f"{counted(len(unknown), 'clip')} of another release: {names(unknown)}"
        problems.append(Problem("unknown-clip", message))
    for clip, row in rows.items():
        if clip in annotations:
            wanted = {keypoint.text for keypoint in annotations[clip].keypoints}
            there = {item["event"] for item in _items(row)}
            if wanted != there:
                message = (
                    f"{name(clip)}: {counted(len(wanted - there), 'keypoint')} not judged and "
                    f"{len(there - wanted)} unknown; is this another annotation file's judgement?"
                )
                problems.append(Problem("keypoints-differ", message, clip=clip))
    return replace(upload, problems=tuple(problems))


def _items(row: Row) -> Iterator[Row]:
    for items in row["main_sbj_info"].values():
        yield from items
    yield from row["other_event_judge"]


def _take(record: Record, stages: dict[int, dict[str, Row]], findings: Findings) -> None:
    stage = next((s for s, keys in _STAGES.items() if set(keys) <= set(record.fields)), 0)
    clip = clip_of(record.fields)
    if not stage:
        message = f"a row has {' and '.join(_STAGES[1])}, or {_STAGES[2][0]}; this has neither"
        findings.abandon("missing-field", message, record.where)
    if is_blank(clip):
        findings.error("bad-video-id", "video_id must be a string", record.where)
        return
    if clip in stages[stage]:
        message = f"{name(clip)} is judged a second time in stage {stage}"
        findings.error("duplicate-clip", message, record.where, clip)
        return
    faults = list(_FAULTS[stage](record.fields))
    for message in faults[:5]:
        findings.error("bad-judgement", f"{name(clip)}: {message}", record.where, clip)
    if not faults:
        stages[stage][clip] = {**record.fields, "video_id": clip}


def _stage1_faults(row: Row) -> Iterator[str]:
    duration, info = row.get("duration"), row["main_sbj_info"]
    if not isinstance(duration, float) or not isfinite(duration) or duration <= 0:
        yield "duration must be a number of seconds above 0"
    if not isinstance(info, dict) or not all(isinstance(items, list) for items in info.values()):
        yield "main_sbj_info must map each subject to a list of keypoints"
        return
    others = row["other_event_judge"]
    if not isinstance(others, list):
        yield "other_event_judge must be a list of keypoints"
        return
    for subject, items in info.items():
        for item in items:
            yield from _keypoint_faults(item, subject)
    for item in others:
        yield from _keypoint_faults(item, "")
    told = [item["event"] for item in others if isinstance(item, dict) and "event" in item]
    yield from (
        f"{quote(str(event))} stands twice" for event, n in Counter(map(str, told)).items() if n > 1
    )
    if not others and not any(info.values()):
        yield "there are no keypoints"


def _keypoint_faults(item: object, subject: str) -> Iterator[str]:
    if not isinstance(item, dict) or not isinstance(item.get("event"), str):
        yield "a keypoint must be an object with an event"
        return
    shown = quote(item["event"])
    if item.get("judgement") not in LABELS:
        yield f"the judgement of {shown} must be one of {', '.join(LABELS)}"
    if not isinstance(item.get("reason"), str | None):
        yield f"the reason of {shown} must be a text or null"
    said = item.get("subject_description_in_caption", "" if not subject else 0)
    if not isinstance(said, str | None):
        yield f"subject_description_in_caption of {shown} must be a text or null"


def _stage2_faults(row: Row) -> Iterator[str]:
    info = row["categorization_info"]
    if not isinstance(info, dict):
        yield "categorization_info must map each subject to its clusters"
        return
    for subject, entry in info.items():
        if not isinstance(entry, dict) or not _texts(entry.get("sbj_captions")):
            yield f"{subject} must have sbj_captions, a list of texts"
        elif "gpt_categorization" not in entry:
            yield f"{subject} must have gpt_categorization"
        else:
            yield from _cluster_faults(subject, entry)


def _cluster_faults(subject: str, entry: Row) -> Iterator[str]:
    said, groups = entry["sbj_captions"], entry["gpt_categorization"]
    if groups == CLUSTERING_FAILED:
        return
    if groups is None:
        if len(said) > 1:
            yield f"{subject} has {len(said)} descriptions and no clusters"
        return
    if not isinstance(groups, dict) or not all(_texts(group) for group in groups.values()):
        yield f"the clusters of {subject} must map categories to lists of texts"
        return
    placed = [text for group in groups.values() for text in group]
    if set(placed) != set(said):
        yield f"the clusters of {subject} do not hold exactly its descriptions"
    # The released script lets a judge miscount long lists by this much.
    elif abs(len(placed) - len(said)) > min(len(said) // 10, 3):
        yield f"the clusters of {subject} hold {len(placed)} descriptions of {len(said)}"


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str | None) for text in value)


_FAULTS = {1: _stage1_faults, 2: _stage2_faults}


def _compare(stages: Mapping[int, Mapping[str, Row]], findings: Findings) -> None:
    """Both stages must speak of the same clips, subjects and descriptions."""
    first, second = stages[1], stages[2]
    clean = not findings.problems or all(p.severity == "warning" for p in findings.problems)
    for stage, rows, others in ((1, first, second), (2, second, first)):
        if not rows and clean:
            message = f"no judgements of stage {stage}, which has {' and '.join(_STAGES[stage])}"
            findings.error("missing-stage", message)
            return
        lacking = [clip for clip in others if clip not in rows]
        if lacking and clean:
            message = f"stage {stage} lacks {counted(len(lacking), 'clip')}: {names(lacking)}"
            findings.error("missing-clip", f"{message}; let the judge finish both stages")
    for clip in (clip for clip in first if clip in second):
        for message in _disagreements(first[clip], second[clip]):
            findings.error("stages-differ", f"{name(clip)}: {message}", clip=clip)


def _disagreements(first: Row, second: Row) -> Iterable[str]:
    info, clusters = first["main_sbj_info"], second["categorization_info"]
    if set(info) != set(clusters):
        return [f"the subjects of stage 1 are {', '.join(info)}, of stage 2 {', '.join(clusters)}"]
    told = ("correctly mentioned", "mentioned but with errors")
    return [
        f"the descriptions of {subject} in stage 2 are not those of stage 1"
        for subject, items in info.items()
        if [i["subject_description_in_caption"] for i in items if i["judgement"] in told]
        != clusters[subject]["sbj_captions"]
    ]

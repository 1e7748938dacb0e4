"""Judgements made elsewhere: the rows that CapRiCorn-1K's released scripts write, read as ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.protocols.keypoint_types import (
    Annotation,
    Clusters,
    Judged,
    JudgedClip,
    Keypoint,
    Verdict,
    subjects_in,
)
from scoring.types import ScoringError

LABELS: Mapping[str, Verdict] = {
    "correctly mentioned": "correct",
    "mentioned but with errors": "partial",
    "not mentioned": "not mentioned",
    "failed": "failed",
}
"""The released scripts' words for the four verdicts."""
CLUSTERING_FAILED = "Judge Failed"
"""What stands for the clusters of a subject when the judge gave no usable answer."""

Row = Mapping[str, Any]


def judged_clips(
    stage1_rows: Sequence[Row],
    stage2_rows: Sequence[Row],
    annotations: Mapping[str, Annotation] | None = None,
) -> tuple[JudgedClip, ...]:
    """The clips of stage 1, in its order, with the clusters of stage 2.

    Args:
        stage1_rows: `video_id`, `duration`, `main_sbj_info` (subject -> its keypoints) and
            `other_event_judge`; a keypoint has `event`, `judgement`, `reason` and, under a
            subject, `subject_description_in_caption`.
        stage2_rows: `video_id` and `categorization_info`: subject -> `gpt_categorization`, which
            is a mapping of categories to descriptions, None for fewer than two descriptions, or
            "Judge Failed".
        annotations: tell the kind of each keypoint, which the rows do not.

    Raises:
        ScoringError: a clip twice, a clip of one stage that the other lacks, or a row of another
            form.
    """
    clusters = {_id(row): row for row in stage2_rows}
    clips = [_id(row) for row in stage1_rows]
    _check_stages(clips, [_id(row) for row in stage2_rows])
    judged = []
    for clip, row in zip(clips, stage1_rows, strict=True):
        annotation = (annotations or {}).get(clip)
        try:
            judged.append(_clip(clip, row, clusters[clip], annotation))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            message = f"the judgements of clip {clip} are not of the released form: {error!r}"
            raise ScoringError(message) from None
    return tuple(judged)


def _id(row: Row) -> str:
    clip = row.get("video_id") if isinstance(row, Mapping) else None
    if not isinstance(clip, str):
        raise ScoringError("every row of judgements needs a video_id that is a string")
    return clip


def _check_stages(first: Sequence[str], second: Sequence[str]) -> None:
    for stage, clips in (("1", first), ("2", second)):
        twice = [clip for clip, count in Counter(clips).items() if count > 1]
        if twice:
            raise ScoringError(f"stage {stage} has clip {twice[0]} more than once")
    for stage, lacking in (
        ("2", [clip for clip in first if clip not in set(second)]),
        ("1", [clip for clip in second if clip not in set(first)]),
    ):
        if lacking:
            message = f"stage {stage} lacks {len(lacking)} clips that the other has: {lacking[0]}"
            raise ScoringError(f"{message}; let the judge finish both stages on every clip")


def _clip(clip: str, row: Row, second: Row, annotation: Annotation | None) -> JudgedClip:
    kinds = {point.text: point.kind for point in annotation.keypoints} if annotation else {}
    lacking = [name for name in row["main_sbj_info"] if name not in second["categorization_info"]]
    if lacking:
        raise ScoringError(f"stage 2 lacks subject {lacking[0]} of clip {clip}")
    return JudgedClip(
        clip=clip,
        duration=float(row["duration"]),
        judged=(*_of_subjects(row["main_sbj_info"], kinds), *_others(row, kinds)),
        clusters=_clusters(second["categorization_info"]),
        category=annotation.category if annotation else "",
    )


def _of_subjects(info: Mapping[str, Sequence[Row]], kinds: Mapping[str, str]) -> list[Judged]:
    """One keypoint for each event, though its rows stand under every subject that takes part."""
    merged: dict[tuple[str, int], list[tuple[str, Row]]] = {}
    for subject, items in info.items():
        seen: Counter[str] = Counter()
        for item in items:
            event = item["event"]
            merged.setdefault((event, seen[event]), []).append((subject, item))
            seen[event] += 1
    judged = []
    for (event, _), parts in merged.items():
        kind = kinds.get(event) or _kind(event)
        keypoint = Keypoint(kind, event, tuple(subject for subject, _ in parts))
        descriptions = {subject: item["subject_description_in_caption"] for subject, item in parts}
        judged.append(_judged(keypoint, parts[0][1], descriptions))
    return judged


def _kind(event: str) -> str:
    """Without annotations: one subject acts, several interact."""
    return "main_sbj_ints" if len(subjects_in(event)) > 1 else "main_sbj_evts"


def _others(row: Row, kinds: Mapping[str, str]) -> list[Judged]:
    return [
        _judged(Keypoint(kinds.get(item["event"]) or "minor_evts", item["event"]), item, {})
        for item in row["other_event_judge"]
    ]


def _judged(keypoint: Keypoint, item: Row, descriptions: Mapping[str, str | None]) -> Judged:
    return Judged(keypoint, LABELS[item["judgement"]], item.get("reason") or "", descriptions)


def _clusters(info: Mapping[str, Row]) -> dict[str, Clusters | None]:
    found: dict[str, Clusters | None] = {}
    for subject, entry in info.items():
        groups = entry["gpt_categorization"]
        if groups == CLUSTERING_FAILED:
            found[subject] = None
        elif groups is not None:
            found[subject] = tuple(tuple(group) for group in groups.values())
    return found

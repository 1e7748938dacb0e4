"""Judged clips as JSON-ready data, and back: what a page shows and what breakdowns are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from scoring.protocols.keypoint_metrics import ClipScore, duration_bin
from scoring.protocols.keypoint_types import KINDS, Judged, JudgedClip, Keypoint, Verdict

_SPACES = r"\s+"


def evidence_of(judged: JudgedClip, score: ClipScore) -> dict[str, Any]:
    """What became of one clip.

    Keys: `keypoints` (kind, text, subjects, verdict, reason, descriptions; in the annotation's
    order), `clusters` (subject -> groups of the words that stand for it, None when the judge could
    not group them), `subjects` (subject -> its referential consistency), `duration`,
    `duration_bin`, `category`.
    """
    return {
        "keypoints": [
            {
                "kind": one.keypoint.kind,
                "text": one.keypoint.text,
                "subjects": list(one.keypoint.subjects),
                "verdict": one.verdict,
                "reason": one.reason,
                "descriptions": dict(one.descriptions),
            }
            for one in judged.judged
        ],
        "clusters": {
            subject: None if groups is None else [list(group) for group in groups]
            for subject, groups in judged.clusters.items()
        },
        "subjects": dict(score.subjects),
        "duration": judged.duration,
        "duration_bin": duration_bin(judged.duration),
        "category": judged.category,
    }


def from_evidence(clip: str, evidence: Mapping[str, Any]) -> JudgedClip:
    """The judged clip that `evidence_of` was given."""
    return JudgedClip(
        clip=clip,
        duration=evidence["duration"],
        judged=tuple(
            Judged(
                Keypoint(one["kind"], one["text"], tuple(one["subjects"])),
                one["verdict"],
                one["reason"],
                one["descriptions"],
            )
            for one in evidence["keypoints"]
        ),
        clusters={
            subject: None if groups is None else tuple(tuple(group) for group in groups)
            for subject, groups in evidence["clusters"].items()
        },
        category=evidence["category"],
    )


def by_kind(clips: Iterable[JudgedClip]) -> dict[str, dict[str, float]]:
    """Per kind of keypoint: `count`, `accuracy`, `coverage`, `failed`, over all its keypoints.

    Keypoints are pooled over clips (a clip may have none of a kind), so these shares differ from
    means over clips. Kinds without keypoints are left out.
    """
    verdicts: dict[str, list[Verdict]] = {kind: [] for kind in KINDS}
    for clip in clips:
        for one in clip.judged:
            verdicts.setdefault(one.keypoint.kind, []).append(one.verdict)
    return {
        kind: {
            "count": len(given),
            "accuracy": given.count("correct") / len(given),
            "coverage": (given.count("correct") + given.count("partial")) / len(given),
            "failed": given.count("failed"),
        }
        for kind, given in verdicts.items()
        if given
    }


def occurrences(words: str, text: str) -> list[tuple[int, int]]:
    """Where the words by which a text refers to a subject stand in it: (start, end), in order.

    Case, and the kind and number of spaces, do not matter; judges quote loosely, so there may be
    no place at all.
    """
    parts = [re.escape(part) for part in words.split()]
    if not parts:
        return []
    pattern = re.compile(rf"(?<!\w){_SPACES.join(parts)}(?!\w)", re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)]

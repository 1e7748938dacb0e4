"""Keypoints and what judges said of them: rows to the scoring library's types and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leaderboard.models import Keypoint, Track
from scoring.protocols import keypoints
from scoring.protocols.keypoint_types import SUBJECT_KINDS, Annotation, subjects_in
from scoring.protocols.keypoint_types import Keypoint as Point
from scoring.types import JudgeResult

MAIN = "main"
"""The annotation of a track that names none."""


def annotation_name(track: Track) -> str:
    """Which annotation of the release the track is about."""
    name: str = track.settings.get("annotation", MAIN)
    return name


def annotations_of(track: Track) -> dict[str, Annotation]:
    """Clip key to its keypoints, over the scored clips that the track's annotation has."""
    clips = track.release.clips.scored()
    points: dict[str, list[Point]] = {}
    rows = Keypoint.objects.of(track.release, annotation_name(track))
    for key, kind, text in rows.values_list("clip__key", "kind", "text"):
        subjects = subjects_in(text) if kind in SUBJECT_KINDS else ()
        points.setdefault(key, []).append(Point(kind, text, subjects))
    return {
        key: Annotation(key, duration or 0.0, tuple(points[key]), category)
        for key, duration, category in clips.values_list("key", "duration", "category")
        if key in points
    }


def keypoint_summary(result: JudgeResult) -> dict[str, Any]:
    """Shares per kind of keypoint, pooled over clips, and whether the judge is a baseline."""
    judged = [
        keypoints.from_evidence(clip, evidence)
        for clip, evidence in result.evidence.items()
        if clip not in result.failures
    ]
    baseline = any(evidence["baseline"] for evidence in result.evidence.values())
    kinds: Mapping[str, Any] = keypoints.by_kind(judged)
    return {"kinds": dict(kinds), "baseline": baseline}

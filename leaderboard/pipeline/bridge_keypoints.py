"""Keypoints and what judges said of them: rows to the scoring library's types and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef

from leaderboard.models import Keypoint, Run, ScoreVector, Track
from scoring.protocols import keypoints
from scoring.protocols.keypoint_metrics import duration_bin
from scoring.protocols.keypoint_types import SUBJECT_KINDS, Annotation, subjects_in
from scoring.protocols.keypoint_types import Keypoint as Point
from scoring.types import FloatArray, JudgeResult

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


def left_out(track: Track) -> set[str]:
    """The clips that are excluded for everybody: judgements of them may come, and do not count."""
    return set(track.release.clips.filter(excluded=True).values_list("key", flat=True))


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


def breakdowns(track: Track, runs: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Run id to its numbers by ``duration``, ``category`` and ``kind`` of keypoint.

    Durations and categories hold means over their clips (and ``clips``, how many there are); kinds
    hold shares over all keypoints of the kind, as ``Run.summary`` has them.
    """
    points = Keypoint.objects.filter(clip=OuterRef("pk"), annotation=annotation_name(track))
    rows = track.release.clips.scored().filter(Exists(points))
    clips = list(rows.values_list("position", "duration", "category"))
    groups = {
        "duration": _grouped((at, duration_bin(seconds or 0.0)) for at, seconds, _ in clips),
        "category": _grouped((at, category) for at, _, category in clips),
    }
    found: dict[int, dict[str, Any]] = {}
    summaries = Run.objects.filter(pk__in=list(runs)).values_list("pk", "summary")
    for run, summary in summaries:
        found[run] = {
            dimension: {name: {"clips": len(columns)} for name, columns in of.items()}
            for dimension, of in groups.items()
        } | {"kind": summary.get("kinds", {})}
    for vector in ScoreVector.objects.filter(run__in=found, metric__in=keypoints.METRICS):
        for dimension, of in groups.items():
            for name, columns in of.items():
                mean = _mean(vector.values, columns)
                found[vector.run_id][dimension][name][vector.metric] = mean
    return found


def _grouped(clips: Iterable[tuple[int, str | None]]) -> dict[str, list[int]]:
    """Name to positions: durations in their order, categories by name, nameless ones left out."""
    groups: dict[str, list[int]] = {}
    for position, name in clips:
        if name:
            groups.setdefault(name, []).append(position)
    in_order = [name for name in keypoints.DURATION_BINS if name in groups]
    return {name: groups[name] for name in in_order or sorted(groups)}


def _mean(values: FloatArray, columns: Sequence[int]) -> float | None:
    known = [values[at] for at in columns if at < len(values) and np.isfinite(values[at])]
    return float(np.mean(known)) if known else None

"""Keypoints (CapRiCorn-1K): how much of a clip a text tells, and how steadily it names people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.protocols.keypoint_metrics import score_clip, summary
from scoring.protocols.keypoint_released import judged_clips


def from_released_judgements(
    stage1_rows: Sequence[Mapping[str, Any]], stage2_rows: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The benchmark's values from the rows that its two released scripts write.

    Args and errors are those of `judged_clips`; the result is that of `summary`: `accuracy`,
    `coverage`, `referential_consistency`, `duration_bins`, `per_video` and counts.
    """
    return summary([score_clip(clip) for clip in judged_clips(stage1_rows, stage2_rows)])

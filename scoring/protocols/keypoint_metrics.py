"""Accuracy, coverage and referential consistency, as CapRiCorn-1K defines them.

Per clip, over its keypoints: `Acc` = correct / all, `Cov` = (correct + partial) / all. Per subject
with n >= 2 keypoints: `Ref` = sum over clusters of C(size, 2) / C(n, 2), the share of pairs of its
mentions that a reader would take for the same person; a clip's Ref is the mean over such subjects,
and is not defined for a clip without one. Benchmarks average over clips. All values in [0, 1].
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from scoring.protocols.keypoint_types import JudgedClip, Verdict
from scoring.types import ScoringError

DURATION_BINS: Mapping[str, tuple[float, float]] = {
    "(0,120]": (0, 120),
    "(120,300]": (120, 300),
    "(300,480]": (300, 480),
    "(480,601]": (480, 601),
}
"""Seconds, open below and closed above. A clip outside them all is in the overall mean only."""


@dataclass(frozen=True, slots=True)
class ClipScore:
    """The values of one clip; ``ref`` is None where no subject can be scored."""

    clip: str
    duration: float
    acc: float
    cov: float
    ref: float | None
    subjects: Mapping[str, float]


def duration_bin(seconds: float) -> str | None:
    """The duration bin of a clip, or None."""
    for name, (low, high) in DURATION_BINS.items():
        if low < seconds <= high:
            return name
    return None


def accuracy_coverage(verdicts: Sequence[Verdict]) -> tuple[float, float]:
    """Share of keypoints correct, and share correct or partial; a failed verdict is neither.

    Raises:
        ScoringError: there are no keypoints.
    """
    if not verdicts:
        raise ScoringError("a clip without keypoints cannot be scored")
    correct, partial = verdicts.count("correct"), verdicts.count("partial")
    return correct / len(verdicts), (correct + partial) / len(verdicts)


def referential_consistency(sizes: Iterable[int], keypoints: int) -> float:
    """Sum of C(size, 2) over clusters, over C(keypoints, 2), for one subject.

    Args:
        sizes: how many descriptions each cluster holds; none gives 0.
        keypoints: how many the subject takes part in, mentioned or not; at least 2.

    Raises:
        ScoringError: fewer than two keypoints, for which no pair exists.
    """
    if keypoints < 2:
        raise ScoringError("referential consistency needs two keypoints of a subject")
    return sum(comb(size, 2) for size in sizes) / comb(keypoints, 2)


def score_clip(judged: JudgedClip) -> ClipScore:
    """The three values of one judged clip.

    A keypoint that the annotation lists twice counts once in Acc and Cov, but is two of its
    subject's mentions. A subject whose clustering failed is left out of Ref.
    """
    verdicts: dict[str, Verdict] = {}
    for one in judged.judged:
        verdicts.setdefault(one.keypoint.text, one.verdict)
    acc, cov = accuracy_coverage(list(verdicts.values()))
    subjects: dict[str, float] = {}
    for subject, keypoints in judged.subjects.items():
        clusters = judged.clusters.get(subject, ())
        if keypoints >= 2 and clusters is not None:
            sizes = [len(cluster) for cluster in clusters]
            subjects[subject] = referential_consistency(sizes, keypoints)
    ref = _mean(list(subjects.values()))
    return ClipScore(judged.clip, judged.duration, acc, cov, ref, subjects)


def summary(scores: Sequence[ClipScore]) -> dict[str, Any]:
    """Means over clips and per duration bin, and the values of every clip, as JSON-ready data.

    Keys: `accuracy`, `coverage`, `referential_consistency` (None where no clip has one), `count`,
    `referential_count` (clips with a Ref), `duration_bins` (the same per bin that has clips) and
    `per_video` (a list, with `subject_referential_consistency`).
    """
    bins: dict[str, list[ClipScore]] = {name: [] for name in DURATION_BINS}
    for score in scores:
        name = duration_bin(score.duration)
        if name is not None:
            bins[name].append(score)
    return {
        **_means(scores),
        "duration_bins": {name: _means(inside) for name, inside in bins.items() if inside},
        "per_video": [
            {
                "video_id": score.clip,
                "duration": score.duration,
                "accuracy": score.acc,
                "coverage": score.cov,
                "referential_consistency": score.ref,
                "subject_referential_consistency": dict(score.subjects),
            }
            for score in scores
        ],
    }


def _means(scores: Sequence[ClipScore]) -> dict[str, Any]:
    refs = [score.ref for score in scores if score.ref is not None]
    return {
        "count": len(scores),
        "accuracy": _mean([score.acc for score in scores]),
        "coverage": _mean([score.cov for score in scores]),
        "referential_count": len(refs),
        "referential_consistency": _mean(refs),
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None

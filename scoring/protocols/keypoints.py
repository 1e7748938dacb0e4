"""`keypoints`: how much of a clip a text tells, and how steadily it names who takes part.

A judge says of each keypoint of a clip whether the description tells it, correctly or in part, and
for each subject which of the description's references a reader would take for the same person
(CapRiCorn-1K). Per clip, in [0, 1], higher is better; `keypoint_metrics` has the definitions:

- ``acc``: share of keypoints told correctly; ``cov``: told correctly or in part;
- ``ref``: share of pairs of a subject's keypoints in which the text names it recognisably, mean
  over subjects; NaN for a clip without a subject to follow, which the mean leaves out.

A reply that cannot be read, after a corrective call, counts as not mentioned and is counted in
``failed_keypoints``; an unreadable grouping leaves its subject out (``failed_groupings``). Both are
shown with the reply. A judge that could not be reached at all is another matter: the clip has no
values, stands in `failures`, and is asked again when the run is repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from scoring.judges.reply_cache import Replies, ReplyCache
from scoring.protocols.countdown import Countdown
from scoring.protocols.keypoint_clip import KeypointClip, Outcome
from scoring.protocols.keypoint_evidence import (
    by_kind,
    evidence_of,
    from_evidence,
    occurrences,
)
from scoring.protocols.keypoint_judging import (
    ChatKeypointJudge,
    KeypointAsking,
    KeypointJudge,
)
from scoring.protocols.keypoint_metrics import DURATION_BINS, ClipScore, score_clip, summary
from scoring.protocols.keypoint_released import judged_clips
from scoring.protocols.keypoint_types import KINDS, VERDICTS, Annotation
from scoring.signature import signature
from scoring.types import FloatArray, JudgeResult, Progress

__all__ = [
    "DURATION_BINS",
    "KINDS",
    "METRICS",
    "VERDICTS",
    "ChatKeypointJudge",
    "KeypointJudge",
    "by_kind",
    "from_evidence",
    "from_released_judgements",
    "judged_elsewhere",
    "occurrences",
    "score",
    "score_clip",
    "summary",
]

METRICS = ("acc", "cov", "ref")
PROTOCOL = "keypoints.1"
NO_SUBJECT = "no clip has a subject with two keypoints that could be followed"


def score(
    judge: KeypointJudge,
    descriptions: Mapping[str, str],
    annotations: Mapping[str, Annotation],
    *,
    cache: Replies | None = None,
    language: str = "en",
    progress: Progress | None = None,
    previous: JudgeResult | None = None,
) -> JudgeResult:
    """Score one submission with one judge.

    Args:
        judge: who is asked, in both stages.
        descriptions: clip id -> text; a missing one counts as blank, an unknown one is ignored.
        annotations: clip id -> keypoints; its order is the order of the result.
        cache: answers given before; what they hold is not asked again.
        language: of the descriptions.
        progress: called with the number of questions answered and to be answered.
        previous: an earlier, incomplete result: its clips are taken over where texts, keypoints and
            signature are the same and the judge did not fail.

    Returns:
        Per-clip values of `METRICS`; evidence as `evidence_of` has it, with `texts`, `flags`
        (places that speak to the judge) and, if any, `unreadable` replies.
    """
    name = signature(PROTOCOL, {"lang": language}, judge.signature(language))
    clips = [
        KeypointClip(annotation, descriptions.get(clip, ""))
        for clip, annotation in annotations.items()
    ]
    outcomes = _taken_over(previous, name, clips)
    reused = len(outcomes)
    asking = KeypointAsking(judge, language, ReplyCache() if cache is None else cache)
    outcomes |= _asked([clip for clip in clips if clip.name not in outcomes], asking, progress)
    ordered = {clip.name: outcomes[clip.name] for clip in clips}
    return _result(
        judge.name,
        name,
        ordered,
        counts={
            "empty": sum(clip.blank for clip in clips),
            "flagged": sum(bool(one.evidence["flags"]) for one in ordered.values()),
            "reused": reused,
            "cached": asking.cached,
            **asdict(asking.usage),
        },
        baseline=judge.baseline,
    )


def from_released_judgements(
    stage1_rows: Sequence[Mapping[str, Any]], stage2_rows: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The benchmark's values from the rows that its two released scripts write.

    Args and errors are those of `judged_clips`; the result is that of `summary`: `accuracy`,
    `coverage`, `referential_consistency`, `duration_bins`, `per_video` and counts.
    """
    return summary([score_clip(clip) for clip in judged_clips(stage1_rows, stage2_rows)])


def judged_elsewhere(
    judge: str,
    stage1_rows: Sequence[Mapping[str, Any]],
    stage2_rows: Sequence[Mapping[str, Any]],
    annotations: Mapping[str, Annotation] | None = None,
) -> JudgeResult:
    """Judgements made elsewhere as one run's outcome, in the order of the annotations.

    Its numbers are *reported*, not verified: the named judge was not asked here. Rows must have
    been checked against the annotations (`check_judgements`); without any, the clips are those of
    the rows, and the kinds of keypoints are guessed from their subjects.
    """
    name = signature(PROTOCOL, {"judge": judge, "judged": "elsewhere"})
    judged = {clip.clip: clip for clip in judged_clips(stage1_rows, stage2_rows, annotations)}
    outcomes = {}
    for clip in judged if annotations is None else annotations:
        values = score_clip(judged[clip])
        outcomes[clip] = Outcome(values, {"flags": [], **evidence_of(judged[clip], values)})
    return _result(judge, name, outcomes, counts={}, baseline=False)


def _asked(
    clips: Sequence[KeypointClip], asking: KeypointAsking, progress: Progress | None
) -> dict[str, Outcome]:
    """Outcomes of clips by asking: all keypoints first, then the groups of all references."""
    first = [question for clip in clips for question in clip.mention_questions()]
    # Stage 2 is known only when stage 1 is done; its share of the work is guessed until then.
    subjects = sum(len(clip.annotation.subjects) for clip in clips if not clip.blank)
    countdown = Countdown(len(set(first)) + subjects, progress)
    asking.answered = countdown.tick
    mentions = asking.mentions(first)
    second = [q for clip in clips for q in clip.group_questions(mentions).values()]
    groups = asking.groups(second)
    countdown.finish()
    return {clip.name: clip.outcome(mentions, groups) for clip in clips}


def _taken_over(
    previous: JudgeResult | None, name: str, clips: Iterable[KeypointClip]
) -> dict[str, Outcome]:
    """The outcomes of an earlier result that still hold."""
    if previous is None or previous.signature != name:
        return {}
    held = {}
    for clip in clips:
        evidence = previous.evidence.get(clip.name, {})
        if clip.name not in previous.failures and evidence.get("texts") == clip.digests:
            held[clip.name] = Outcome(score_clip(from_evidence(clip.name, evidence)), evidence)
    return held


def _result(
    judge: str,
    name: str,
    outcomes: Mapping[str, Outcome],
    *,
    counts: Mapping[str, int],
    baseline: bool,
) -> JudgeResult:
    scores = [outcome.score for outcome in outcomes.values()]
    metrics = _values(scores)
    undefined = {}
    if all(one is None or one.ref is None for one in scores):
        undefined["ref"] = NO_SUBJECT
    return JudgeResult(
        judge=judge,
        signature=name,
        clips=tuple(outcomes),
        metrics=metrics,
        evidence={
            clip: {**outcome.evidence, "baseline": baseline} for clip, outcome in outcomes.items()
        },
        counts={**_verdict_counts(outcomes), **counts},
        failures={clip: one.failure for clip, one in outcomes.items() if one.failure},
        undefined=undefined,
    )


def _values(scores: Sequence[ClipScore | None]) -> dict[str, FloatArray]:
    """Per metric one value a clip; None becomes NaN."""
    rows = [(one.acc, one.cov, one.ref) if one else (None, None, None) for one in scores]
    values = np.array(rows, dtype=np.float64).reshape(-1, len(METRICS))
    return dict(zip(METRICS, values.T, strict=True))


def _verdict_counts(outcomes: Mapping[str, Outcome]) -> dict[str, int]:
    evidence = [outcome.evidence for outcome in outcomes.values()]
    keypoints = [point for one in evidence for point in one.get("keypoints", ())]
    groups = [group for one in evidence for group in one.get("clusters", {}).values()]
    return {
        "keypoints": len(keypoints),
        "failed": sum(bool(outcome.failure) for outcome in outcomes.values()),
        "failed_keypoints": sum(point["verdict"] == "failed" for point in keypoints),
        "failed_groupings": sum(group is None for group in groups),
    }

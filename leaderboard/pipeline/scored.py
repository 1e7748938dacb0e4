"""A run's outcome as rows, ready to be stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leaderboard.models import Evidence, ScoreVector
from scoring.types import JudgeResult, ScoringError


@dataclass(frozen=True, slots=True)
class Scored:
    """What is stored of a finished run, beside its state.

    ``counts`` holds what a reader must know beside the numbers, ``summary`` what the protocol says
    of the submission as a whole (JSON-ready).
    """

    signature: str
    vectors: Sequence[ScoreVector]
    evidence: Sequence[Evidence] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    summary: Mapping[str, Any] = field(default_factory=dict)


class Incomplete(ScoringError):  # noqa: N818 - named as the fault is spoken of
    """The judge failed on some clips: no mean over the others stands in for them."""

    code = "judge-failed"

    def __init__(self, result: JudgeResult) -> None:
        clip, reason = next(iter(result.failures.items()))
        super().__init__(
            f"The judge failed on {len(result.failures)} of {len(result.clips)} clips, first on "
            f"{clip}: {reason}"
        )

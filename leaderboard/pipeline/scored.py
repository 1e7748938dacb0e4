"""A run's outcome as rows, ready to be stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leaderboard.models import Evidence, ScoreVector


@dataclass(frozen=True, slots=True)
class Scored:
    """What is stored of a finished run, beside its state.

    ``counts`` holds what a reader must know beside the numbers, ``summary`` what the protocol says
    of the submission as a whole (JSON-ready). ``failures`` maps each clip that the judge failed on
    to the reason; a run with any is incomplete, and no mean over the other clips stands in.
    """

    signature: str
    vectors: Sequence[ScoreVector]
    evidence: Sequence[Evidence] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    summary: Mapping[str, Any] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)

    @property
    def shortfall(self) -> str:
        """Why the run is incomplete, fit for the submitter; empty when it is complete."""
        if not self.failures:
            return ""
        clip, reason = next(iter(self.failures.items()))
        clips = "one clip" if len(self.failures) == 1 else f"{len(self.failures)} clips, first"
        return (
            f"The judge failed on {clips} ({clip}: {reason}). Your file is not the cause. What was "
            "judged is kept; when the run is tried again, only the rest is asked."
        )

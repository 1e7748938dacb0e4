"""How far a judge's numbers spread from run to run: the same texts judged several times.

Language models answer differently at temperature 0. A rank that hangs on less than this spread
hangs on chance, so it is shown beside the score; the score itself is that of the first run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.judges.fact_judge import FactJudge
from scoring.judges.reply_cache import Repetition, Replies, ReplyCache
from scoring.protocols import facts
from scoring.types import JudgeResult, Progress, References, ScoringError


@dataclass(frozen=True, slots=True)
class Spread:
    """A metric's mean over the clips in several runs: their mean, sample deviation and range.

    `clip_std` is the mean over the clips of the sample deviation of one clip's values: runs may
    differ much on each clip and little in the mean.
    """

    runs: int
    mean: float
    std: float
    low: float
    high: float
    clip_std: float


def score_repeatedly(
    judge: FactJudge,
    descriptions: Mapping[str, str],
    references: References,
    *,
    repeats: int,
    cache: Replies | None = None,
    language: str = "en",
    progress: Progress | None = None,
) -> tuple[JudgeResult, ...]:
    """`facts.score` several times over; everything is asked anew each time.

    Answers are kept per repetition: called again, and with more repetitions, only what is missing
    is asked. The first result is the one that `facts.score` gives with the same cache.
    """
    known = ReplyCache() if cache is None else cache
    return tuple(
        facts.score(
            judge,
            descriptions,
            references,
            cache=Repetition(known, index),
            language=language,
            progress=_part(progress, index, repeats),
        )
        for index in range(repeats)
    )


def spread(results: Sequence[JudgeResult]) -> dict[str, Spread]:
    """The spread of every metric over several runs of one judge on the same clips.

    Raises:
        ScoringError: fewer than two results, one of another kind, or one with failed clips.
    """
    if len(results) < 2:
        raise ScoringError("a spread needs at least two runs")
    if len({(result.signature, result.clips) for result in results}) > 1:
        raise ScoringError("a spread is of runs with the same signature on the same clips")
    failed = sorted({clip for result in results for clip in result.failures})
    if failed:
        raise ScoringError(f"no spread while clips have failed: {', '.join(failed[:5])}")
    return {
        metric: _spread(np.array([result.metrics[metric] for result in results]))
        for metric in results[0].metrics
    }


def _spread(values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Spread:
    """From values of shape (runs, clips)."""
    means = values.mean(axis=1)
    return Spread(
        runs=len(values),
        mean=float(means.mean()),
        std=float(means.std(ddof=1)),
        low=float(means.min()),
        high=float(means.max()),
        clip_std=float(values.std(axis=0, ddof=1).mean()),
    )


def _part(progress: Progress | None, index: int, repeats: int) -> Progress | None:
    if progress is None:
        return None
    tell = progress
    return lambda done, total: tell(index * total + done, repeats * total)

"""What a run says beside its scores: where its judge failed, what it cost, how far it spread."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.models import Run
from leaderboard.tables.labels import is_baseline, metric_title

MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class Failure:
    """A clip that the judge failed on, and why; the reason quotes no text of the release."""

    clip: str
    reason: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a language model's answers took, over all tries and repetitions of the run.

    ``cached`` answers were known already; ``calls`` were sent, ``retries`` of them after an error.
    ``cost`` is in the currency of the judge's prices, None where none are known.
    """

    calls: int
    retries: int
    cached: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class SpreadOf:
    """A metric's mean in several runs on the same texts: of how many, and how far they lie apart.

    ``std`` is the sample deviation of the means, ``clip_std`` the mean over clips of that of one
    clip's values.
    """

    metric: str
    title: str
    runs: int
    mean: float
    std: float
    low: float
    high: float
    clip_std: float


@dataclass(frozen=True, slots=True)
class Remarks:
    """All of it, for page and API. ``undefined`` has (metric, title, why it has no value)."""

    baseline: bool
    failures: tuple[Failure, ...]
    usage: Usage | None
    spread: tuple[SpreadOf, ...]
    undefined: tuple[tuple[str, str, str], ...]

    @property
    def failures_by_reason(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Each reason once with its clips, in the order of the clips."""
        found: dict[str, list[str]] = {}
        for failure in self.failures:
            found.setdefault(failure.reason, []).append(failure.clip)
        return tuple((reason, tuple(clips)) for reason, clips in found.items())


def remarks(run: Run) -> Remarks:
    """What the row holds; no query."""
    return Remarks(
        baseline=is_baseline(run.judge),
        failures=tuple(Failure(clip, reason) for clip, reason in run.failures.items()),
        usage=_usage(run),
        spread=tuple(
            SpreadOf(metric, metric_title(metric), **numbers)
            for metric, numbers in run.summary.get("spread", {}).items()
        ),
        undefined=tuple(
            (metric, metric_title(metric), why)
            for metric, why in run.summary.get("undefined", {}).items()
        ),
    )


def _usage(run: Run) -> Usage | None:
    """None for a run that no language model was asked in."""
    counts = run.counts
    if "prompt_tokens" not in counts or is_baseline(run.judge):
        return None
    micros = counts.get("cost_micros", 0)
    return Usage(
        calls=counts.get("calls", 0),
        retries=counts.get("retries", 0),
        cached=counts.get("cached", 0),
        prompt_tokens=counts["prompt_tokens"],
        completion_tokens=counts.get("completion_tokens", 0),
        cost=micros / MICROS if micros else None,
    )

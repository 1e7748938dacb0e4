"""Runs of facts: which facts of the reference a description states or denies, and the reverse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from leaderboard.models import Run, Track
from leaderboard.pipeline import bridge
from leaderboard.pipeline.judges import fact_judge, reply_cache
from leaderboard.pipeline.scored import Scored
from scoring.judges.fact_judge import FactJudge, Usage
from scoring.judges.reply_cache import Repetition
from scoring.protocols import facts
from scoring.protocols.repeats import spread
from scoring.types import JudgeResult, Progress

COSTS = tuple(field.name for field in fields(Usage))


def score_descriptions(run: Run, progress: Progress) -> Scored:
    """Ask the judge about every clip that an earlier try has not settled.

    With ``repeats`` in the track's settings everything is judged so many times; the score is that
    of the first time, and the summary says how far the others spread.
    """
    judge = fact_judge(run.judge)
    repeats = int(run.track.settings.get("repeats", 1))
    results = [_judged(run, judge, _share(progress, 0, repeats), 0)]
    if results[0].complete:
        results += [
            _judged(run, judge, _share(progress, index, repeats), index)
            for index in range(1, repeats)
        ]
    result = replace(results[0], counts=_counts(run, results))
    return bridge.scored(run, result, summary=_summary(judge, results))


def prepare_references(track: Track, judge: str, progress: Progress) -> dict[str, str]:
    """Have a judge take the track's references apart before anything is submitted.

    What is known already is not asked again, and what comes back stays in the reply cache, where
    every run finds it. Returns the clips that no submission can be scored on with this judge, each
    with the reason. Raises ``JudgeNotReady``, or ``ScoringError`` for a clip without a reference.
    """
    return facts.prepare(
        fact_judge(judge),
        bridge.references_of(track),
        cache=reply_cache(),
        language=track.language or "en",
        kind=track.settings.get("kind"),
        progress=progress,
    )


def _judged(run: Run, judge: FactJudge, progress: Progress, repetition: int) -> JudgeResult:
    return facts.score(
        judge,
        bridge.descriptions_of(run.submission),
        bridge.references_of(run.track),
        cache=Repetition(reply_cache(), repetition),
        language=run.track.language or "en",
        kind=run.track.settings.get("kind"),
        progress=progress,
        previous=None if repetition else bridge.previous_of(run),
    )


def _counts(run: Run, results: list[JudgeResult]) -> dict[str, int]:
    """Those of the first result, with what all tries and repetitions have cost together."""
    cost = {
        name: run.counts.get(name, 0) + sum(result.counts[name] for result in results)
        for name in COSTS
    }
    return dict(results[0].counts) | cost


def _summary(judge: FactJudge, results: list[JudgeResult]) -> Mapping[str, Any]:
    """Whether the judge is a baseline, and per metric how far repetitions spread."""
    summary: dict[str, Any] = {"baseline": judge.baseline}
    if len(results) > 1 and all(result.complete for result in results):
        summary["spread"] = {name: asdict(one) for name, one in spread(results).items()}
    return summary


def _share(progress: Progress, index: int, repeats: int) -> Progress:
    """Progress of one repetition out of several."""
    return lambda done, total: progress(index * total + done, repeats * total)

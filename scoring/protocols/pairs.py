"""Pair tests (VELOCITI): which of two captions, one true and one not, fits the video.

`score` turns uploaded answers into accuracies per test, their 95% intervals, chance levels, and the
averages that systems are ranked by. The metrics themselves are those of `pair_metrics`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from scoring.protocols import pair_metrics
from scoring.protocols.pair_intervals import (
    bootstrap_means,
    percentile_interval,
    wilson_interval,
)
from scoring.protocols.pair_metrics import (
    CHANCE,
    classic_accuracy,
    ivat_accuracy,
    mcq_accuracy,
    mcq_analysis,
    strict_accuracy,
    strict_analysis,
    yes_no_accuracy,
    yes_no_analysis,
)
from scoring.protocols.pair_results import (
    VERSION,
    Accuracy,
    Average,
    PairsResult,
    TestResult,
    judge_results,
)
from scoring.protocols.pair_tests import (
    FAMILIES,
    RELEASED_NAMES,
    TITLES,
    Answers,
    CaptionPair,
    Kind,
    PairsUpload,
    PairTests,
    averaged,
    paper_name,
)
from scoring.signature import signature
from scoring.types import FloatArray, ScoringError

__all__ = [
    "CHANCE",
    "FAMILIES",
    "RELEASED_NAMES",
    "TITLES",
    "Accuracy",
    "Average",
    "CaptionPair",
    "PairsResult",
    "PairsUpload",
    "TestResult",
    "classic_accuracy",
    "ivat_accuracy",
    "judge_results",
    "mcq_accuracy",
    "mcq_analysis",
    "paper_name",
    "score",
    "strict_accuracy",
    "strict_analysis",
    "wilson_interval",
    "yes_no_accuracy",
    "yes_no_analysis",
]

Graded = tuple[dict[str, FloatArray], FloatArray, dict[str, float]]
"""Values per pair by metric, 1.0 where a pair was answered, and parts of the metrics."""


def score(
    upload: PairsUpload,
    tests: PairTests | None = None,
    *,
    replicates: int = 1000,
    seed: int = 0,
) -> PairsResult:
    """Accuracies of every test of an upload, and their averages.

    Args:
        upload: answers, checked against `tests` by `check_pairs`.
        tests: the pairs of the release; None takes the tests that the upload happens to hold.
        replicates, seed: of the bootstrap intervals.

    Raises:
        ScoringError: the upload has errors, or a test does not have exactly its pairs.
    """
    if upload.errors:
        message = "; ".join(map(str, upload.errors[:5]))
        raise ScoringError(f"answers with errors are not scored: {message}")
    if tests is not None:
        _check_complete(upload, tests)
    results = tuple(_test(one, replicates, seed) for one in upload.answers)
    wanted = averaged(tests if tests is not None else {one.test for one in results})
    averages = {}
    for metric in ("classic", "strict", "mcq"):
        with_metric = {one.test: one for one in results if metric in one.accuracy}
        if with_metric:
            averages[metric] = _average(metric, with_metric, wanted, replicates, seed)
    options = {"replicates": str(replicates), "seed": str(seed)}
    return PairsResult(results, averages, signature(VERSION, options))


def _check_complete(upload: PairsUpload, tests: PairTests) -> None:
    for one in upload.answers:
        wanted = [(pair.clip, pair.event) for pair in tests.get(one.test, ())]
        if list(one.keys) != wanted:
            message = (
                f"the test {one.test} has {len(wanted)} pairs, its answers {len(one.keys)}, or "
                "they stand in another order; check the upload against the tests first"
            )
            raise ScoringError(message)


def _test(one: Answers, replicates: int, seed: int) -> TestResult:
    correct, answered, details = _GRADES[one.kind](one)
    accuracy = {
        name: _accuracy(name, values, answered, replicates, seed)
        for name, values in correct.items()
    }
    return TestResult(one.test, one.kind, one.keys, one.items, accuracy, correct, answered, details)


def _grade_scores(one: Answers) -> Graded:
    pos, neg = _columns(one)
    analysis = pair_metrics.strict_analysis(pos, neg)
    correct = {
        "classic": pair_metrics.classic_correct(pos, neg),
        "strict": pair_metrics.strict_correct(pos, neg),
    }
    return correct, np.ones(len(pos)), _strict_details(analysis)


def _grade_verdicts(one: Answers) -> Graded:
    pos, neg = _words(one)
    analysis = pair_metrics.yes_no_analysis(pos, neg)
    answered = pair_metrics.yes_no_answered(pos, neg).astype(np.float64)
    correct = {"strict": pair_metrics.yes_no_correct(pos, neg)}
    return correct, answered, _strict_details(analysis)


def _grade_choices(one: Answers) -> Graded:
    first, second = _words(one)
    analysis = pair_metrics.mcq_analysis(first, second)
    answered = pair_metrics.mcq_answered(first, second).astype(np.float64)
    details = {"mcq_first": analysis.first, "mcq_second": analysis.second}
    return {"mcq": pair_metrics.mcq_correct(first, second)}, answered, details


def _grade_matrices(one: Answers) -> Graded:
    correct = pair_metrics.ivat_correct(one.values if one.values is not None else [])
    return correct, np.ones(len(one.keys)), {}


_GRADES: Mapping[Kind, Callable[[Answers], Graded]] = {
    "scores": _grade_scores,
    "verdicts": _grade_verdicts,
    "choices": _grade_choices,
    "matrices": _grade_matrices,
}


def _strict_details(analysis: pair_metrics.StrictAnalysis) -> dict[str, float]:
    return {
        "strict_accepted": analysis.accepted,
        "strict_rejected_given_accepted": analysis.rejected_given_accepted,
    }


def _columns(one: Answers) -> tuple[FloatArray, FloatArray]:
    values = one.values if one.values is not None else np.empty((0, 2))
    return values[:, 0], values[:, 1]


def _words(one: Answers) -> tuple[Sequence[str], Sequence[str]]:
    return [first for first, _ in one.words], [second for _, second in one.words]


def _accuracy(
    metric: str, correct: FloatArray, answered: FloatArray, replicates: int, seed: int
) -> Accuracy:
    count, right = int(answered.sum()), float(correct.sum())
    resampled = bootstrap_means(correct, answered, replicates=replicates, seed=seed)
    share = not metric.endswith("_independent") and count > 0
    return Accuracy(
        value=right / count if count else 0.0,
        of_all=right / len(correct),
        chance=CHANCE[metric],
        bootstrap=percentile_interval(resampled),
        wilson=wilson_interval(round(right), count) if share else None,
    )


def _average(
    metric: str,
    results: Mapping[str, TestResult],
    wanted: Sequence[str],
    replicates: int,
    seed: int,
) -> Average:
    missing = tuple(test for test in wanted if test not in results)
    if missing or not wanted:
        return Average(None, None, None, tuple(wanted), missing)
    chosen = [results[test] for test in wanted]
    # Every test draws from a stream of its own: tests are resampled independently.
    resampled = np.mean(
        [
            bootstrap_means(
                one.correct[metric], one.answered, replicates=replicates, seed=seed + at
            )
            for at, one in enumerate(chosen)
        ],
        axis=0,
    )
    return Average(
        value=float(np.mean([one.accuracy[metric].value for one in chosen])),
        of_all=float(np.mean([one.accuracy[metric].of_all for one in chosen])),
        interval=percentile_interval(resampled),
        tests=tuple(wanted),
        missing=(),
    )

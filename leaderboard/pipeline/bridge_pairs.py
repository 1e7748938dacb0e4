"""Caption pairs and answers to them: rows to the scoring library's types and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from leaderboard.models import CaptionPair, Release, Run, ScoreVector
from scoring.protocols.pair_results import PairsResult, TestResult
from scoring.protocols.pair_table import METRICS, Answered
from scoring.protocols.pair_tests import TITLES
from scoring.protocols.pair_tests import CaptionPair as Pair
from scoring.types import FloatArray


def pair_tests_of(release: Release) -> dict[str, tuple[Pair, ...]]:
    """Test to its pairs, in the release's order; those of excluded clips are answered like all."""
    tests: dict[str, list[Pair]] = {}
    rows = CaptionPair.objects.filter(release=release).order_by("position")
    for test, clip, event, positive, negative in rows.values_list(
        "test_name", "clip__key", "event", "positive", "negative"
    ):
        tests.setdefault(test, []).append(Pair(test, clip, event, positive, negative))
    return {test: tuple(tests[test]) for test in sorted(tests, key=_place)}


def scored_positions(release: Release) -> dict[str, NDArray[np.int64]]:
    """Test to the positions of the pairs that count, tests in the order of the paper's tables."""
    return _by_test(CaptionPair.objects.filter(release=release).scored())


def pair_vectors(run: Run, result: PairsResult) -> list[ScoreVector]:
    """One row per metric: 1 where a pair was answered right, 0 where not, NaN where not asked.

    ``mean`` is the average over tests, or that of the only test that has the metric (IVAT's); None
    while a test is missing.
    """
    positions = _positions(run.submission.release)
    size = sum(map(len, positions.values()))
    rows = []
    for metric in METRICS:
        tests = [one for one in result.tests if metric in one.correct]
        if not tests:
            continue
        values = np.full(size, np.nan, dtype="<f8")
        for one in tests:
            values[positions[one.test]] = one.correct[metric]
        rows.append(
            ScoreVector(
                run=run,
                metric=metric,
                unit=ScoreVector.Unit.PAIR,
                data=values.tobytes(),
                clips=int(np.isfinite(values).sum()),
                mean=_mean(result, metric, tests),
            )
        )
    return rows


def pair_summary(release: Release, result: PairsResult) -> dict[str, Any]:
    """The library's own summary, and by metric the positions of pairs that were not answered."""
    positions = _positions(release)
    unanswered: dict[str, list[int]] = {}
    for one in result.tests:
        blank = positions[one.test][one.answered == 0]
        for metric in one.correct if len(blank) else ():
            unanswered.setdefault(metric, []).extend(blank.tolist())
    return {**result.to_json(), "unanswered": unanswered}


def answered(entries: Sequence[tuple[str, Mapping[str, int]]]) -> tuple[Answered, ...]:
    """What each system of (slug, runs) answered, from its finished run."""
    owner = {run: slug for slug, runs in entries for run in runs.values()}
    found: dict[str, dict[str, FloatArray]] = {slug: {} for slug, _ in entries}
    for vector in ScoreVector.objects.filter(run__in=owner, unit=ScoreVector.Unit.PAIR):
        found[owner[vector.run_id]][vector.metric] = vector.values
    blanks: dict[str, Mapping[str, Sequence[int]]] = {slug: {} for slug, _ in entries}
    for run, summary in Run.objects.filter(pk__in=owner).values_list("pk", "summary"):
        blanks[owner[run]] = summary.get("unanswered", {})
    return tuple(Answered(slug, found[slug], blanks[slug]) for slug, _ in entries)


def _positions(release: Release) -> dict[str, NDArray[np.int64]]:
    """Test to the positions of all its pairs, in the order of ``pair_tests_of``."""
    return _by_test(CaptionPair.objects.filter(release=release).order_by("position"))


def _by_test(pairs: QuerySet[CaptionPair]) -> dict[str, NDArray[np.int64]]:
    found: dict[str, list[int]] = {}
    for test, position in pairs.values_list("test_name", "position"):
        found.setdefault(test, []).append(position)
    return {test: np.array(found[test]) for test in sorted(found, key=_place)}


def _mean(result: PairsResult, metric: str, tests: Sequence[TestResult]) -> float | None:
    if metric in result.averages:
        return result.averages[metric].of_all
    return float(np.mean([one.accuracy[metric].of_all for one in tests]))


def _place(test: str) -> tuple[int, str]:
    names = list(TITLES)
    return (names.index(test) if test in names else len(names), test)

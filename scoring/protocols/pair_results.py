"""What the scoring of pair tests gives: accuracies per test, and averages over tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from scoring.protocols.pair_tests import Kind, PairTests
from scoring.signature import signature
from scoring.types import FloatArray, JudgeResult

VERSION = "pairs.1"
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """One metric of one test.

    ``value`` is over the pairs that were answered, as the benchmark's code has it; ``of_all``
    counts an unreadable answer as wrong, so that refusing never helps: systems are ranked by it.
    ``wilson`` is None for a metric that is no share of right answers. Intervals are of ``value``.
    """

    value: float
    of_all: float
    chance: float
    bootstrap: Interval
    wilson: Interval | None


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test of one system: accuracies by metric, and 1.0 or 0.0 per pair (IVAT also 0.5).

    ``details`` holds the parts of a metric: of `strict` where it is lost, of `mcq` each order.
    """

    __test__ = False  # not a test case, whatever pytest makes of the name

    test: str
    kind: Kind
    keys: tuple[tuple[str, str], ...]
    items: tuple[str, ...]
    accuracy: Mapping[str, Accuracy]
    correct: Mapping[str, FloatArray]
    answered: FloatArray
    details: Mapping[str, float] = field(default_factory=dict)

    @property
    def unanswered(self) -> int:
        """Pairs whose answer could not be read."""
        return int(len(self.answered) - self.answered.sum())


@dataclass(frozen=True, slots=True)
class Average:
    """Mean of one metric over tests, each test counting the same.

    ``value`` and ``of_all`` as in `Accuracy`; all are None, and the system is unranked, while a
    test is ``missing``. ``interval`` resamples the pairs within each test.
    """

    value: float | None
    of_all: float | None
    interval: Interval | None
    tests: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairsResult:
    """All tests of one system, and its average per metric."""

    tests: tuple[TestResult, ...]
    averages: Mapping[str, Average]
    signature: str

    def to_json(self) -> dict[str, Any]:
        """JSON-ready data, without the values per pair."""
        return {
            "signature": self.signature,
            "tests": [
                {
                    "test": one.test,
                    "kind": one.kind,
                    "pairs": len(one.items),
                    "unanswered": one.unanswered,
                    "accuracy": {name: asdict(value) for name, value in one.accuracy.items()},
                    "details": dict(one.details),
                }
                for one in self.tests
            ],
            "averages": {name: asdict(average) for name, average in self.averages.items()},
        }


def judge_results(result: PairsResult, tests: PairTests | None = None) -> tuple[JudgeResult, ...]:
    """Each test as one run's outcome: its pairs are the clips, the test takes the judge's place.

    So a panel of tests is stored and read like a panel of judges. Metrics count unanswered pairs as
    wrong; evidence holds the captions, when `tests` is given.
    """
    return tuple(
        JudgeResult(
            judge=f"{one.test}-mcq" if one.kind == "choices" else one.test,
            signature=signature(VERSION, {"test": one.test, "kind": one.kind}),
            clips=one.items,
            metrics=one.correct,
            evidence=_evidence(one, tests),
            counts={"pairs": len(one.items), "unanswered": one.unanswered},
        )
        for one in result.tests
    )


def _evidence(one: TestResult, tests: PairTests | None) -> dict[str, dict[str, Any]]:
    pairs = tests.get(one.test, ()) if tests is not None else ()
    found: dict[str, dict[str, Any]] = {}
    for at, item in enumerate(one.items):
        clip, event = one.keys[at]
        found[item] = {
            "clip": clip,
            "event": event,
            "correct": {name: float(values[at]) for name, values in one.correct.items()},
            "answered": bool(one.answered[at]),
        }
        if pairs:
            found[item] |= {"positive": pairs[at].positive, "negative": pairs[at].negative}
    return found

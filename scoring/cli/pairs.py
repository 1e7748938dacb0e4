"""`cliprank score --protocol pairs`: answers to pair tests, which need no judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from scoring.cli.inputs import print_problems, read_bytes
from scoring.cli.request import Outcome, Request
from scoring.formats.quoting import counted

if TYPE_CHECKING:
    from scoring.protocols.pair_results import Accuracy, PairsResult
    from scoring.protocols.pair_tests import CaptionPair, PairsUpload


def score_pairs(request: Request, console: Console) -> Outcome:
    """Accuracies of each test with their intervals, and averages over tests.

    Raises:
        WrongUsage: options that mean nothing here.
        ScoringError: the answers cannot be scored.
    """
    from scoring.protocols import pairs

    request.refuse(judge=request.judges, judged_by=request.judged_by, exclude=request.exclude)
    tests = _tests(request, console)
    result = pairs.score(_answers(request, tests, console), tests)
    for line in (*_test_lines(result), *_average_lines(result)):
        console.print(line, soft_wrap=True)
    total = sum(len(one.items) for one in result.tests)
    said = f"{counted(len(result.tests), 'test')}, {counted(total, 'answer')}"
    return Outcome(_document(request.system, result), whole=True, said=said)


def _tests(request: Request, console: Console) -> dict[str, tuple[CaptionPair, ...]]:
    from scoring.formats.pair_tests import PairTestsError, read_pair_tests

    try:
        return read_pair_tests(read_bytes(request.known), request.known.name)
    except PairTestsError as error:
        print_problems(console, request.known, error.problems)
        raise typer.Exit(1) from None


def _answers(
    request: Request, tests: dict[str, tuple[CaptionPair, ...]], console: Console
) -> PairsUpload:
    from scoring.formats.packing import packed
    from scoring.formats.pair_check import check_pairs
    from scoring.formats.pairs import read_pairs

    data, name = packed([(path.name, read_bytes(path)) for path in request.files])
    upload = check_pairs(read_pairs(data, name), tests)
    print_problems(console, request.files[0], upload.problems)
    if not upload.ok:
        raise typer.Exit(1)
    return upload


def _document(system: str, result: PairsResult) -> dict[str, Any]:
    """The site's own numbers, JSON-ready, and right (1) or wrong (0) of every pair."""
    from scoring.protocols.pairs import judge_results

    answered = {
        one.judge: {
            item: {metric: float(values[at]) for metric, values in one.metrics.items()}
            for at, item in enumerate(one.clips)
        }
        for one in judge_results(result)
    }
    return {"system": system, **result.to_json(), "pairs": answered}


def _test_lines(result: PairsResult) -> Iterator[str]:
    from scoring.protocols.pair_tests import title

    for one in result.tests:
        for metric, accuracy in one.accuracy.items():
            yield f"{title(one.test)}: {metric} {_shown(accuracy)}"
        if one.unanswered:
            yield f"{title(one.test)}: {counted(one.unanswered, 'answer')} could not be read"


def _shown(accuracy: Accuracy) -> str:
    """Wilson's interval where the metric is a share of right answers, else the bootstrap's."""
    low, high = accuracy.wilson or accuracy.bootstrap
    return f"{accuracy.value:.1%} ({low:.1%} to {high:.1%}; chance {accuracy.chance:.1%})"


def _average_lines(result: PairsResult) -> Iterator[str]:
    for metric, average in result.averages.items():
        if average.of_all is None:
            yield f"No average of {metric}: {', '.join(average.missing)} missing"
        else:
            tests = counted(len(average.tests), "test")
            yield f"Average of {metric} over {tests}: {average.of_all:.1%}"

"""What every judge of facts is: it takes texts apart into facts, and checks facts against texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from scoring.judges.base import JudgeFailed
from scoring.judges.verdicts import Verdict

Facts = tuple[str, ...]
Verdicts = tuple[Verdict, ...]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Usage:
    """What answers cost: requests sent, those sent again after an error, tokens, and money.

    `cost_micros` is in millionths of the currency that the judge's prices are given in.
    """

    calls: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_micros: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.retries + other.retries,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost_micros + other.cost_micros,
        )


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value]):
    """What came of one question, facts or verdicts, or why there is nothing; and the raw reply."""

    value: Value | JudgeFailed
    raw: str = ""
    usage: Usage = Usage()


Answers = Iterator[tuple[int, Answer[Value]]]
"""Answers with the places of their questions, as they are ready."""


@dataclass(frozen=True, slots=True)
class Question:
    """Does the text entail or contradict each of these facts? At least one fact."""

    facts: Facts
    text: str


class FactJudge(Protocol):
    """A judge that LLMFactsF1 can be computed with.

    Answers come as they are ready, with the place of their question; a question that the judge
    fails on gets its failure as an answer, and the others go on.
    """

    name: str
    baseline: bool
    """True for a judge whose numbers must be shown as a baseline, not as published ones."""

    def signature(self, language: str) -> str:
        """Everything of this judge that changes an answer: `judge:...|model:...|...`."""
        ...

    def extract(self, texts: Sequence[str], language: str) -> Answers[Facts]:
        """The facts that each text states."""
        ...

    def check(self, questions: Sequence[Question], language: str) -> Answers[Verdicts]:
        """One verdict per fact of each question, in the order of its facts."""
        ...

"""Language-model judges: prompts in, one parser for what comes back, one corrective call.

`ChatJudge` is the same whatever serves the model. A `ChatModel` only completes conversations:
`scoring.judges.endpoint` over HTTP, `scoring.judges.local_chat` with weights in this process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from scoring import prompts
from scoring.judges.base import JudgeFailed
from scoring.judges.fact_judge import Answer, Answers, Facts, Question, Usage, Verdicts
from scoring.judges.verdicts import (
    FACTS_SCHEMA,
    UnreadableReply,
    read_facts,
    read_verdicts,
    verdicts_schema,
)
from scoring.prompts import Message
from scoring.signature import digest, joined
from scoring.text import LANGUAGES, UnknownLanguage

CORRECTION = "correct_reply"
"""The prompt of the corrective call, part of the signature of every judge that asks."""
LARGER = 4
"""How many times the usual room a reply gets when the first one did not fit."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Request:
    """A conversation to be completed by one JSON object of a schema.

    `room` multiplies the tokens that the model's settings allow for a reply.
    """

    messages: tuple[Message, ...]
    schema_name: str
    schema: Mapping[str, Any]
    room: int = 1


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model wrote; `whole` is False when it was stopped by the token limit."""

    text: str
    whole: bool
    usage: Usage


class CallFailed(JudgeFailed):
    """A conversation that was not completed. `raw` keeps what came back, if anything did."""

    code = "call-failed"

    def __init__(self, message: str, raw: str = "") -> None:
        self.raw = raw
        super().__init__(message)


class ChatModel(Protocol):
    """Something that completes conversations."""

    name: str

    def signature(self) -> str:
        """Everything of this model that changes a reply: `judge:...|model:...|rev:...|...`."""
        ...

    def complete(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply | CallFailed]]:
        """Replies as they arrive, each with the place of its request, or why there is none."""
        ...


class ChatJudge:
    """A language model as a judge of facts.

    A reply that cannot be read gets one corrective call: with what was wrong with it, or, when it
    was cut off, with more room. After that the judge has failed on this question.
    """

    baseline = False

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.name = model.name
        self._extract = prompts.load("extract_facts")
        self._check = prompts.load("check_facts")
        self._correct = prompts.load(CORRECTION)

    def signature(self, language: str) -> str:
        """See `FactJudge.signature`; names each prompt with its version and digest."""
        named = "+".join(str(prompt) for prompt in (self._extract, self._check, self._correct))
        schemas = digest(json.dumps([dict(FACTS_SCHEMA), verdicts_schema(1)]))
        return f"{self.model.signature()}|{joined({'prompts': named, 'schemas': schemas})}"

    def extract(self, texts: Sequence[str], language: str) -> Answers[Facts]:
        """See `FactJudge.extract`."""
        requests = [self._extraction(text, language) for text in texts]
        return ask(self.model, requests, lambda _, raw: read_facts(raw))

    def check(self, questions: Sequence[Question], language: str) -> Answers[Verdicts]:
        """See `FactJudge.check`."""
        requests = [self._checking(question, language) for question in questions]
        return ask(
            self.model,
            requests,
            lambda place, raw: read_verdicts(raw, len(questions[place].facts)),
        )

    def _extraction(self, text: str, language: str) -> Request:
        messages = self._extract.messages(
            text=prompts.inert(text), mark=prompts.mark(text), language=_language(language)
        )
        return Request(messages, "facts", FACTS_SCHEMA)

    def _checking(self, question: Question, language: str) -> Request:
        # One line a fact, so that no fact can pass for two.
        lines = [f"{n}. {' '.join(fact.split())}" for n, fact in enumerate(question.facts, 1)]
        facts = prompts.inert("\n".join(lines))
        messages = self._check.messages(
            text=prompts.inert(question.text),
            facts=facts,
            count=str(len(question.facts)),
            mark=prompts.mark(question.text, facts),
            language=_language(language),
        )
        return Request(messages, "verdicts", verdicts_schema(len(question.facts)))


def ask(
    model: ChatModel, requests: Sequence[Request], read: Callable[[int, str], Value]
) -> Answers[Value]:
    """Answers as they arrive, each with the place of its request.

    `read` makes a value of a reply, given its place, or raises `UnreadableReply`. Such a reply gets
    one corrective call; what cannot be read then is the answer's failure.
    """
    again: list[tuple[int, Request, Usage]] = []
    for place, outcome in model.complete(requests):
        answer = _read(outcome, place, read)
        correction = _correction(requests[place], outcome, answer)
        if correction is None:
            yield place, answer
        else:
            again.append((place, correction, answer.usage))
    for which, outcome in model.complete([request for _, request, _ in again]):
        place, _, spent = again[which]
        answer = _read(outcome, place, read)
        yield place, replace(answer, usage=spent + answer.usage)


def _correction(
    request: Request, outcome: Reply | CallFailed, answer: Answer[Value]
) -> Request | None:
    """The corrective call that an answer asks for, if any."""
    if not isinstance(outcome, Reply) or not isinstance(answer.value, UnreadableReply):
        return None
    if not outcome.whole:
        return replace(request, room=request.room * LARGER)
    said = Message("assistant", outcome.text or "(no reply)")
    correction = prompts.load(CORRECTION).messages(problem=answer.value.problem)
    return replace(request, messages=(*request.messages, said, *correction))


def _read(
    outcome: Reply | CallFailed, place: int, read: Callable[[int, str], Value]
) -> Answer[Value]:
    if isinstance(outcome, CallFailed):
        return Answer(outcome, outcome.raw)
    if not outcome.whole:
        cut = UnreadableReply("it reached the limit of tokens", outcome.text)
        return Answer(cut, outcome.text, outcome.usage)
    try:
        return Answer(read(place, outcome.text), outcome.text, outcome.usage)
    except UnreadableReply as failure:
        return Answer(failure, outcome.text, outcome.usage)


def _language(code: str) -> str:
    if code not in LANGUAGES:
        raise UnknownLanguage(code)
    return LANGUAGES[code].title()

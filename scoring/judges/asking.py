"""Asking a judge: each distinct question once, through the reply cache."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from scoring.judges.base import JudgeFailed
from scoring.judges.fact_judge import Answer, Answers, FactJudge, Facts, Question, Usage, Verdicts
from scoring.judges.reply_cache import Payload, Replies, ReplyCache, reply_key
from scoring.judges.verdicts import Verdict

Asked = TypeVar("Asked", bound=Hashable)
Value = TypeVar("Value")


class Spending(Protocol):
    """What is known and spent while the questions of one run are asked."""

    cache: Replies
    usage: Usage
    cached: int

    @property
    def answered(self) -> Callable[[], None]:
        """Called after each question."""
        ...


@dataclass(slots=True)
class Asking:
    """The questions of one run to one judge, and what they cost.

    Args:
        judge: who is asked.
        language: of all texts.
        cache: looked up before asking; answers go there as they arrive, so that a run that ends
            early loses what was under way and no more.
        answered: called after each question.
    """

    judge: FactJudge
    language: str
    cache: Replies = field(default_factory=ReplyCache)
    answered: Callable[[], None] = lambda: None
    usage: Usage = field(default_factory=Usage)
    cached: int = 0

    def facts(self, texts: Iterable[str]) -> dict[str, Answer[Facts]]:
        """What each text states."""
        distinct = list(dict.fromkeys(texts))
        keys = [self._key("extract", text) for text in distinct]
        return through_cache(
            self,
            self.judge.name,
            distinct,
            keys,
            ask=lambda open_: self.judge.extract(open_, self.language),
            pack=lambda facts: {"facts": list(facts)},
            unpack=lambda payload: tuple(payload["facts"]),
        )

    def verdicts(self, questions: Iterable[Question]) -> dict[Question, Answer[Verdicts]]:
        """What each question's text says of its facts; no facts, no verdicts, no call."""
        distinct = list(dict.fromkeys(questions))
        some = [question for question in distinct if question.facts]
        keys = [self._key("check", question.text, *question.facts) for question in some]
        answers = through_cache(
            self,
            self.judge.name,
            some,
            keys,
            ask=lambda open_: self.judge.check(open_, self.language),
            pack=lambda verdicts: {"verdicts": [[v.label, v.reason] for v in verdicts]},
            unpack=lambda payload: tuple(Verdict(*pair) for pair in payload["verdicts"]),
        )
        nothing: Verdicts = ()
        return {question: answers.get(question, Answer(nothing)) for question in distinct}

    def _key(self, task: str, *texts: str) -> str:
        signature = self.judge.signature(self.language)
        return reply_key(signature, task, self.language, *texts)


def through_cache(
    run: Spending,
    judge: str,
    questions: Sequence[Asked],
    keys: Sequence[str],
    *,
    ask: Callable[[Sequence[Asked]], Answers[Value]],
    pack: Callable[[Value], Payload],
    unpack: Callable[[Payload], Value],
) -> dict[Asked, Answer[Value]]:
    """Answers to distinct questions: from the cache by their `keys`, else from the judge.

    `pack` makes JSON-ready data of an answer's value, `unpack` the value of it again. Failures are
    not kept. What it costs is added up in `run`.
    """
    known = run.cache.found(keys)
    answers: dict[Asked, Answer[Value]] = {}
    missing: list[tuple[Asked, str]] = []
    for question, key in zip(questions, keys, strict=True):
        if key in known:
            answers[question] = Answer(unpack(known[key]), known[key]["raw"])
            run.answered()
        else:
            missing.append((question, key))
    run.cached += len(answers)
    arriving = ask([question for question, _ in missing])
    try:
        for place, answer in arriving:
            question, key = missing[place]
            run.usage += answer.usage
            if isinstance(answer.value, JudgeFailed):
                answers[question] = answer
            else:
                payload = {**pack(answer.value), "raw": answer.raw}
                kept = run.cache.keep(key, judge, payload)
                answers[question] = Answer(unpack(kept), kept["raw"], answer.usage)
            run.answered()
    finally:
        # A run that is stopped here sends no more requests, whoever still holds its traceback.
        if isinstance(arriving, Generator):
            arriving.close()
    return answers

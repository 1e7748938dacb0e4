"""Asking a fact judge: each distinct question once, through the reply cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from scoring.judges.base import JudgeFailed
from scoring.judges.fact_judge import Answer, FactJudge, Facts, Question, Usage, Verdicts
from scoring.judges.reply_cache import Payload, Replies, ReplyCache, reply_key
from scoring.judges.verdicts import Verdict

Asked = TypeVar("Asked", str, Question)
Value = TypeVar("Value", Facts, Verdicts)


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
        return self._ask(
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
        answers = self._ask(
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

    def _ask(
        self,
        questions: Sequence[Asked],
        keys: Sequence[str],
        *,
        ask: Callable[[Sequence[Asked]], Iterator[tuple[int, Answer[Value]]]],
        pack: Callable[[Value], Payload],
        unpack: Callable[[Payload], Value],
    ) -> dict[Asked, Answer[Value]]:
        known = self.cache.found(keys)
        answers: dict[Asked, Answer[Value]] = {}
        missing: list[tuple[Asked, str]] = []
        for question, key in zip(questions, keys, strict=True):
            if key in known:
                answers[question] = Answer(unpack(known[key]), known[key]["raw"])
                self.answered()
            else:
                missing.append((question, key))
        self.cached += len(answers)
        for place, answer in ask([question for question, _ in missing]):
            question, key = missing[place]
            answers[question] = answer
            self.usage += answer.usage
            if not isinstance(answer.value, JudgeFailed):
                payload = {**pack(answer.value), "raw": answer.raw}
                kept = self.cache.keep(key, self.judge.name, payload)
                answers[question] = Answer(unpack(kept), kept["raw"], answer.usage)
            self.answered()
        return answers

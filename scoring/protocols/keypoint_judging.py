"""Asking a judge about keypoints, in two stages, as CapRiCorn-1K does.

Stage 1 asks of each keypoint whether a text tells it, and with which words it refers to the
subjects that take part. Stage 2 asks, for each subject with several such references, which of them
a reader would take for the same person. Chat judges go through the calls, the reply parser and the
reply cache of all chat judges; prompts are `judge_keypoint`, `judge_subject_keypoint` and
`group_references`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from scoring import prompts
from scoring.judges.asking import through_cache
from scoring.judges.chat import CORRECTION, ChatModel, Request, ask
from scoring.judges.fact_judge import Answer, Usage
from scoring.judges.reply_cache import Payload, Replies, ReplyCache, reply_key
from scoring.prompts import Prompt
from scoring.protocols.keypoint_replies import (
    GROUPS_SCHEMA,
    KEYPOINT_SCHEMA,
    SUBJECT_KEYPOINT_SCHEMA,
    Groups,
    Mention,
    read_groups,
    read_mention,
)
from scoring.signature import joined
from scoring.text import LANGUAGES, UnknownLanguage


@dataclass(frozen=True, slots=True)
class MentionQuestion:
    """Does the text tell this keypoint, and how does it refer to these subjects?"""

    text: str
    keypoint: str
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupsQuestion:
    """Which of these references in the text, in their order, mean the same one? At least two."""

    text: str
    references: tuple[str, ...]


class KeypointJudge(Protocol):
    """A judge of keypoints.

    Answers come as they are ready, with the place of their question; a question that the judge
    fails on gets its failure as an answer, and the others go on.
    """

    name: str
    baseline: bool
    """True for a judge whose numbers must be shown as a baseline, not as published ones."""

    def signature(self, language: str) -> str:
        """Everything of this judge that changes an answer: `judge:...|model:...|...`."""
        ...

    def mentions(
        self, questions: Sequence[MentionQuestion], language: str
    ) -> Iterator[tuple[int, Answer[Mention]]]:
        """Stage 1."""
        ...

    def groups(
        self, questions: Sequence[GroupsQuestion], language: str
    ) -> Iterator[tuple[int, Answer[Groups]]]:
        """Stage 2."""
        ...


class ChatKeypointJudge:
    """A language model as a judge of keypoints; one question a keypoint, as in the benchmark."""

    baseline = False

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.name = model.name
        self._plain = prompts.load("judge_keypoint")
        self._subject = prompts.load("judge_subject_keypoint")
        self._groups = prompts.load("group_references")

    def signature(self, language: str) -> str:
        """See `KeypointJudge.signature`; names each prompt with its version and digest."""
        used: tuple[Prompt, ...] = (
            self._plain,
            self._subject,
            self._groups,
            prompts.load(CORRECTION),
        )
        return f"{self.model.signature()}|{joined({'prompts': '+'.join(map(str, used))})}"

    def mentions(
        self, questions: Sequence[MentionQuestion], language: str
    ) -> Iterator[tuple[int, Answer[Mention]]]:
        """See `KeypointJudge.mentions`."""
        requests = [self._mention(question, language) for question in questions]
        return ask(
            self.model,
            requests,
            lambda place, raw: read_mention(raw, questions[place].subjects),
        )

    def groups(
        self, questions: Sequence[GroupsQuestion], language: str
    ) -> Iterator[tuple[int, Answer[Groups]]]:
        """See `KeypointJudge.groups`."""
        requests = [self._grouping(question, language) for question in questions]
        return ask(
            self.model,
            requests,
            lambda place, raw: read_groups(raw, len(questions[place].references)),
        )

    def _mention(self, question: MentionQuestion, language: str) -> Request:
        values = {
            "text": prompts.inert(question.text),
            "keypoint": question.keypoint,
            "mark": prompts.mark(question.text, question.keypoint),
            "language": _language(language),
        }
        if not question.subjects:
            return Request(self._plain.messages(**values), "keypoint", KEYPOINT_SCHEMA)
        messages = self._subject.messages(subjects=", ".join(question.subjects), **values)
        return Request(messages, "subject_keypoint", SUBJECT_KEYPOINT_SCHEMA)

    def _grouping(self, question: GroupsQuestion, language: str) -> Request:
        # One line a reference, so that none can pass for two.
        lines = [f"{n}. {' '.join(r.split())}" for n, r in enumerate(question.references, 1)]
        references = prompts.inert("\n".join(lines))
        messages = self._groups.messages(
            text=prompts.inert(question.text),
            references=references,
            count=str(len(lines)),
            mark=prompts.mark(question.text, references),
            language=_language(language),
        )
        return Request(messages, "groups", GROUPS_SCHEMA)


@dataclass(slots=True)
class KeypointAsking:
    """The questions of one run to one judge, and what they cost; see `Asking` for facts."""

    judge: KeypointJudge
    language: str
    cache: Replies = field(default_factory=ReplyCache)
    answered: Callable[[], None] = lambda: None
    usage: Usage = field(default_factory=Usage)
    cached: int = 0

    def mentions(
        self, questions: Iterable[MentionQuestion]
    ) -> dict[MentionQuestion, Answer[Mention]]:
        """Stage 1: how each text tells its keypoint."""
        distinct = list(dict.fromkeys(questions))
        key = partial(reply_key, self.judge.signature(self.language), "mention", self.language)
        return through_cache(
            self,
            self.judge.name,
            distinct,
            [key(q.text, q.keypoint, *q.subjects) for q in distinct],
            ask=lambda open_: self.judge.mentions(open_, self.language),
            pack=lambda mention: {
                "verdict": mention.verdict,
                "reason": mention.reason,
                "descriptions": list(mention.descriptions),
            },
            unpack=_unpack_mention,
        )

    def groups(self, questions: Iterable[GroupsQuestion]) -> dict[GroupsQuestion, Answer[Groups]]:
        """Stage 2: whom a reader takes each subject's references for."""
        distinct = list(dict.fromkeys(questions))
        key = partial(reply_key, self.judge.signature(self.language), "group", self.language)
        return through_cache(
            self,
            self.judge.name,
            distinct,
            [key(q.text, *q.references) for q in distinct],
            ask=lambda open_: self.judge.groups(open_, self.language),
            pack=lambda found: {
                "groups": [list(group) for group in found.groups],
                "reason": found.reason,
            },
            unpack=lambda payload: Groups(
                tuple(tuple(group) for group in payload["groups"]), payload["reason"]
            ),
        )


def _unpack_mention(payload: Payload) -> Mention:
    return Mention(payload["verdict"], payload["reason"], tuple(payload["descriptions"]))


def _language(code: str) -> str:
    if code not in LANGUAGES:
        raise UnknownLanguage(code)
    return LANGUAGES[code].title()

"""The embedded judge of keypoints: rules on words, and embeddings. A baseline, no benchmark judge.

It needs no language model, so a fresh installation can show the protocol at work. Its numbers must
never stand beside published ones: `baseline` is True, and its signature says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoring.judges import catalogue
from scoring.judges.base import EmbeddingJudge, Embeddings
from scoring.judges.fact_judge import Answer
from scoring.protocols.keypoint_judging import GroupsQuestion, MentionQuestion
from scoring.protocols.keypoint_replies import Groups, Mention
from scoring.protocols.keypoint_words import (
    conflict,
    head,
    is_plain,
    is_pronoun,
    overlap,
    references,
)
from scoring.signature import joined
from scoring.text import split_sentences
from scoring.types import ScoringError

ENCODER = "all-minilm-l6-v2"
RULES = "1"
"""Goes up whenever a rule or a number below would give another answer."""
CORRECT, PARTIAL = 0.56, 0.40
"""Strengths from which a keypoint counts as told, and as told in part."""
SAME = 0.62
"""Cosine from which two references count as the same person."""


class KeypointBaseline:
    """Verdicts from the best passage of the text, references from patterns, groups from cosines.

    The passage is a sentence or two neighbouring ones; its strength is the mean of its cosine with
    the keypoint and the share of the keypoint's words that it has. A conflict of colour, number or
    negation makes a told keypoint partial. English only.

    Args:
        encoder: who embeds sentences, keypoints and references. One whose vectors do not depend on
            what it was fitted on.
    """

    baseline = True
    name = "keypoint-baseline"

    def __init__(self, encoder: EmbeddingJudge) -> None:
        self.encoder = encoder

    def signature(self, language: str) -> str:
        """See `KeypointJudge.signature`."""
        _check(language)
        parts = {"judge": self.name, "comparable": "no", "rules": RULES}
        return f"{joined(parts)}|{self.encoder.signature()}"

    def mentions(
        self, questions: Sequence[MentionQuestion], language: str
    ) -> Iterator[tuple[int, Answer[Mention]]]:
        """See `KeypointJudge.mentions`."""
        _check(language)
        passages = {q.text: _passages(q.text) for q in questions}
        space = _Space(
            self.encoder,
            [_plain(q) for q in questions] + [p for found in passages.values() for p in found],
        )
        for place, question in enumerate(questions):
            yield place, Answer(_mention(question, passages[question.text], space))

    def groups(
        self, questions: Sequence[GroupsQuestion], language: str
    ) -> Iterator[tuple[int, Answer[Groups]]]:
        """See `KeypointJudge.groups`."""
        _check(language)
        space = _Space(self.encoder, [r for q in questions for r in q.references])
        for place, question in enumerate(questions):
            yield place, Answer(_group(question.references, space))


def embedded() -> KeypointBaseline:
    """The baseline with the encoder that comes with the project.

    Raises:
        JudgeUnavailable: its package is not installed.
    """
    return KeypointBaseline(catalogue.load(ENCODER))


@dataclass(frozen=True, slots=True)
class _Passage:
    text: str
    strength: float


class _Space:
    """Cosines between texts that were encoded together."""

    def __init__(self, encoder: EmbeddingJudge, texts: Sequence[str]) -> None:
        distinct = list(dict.fromkeys(texts))
        self._places: Mapping[str, int] = {text: place for place, text in enumerate(distinct)}
        self._vectors: Embeddings | None = encoder.encode(distinct) if distinct else None

    def cosines(self, text: str, others: Sequence[str]) -> list[float]:
        """Cosine of one text with each of the others."""
        if self._vectors is None or not others:
            return []
        columns = [self._places[other] for other in others]
        found: list[float] = self._vectors.cosines([self._places[text]], columns)[0].tolist()
        return found


def _check(language: str) -> None:
    if language != "en":
        message = f"the baseline judge of keypoints reads English only, not {language!r}"
        raise ScoringError(message)


def _plain(question: MentionQuestion) -> str:
    """The keypoint as a description would say it, without our marks."""
    text = question.keypoint
    for subject in question.subjects:
        text = text.replace(subject, "someone")
    return text


def _passages(text: str) -> list[str]:
    sentences = split_sentences(text)
    return sentences + [" ".join(pair) for pair in pairwise(sentences)]


def _mention(question: MentionQuestion, passages: Sequence[str], space: _Space) -> Mention:
    keypoint = _plain(question)
    nobody = (None,) * len(question.subjects)
    best = _best(keypoint, passages, space)
    if best is None or best.strength < PARTIAL:
        return Mention("not mentioned", "no passage is close to it", nobody)
    at_odds = conflict(keypoint, best.text)
    told = best.strength >= CORRECT and not at_odds
    reason = f"closest passage, strength {best.strength:.2f}: {best.text}"
    if at_odds:
        reason = f"{at_odds} differs; {reason}"
    words: list[str | None] = [reference.words for reference in references(best.text)]
    named = tuple((words + [None] * len(nobody))[: len(nobody)])
    return Mention("correct" if told else "partial", reason, named)


def _best(keypoint: str, passages: Sequence[str], space: _Space) -> _Passage | None:
    """The strongest passage; of equals the first, so a sentence rather than a pair with it."""
    cosines = space.cosines(keypoint, passages)
    found = [
        _Passage(passage, (cosine + overlap(keypoint, passage)) / 2)
        for passage, cosine in zip(passages, cosines, strict=True)
    ]
    return max(found, key=lambda passage: round(passage.strength, 6), default=None)


def _group(words: Sequence[str], space: _Space) -> Groups:
    """A pronoun joins the group before it, `the man` the last man, other words the closest."""
    groups: list[list[int]] = []
    current = -1
    for place, reference in enumerate(words):
        if is_pronoun(reference) and groups:
            groups[current].append(place)
            continue
        named = [[words[at] for at in group] for group in groups]
        last = _last_of_kind(reference, named)
        current = _closest(reference, named, space) if last is None else last
        if current == len(groups):
            groups.append([])
        groups[current].append(place)
    return Groups(tuple(tuple(group) for group in groups), "by rules and embeddings")


def _last_of_kind(reference: str, groups: Sequence[Sequence[str]]) -> int | None:
    """The group that plain words like `the woman` refer to: the latest with a woman in it."""
    kind = head(reference)
    if not kind or not is_plain(reference):
        return None
    return max(
        (n for n, group in enumerate(groups) if any(head(other) == kind for other in group)),
        default=None,
    )


def _closest(reference: str, groups: Sequence[Sequence[str]], space: _Space) -> int:
    """The number of the group that a reference belongs to; that of a new one when none is near."""
    best, place = SAME, len(groups)
    for number, group in enumerate(groups):
        named = [other for other in group if not is_pronoun(other)]
        if not named or any(_other(reference, known) for known in named):
            continue
        nearest = max(space.cosines(reference, named))
        if nearest > best:
            best, place = nearest, number
    return place


def _other(one: str, two: str) -> bool:
    """True for references to what cannot be the same: another kind of person, another colour."""
    kinds = {head(one), head(two)} - {""}
    return len(kinds) > 1 or bool(conflict(one, two))

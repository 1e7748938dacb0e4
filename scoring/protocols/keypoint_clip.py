"""One clip of the `keypoints` protocol: what is asked about it, and what the answers come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from scoring.judges.fact_judge import Answer
from scoring.judges.verdicts import UnreadableReply
from scoring.protocols.keypoint_evidence import evidence_of
from scoring.protocols.keypoint_judging import GroupsQuestion, MentionQuestion
from scoring.protocols.keypoint_metrics import ClipScore, score_clip
from scoring.protocols.keypoint_replies import Groups, Mention
from scoring.protocols.keypoint_types import (
    Annotation,
    Clusters,
    Judged,
    JudgedClip,
    Keypoint,
    descriptions_of,
)
from scoring.signature import digest
from scoring.text import is_blank
from scoring.text_flags import instruction_like

Mentions = Mapping[MentionQuestion, Answer[Mention]]
Grouped = Mapping[GroupsQuestion, Answer[Groups]]
RAW = 2_000
"""Characters of an unreadable reply that evidence keeps."""


class _CallError(Exception):
    """The judge was not reached: the clip has no values, and is asked again later."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The values of one clip and what they come from; `failure` says why there are no values."""

    score: ClipScore | None
    evidence: Mapping[str, Any]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class KeypointClip:
    """A description beside the keypoints that it should tell."""

    annotation: Annotation
    description: str

    @property
    def name(self) -> str:
        """The clip's id."""
        return self.annotation.clip

    @property
    def blank(self) -> bool:
        """True when no judge is to see the description: nothing is mentioned in it."""
        return is_blank(self.description)

    @property
    def digests(self) -> list[str]:
        """Fingerprints of what is judged: an earlier outcome of the same still holds."""
        points = [f"{point.kind} {point.text}" for point in self.annotation.keypoints]
        return [digest(self.description), digest("\n".join(points))]

    def mention_questions(self) -> list[MentionQuestion]:
        """Stage 1: one question a keypoint, none about a blank description."""
        if self.blank:
            return []
        return [self._question(point) for point in self.annotation.keypoints]

    def group_questions(self, mentions: Mentions) -> dict[str, GroupsQuestion]:
        """Stage 2: one question for each subject that the text refers to more than once."""
        try:
            judged = self._judged(mentions)
        except _CallError:
            return {}
        found = {subject: descriptions_of(judged, subject) for subject in self.annotation.subjects}
        return {
            subject: GroupsQuestion(self.description, tuple(words))
            for subject, words in found.items()
            if len(words) > 1
        }

    def outcome(self, mentions: Mentions, groups: Grouped) -> Outcome:
        """What the answers come to."""
        about: dict[str, Any] = {
            "texts": self.digests,
            "flags": [asdict(flag) for flag in instruction_like(self.description)],
        }
        try:
            judged = JudgedClip(
                clip=self.name,
                duration=self.annotation.duration,
                judged=self._judged(mentions),
                clusters=self._clusters(self.group_questions(mentions), groups),
                category=self.annotation.category,
            )
        except _CallError as error:
            return Outcome(None, {**about, "failed": str(error)}, str(error))
        score = score_clip(judged)
        raw = self._unreadable(mentions, groups)
        kept = {"unreadable": raw} if raw else {}
        return Outcome(score, {**about, **evidence_of(judged, score), **kept})

    def _question(self, point: Keypoint) -> MentionQuestion:
        return MentionQuestion(self.description, point.text, point.subjects)

    def _judged(self, mentions: Mentions) -> tuple[Judged, ...]:
        if self.blank:
            return tuple(
                Judged(point, "not mentioned", "the description is blank")
                for point in self.annotation.keypoints
            )
        return tuple(
            _verdict(point, mentions[self._question(point)]) for point in self.annotation.keypoints
        )

    def _clusters(
        self, questions: Mapping[str, GroupsQuestion], groups: Grouped
    ) -> dict[str, Clusters | None]:
        """Groups of all subjects with two references or more; one reference alone needs none."""
        found: dict[str, Clusters | None] = {}
        for subject, question in questions.items():
            value = groups[question].value
            if isinstance(value, UnreadableReply):
                found[subject] = None
            elif isinstance(value, Exception):
                raise _CallError(str(value))
            else:
                found[subject] = tuple(
                    tuple(question.references[at] for at in group) for group in value.groups
                )
        return found

    def _unreadable(self, mentions: Mentions, groups: Grouped) -> list[dict[str, str]]:
        """The replies that no verdict could be taken from, for people to look at."""
        asked = [(f"keypoint: {q.keypoint}", mentions[q]) for q in self.mention_questions()]
        found = [_unread(about, answer.value, answer.raw) for about, answer in asked]
        for subject, question in self.group_questions(mentions).items():
            grouped = groups[question]
            found.append(_unread(f"references: {subject}", grouped.value, grouped.raw))
        return [one for one in found if one]


def _unread(about: str, value: object, raw: str) -> dict[str, str]:
    if not isinstance(value, UnreadableReply):
        return {}
    return {"about": about, "problem": value.problem, "reply": raw[:RAW]}


def _verdict(point: Keypoint, answer: Answer[Mention]) -> Judged:
    value = answer.value
    if isinstance(value, UnreadableReply):
        return Judged(point, "failed", str(value), dict.fromkeys(point.subjects))
    if isinstance(value, Exception):
        raise _CallError(str(value))
    descriptions = dict(zip(point.subjects, value.descriptions, strict=True))
    return Judged(point, value.verdict, value.reason, descriptions)

"""Judgements as the released scripts of CapRiCorn-1K write them, and a judge that takes words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scoring.judges.fact_judge import Answer
from scoring.protocols.keypoint_judging import GroupsQuestion, MentionQuestion
from scoring.protocols.keypoint_replies import Groups, Mention
from scoring.protocols.keypoint_types import Annotation, Keypoint

STAGE_1 = "1_judge_accuracy_coverage.jsonl"
STAGE_2 = "2_judge_referential_consistency.jsonl"
CORRECT, PARTIAL, MISSED = "correctly mentioned", "mentioned but with errors", "not mentioned"
Files = list[tuple[str, bytes]]


def judgement_files(
    annotations: Mapping[str, Annotation],
    verdict: Callable[[Keypoint], str] = lambda _: CORRECT,
) -> Files:
    """Both files; a subject that is mentioned is always called by the same words."""
    first, second = [], []
    for clip, one in annotations.items():
        info = {subject: _items(one, subject, verdict) for subject in one.subjects}
        others = [_item(p, verdict(p)) for p in one.keypoints if not p.subjects]
        first.append(
            {
                "video_id": clip,
                "duration": one.duration,
                "main_sbj_info": info,
                "other_event_judge": others,
            }
        )
        second.append(
            {
                "video_id": clip,
                "categorization_info": {name: _grouped(items) for name, items in info.items()},
            }
        )
    return [(STAGE_1, _lines(first)), (STAGE_2, _lines(second))]


def _items(
    one: Annotation, subject: str, verdict: Callable[[Keypoint], str]
) -> list[dict[str, Any]]:
    found = []
    for point in one.keypoints:
        if subject in point.subjects:
            judged = verdict(point)
            said = None if judged == MISSED else f"the one called {subject.strip('<>')}"
            found.append(_item(point, judged) | {"subject_description_in_caption": said})
    return found


def _item(point: Keypoint, judged: str) -> dict[str, Any]:
    return {"event": point.text, "judgement": judged, "reason": "as it is"}


def _grouped(items: list[dict[str, Any]]) -> dict[str, Any]:
    said = [i["subject_description_in_caption"] for i in items if i["judgement"] != MISSED]
    groups = {"category 1": said} if len(said) > 1 else None
    return {"sbj_captions": said, "gpt_categorization": groups}


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


class LiteralJudge:
    """A keypoint is told when the text has it word for word, and everybody is one person."""

    name = "literal"
    baseline = True

    def signature(self, language: str) -> str:
        """Enough to key a cache."""
        return "judge:literal"

    def mentions(
        self, questions: Sequence[MentionQuestion], language: str
    ) -> Iterator[tuple[int, Answer[Mention]]]:
        """By the keypoint's own words."""
        for place, question in enumerate(questions):
            words = question.keypoint.replace("<s1>", "Ann").replace("<s2>", "Bob")
            told = words in question.text
            said = tuple("she" if told else None for _ in question.subjects)
            yield place, Answer(Mention("correct" if told else "not mentioned", "", said))

    def groups(
        self, questions: Sequence[GroupsQuestion], language: str
    ) -> Iterator[tuple[int, Answer[Groups]]]:
        """One group."""
        for place, question in enumerate(questions):
            yield place, Answer(Groups((tuple(range(len(question.references))),)))

"""Replies of chat judges about keypoints: read strictly, or not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.judges.verdicts import UnreadableReply
from scoring.protocols.keypoint_replies import Groups, Mention, read_groups, read_mention

S1, S2 = "<s1>", "<s2>"


def reply(verdict: str = "correct", **words: str | None) -> str:
    subjects = [{"subject": f"<{name}>", "description": said} for name, said in words.items()]
    return json.dumps({"reason": "why", "verdict": verdict, "subjects": subjects})


def test_a_keypoint_without_subjects() -> None:
    assert read_mention('{"reason": "why", "verdict": " Partial "}', ()) == Mention(
        "partial", "why"
    )


def test_subjects_come_in_the_order_asked_for() -> None:
    raw = reply("correct", s2="  the  dog ", s1=None)
    assert read_mention(raw, (S1, S2)) == Mention("correct", "why", (None, "the dog"))


def test_marks_may_come_without_brackets() -> None:
    raw = (
        '{"reason": "", "verdict": "correct", "subjects": [{"subject": "s1", "description": "he"}]}'
    )
    assert read_mention(raw, (S1,)).descriptions == ("he",)


def test_lj_03_the_words_of_the_text_are_not_the_verdict() -> None:
    """LJ-03: only the final object counts, whatever is quoted before it."""
    quoted, final = '{"verdict": "correct"}', '{"reason": "", "verdict": "not mentioned"}'
    raw = f"It says {quoted} but no man is seen. {final}"
    assert read_mention(raw, ()).verdict == "not mentioned"


@pytest.mark.parametrize(
    ("raw", "subjects"),
    [
        ("I cannot judge this", ()),
        ("", ()),
        ('{"verdict": "not correct"}', ()),
        ('{"verdict": "correctly mentioned"}', ()),
        ('{"verdict": true}', ()),
        ('{"verdict": null}', ()),
        ("[]", ()),
        ('{"verdict": "correct"}', (S1,)),
        (reply("correct", s1=None), (S1,)),
        (reply("correct", s1="  "), (S1,)),
        (reply("correct", s1="he", s2="she"), (S1,)),
        (reply("correct", s1="he"), (S1, S2)),
        (reply("correct", s9="he"), (S1,)),
        (reply("correct", s1="x" * 301), (S1,)),
        (reply("not mentioned", s1="he"), (S1,)),
        ('{"verdict": "correct", "subjects": {"s1": "he"}}', (S1,)),
        ('{"verdict": "correct", "subjects": [{"subject": "s1", "description": 3}]}', (S1,)),
        (
            '{"verdict": "correct", "subjects": [{"subject": "s1", "description": "he"},'
            ' {"subject": "<s1>", "description": "she"}]}',
            (S1,),
        ),
        ('{"verdict": "correct", "subjects": [{"subject": "s1", "descr', (S1,)),
    ],
)
def test_what_does_not_fit_is_unreadable(raw: str, subjects: tuple[str, ...]) -> None:
    """LJ-04, LJ-05 and LJ-09: no guess, no default, no substring."""
    with pytest.raises(UnreadableReply) as caught:
        read_mention(raw, subjects)
    assert caught.value.raw == raw


def test_groups_by_number() -> None:
    raw = '{"reason": "why", "groups": [[3, 1], [], [2]]}'
    assert read_groups(raw, 3) == Groups(((2, 0), (1,)), "why")


@pytest.mark.parametrize(
    ("groups", "problem"),
    [
        ([[1, 2]], r"missing: \[3\]"),
        ([[1, 2], [2, 3]], r"more than one place: \[2\]"),
        ([[1, 1], [2], [3]], "more than one place"),
        ([[1, 2, 3, 4]], r"unknown: \[4\]"),
        ([[0, 1, 2, 3]], r"unknown: \[0\]"),
        ([["1", 2, 3]], "by its number"),
        ([[True, 2, 3]], "by its number"),
        ([1, 2, 3], "list of lists"),
        ({"category_1": [1, 2, 3]}, "list of lists"),
        (None, "list of lists"),
    ],
)
def test_every_reference_stands_in_exactly_one_group(groups: Any, problem: str) -> None:
    with pytest.raises(UnreadableReply, match=problem):
        read_groups(json.dumps({"reason": "", "groups": groups}), 3)

"""The baseline judge of keypoints: crude, but right about which text tells more."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scoring.protocols import keypoints
from scoring.protocols.keypoint_baseline import KeypointBaseline, embedded
from scoring.protocols.keypoint_judging import GroupsQuestion, MentionQuestion
from scoring.protocols.keypoint_replies import Groups, Mention
from scoring.protocols.keypoint_types import Annotation, Keypoint, subjects_in
from scoring.protocols.keypoint_words import conflict, is_pronoun, overlap, references
from scoring.types import ScoringError

TEXT = (
    "A woman in a red coat walks along a harbour at dawn. She stops beside an old fisherman who is "
    "mending a net. The fisherman hands her a small wooden box. A black dog knocks over a basket. "
    "The vendor laughs, and the woman gives him two coins."
)


@pytest.fixture(scope="module")
def judge() -> KeypointBaseline:
    return embedded()


def ask(judge: KeypointBaseline, *texts: str, about: str = TEXT) -> list[Mention]:
    asked = [MentionQuestion(about, text, subjects_in(text)) for text in texts]
    answers = dict(judge.mentions(asked, "en"))
    values = [answers[place].value for place in range(len(texts))]
    assert all(isinstance(value, Mention) for value in values)
    return [value for value in values if isinstance(value, Mention)]


def test_verdicts(judge: KeypointBaseline) -> None:
    told = ask(
        judge,
        "<s1> walks along the harbour in the early morning.",
        "<s2> hands <s1> a wooden box.",
        "A white dog knocks over a basket.",
        "<s1> gives <s3> three coins.",
        "<s1> boards a train.",
        "Children play football in the street.",
    )
    verdicts = [mention.verdict for mention in told]
    assert verdicts == [
        "correct",
        "correct",
        "partial",
        "partial",
        "not mentioned",
        "not mentioned",
    ]
    assert told[0].descriptions == ("A woman in a red coat",)
    assert told[1].descriptions == ("The fisherman", "her")
    assert "colour differs" in told[2].reason
    assert "number differs" in told[3].reason
    assert told[4].descriptions == (None,)


def groups_of(judge: KeypointBaseline, *words: str) -> tuple[tuple[int, ...], ...]:
    ((_, answer),) = judge.groups([GroupsQuestion(TEXT, words)], "en")
    assert isinstance(answer.value, Groups)
    return answer.value.groups


def test_groups(judge: KeypointBaseline) -> None:
    assert groups_of(judge, "A woman in a red coat", "She", "the woman") == ((0, 1, 2),)
    assert groups_of(judge, "an old fisherman", "the young vendor", "him") == ((0,), (1, 2))
    shirts = ("a man in a red shirt", "a man in a blue shirt", "the man in red")
    assert groups_of(judge, *shirts) == ((0, 2), (1,))


def test_every_reference_is_in_exactly_one_group(judge: KeypointBaseline) -> None:
    words = ("he", "he", "a man", "she", "the woman", "a man", "it", "the crowd")
    placed = [at for group in groups_of(judge, *words) for at in group]
    assert sorted(placed) == list(range(len(words)))


POINTS = (
    "<s1> walks along a harbour.",
    "<s1> opens a wooden box.",
    "<s1> greets a fisherman.",
    "<s1> buys three oranges at the market.",
)
CLIP = Annotation(
    "c",
    60.0,
    (
        *(Keypoint("main_sbj_evts", point, ("<s1>",)) for point in POINTS),
        Keypoint("bg_desc", "The harbour lies in thick fog."),
    ),
)


def score(judge: KeypointBaseline, text: str) -> dict[str, float]:
    return keypoints.score(judge, {"c": text}, {"c": CLIP}).mean()


def test_the_order_of_texts_is_right(judge: KeypointBaseline) -> None:
    told = [point.replace("<s1>", "the woman in the green dress") for point in POINTS]
    full = " ".join([*(t.capitalize() for t in told), "The harbour lies in thick fog."])
    half = " ".join(t.capitalize() for t in told[:2])
    other = "A chef chops onions in a bright kitchen. Steam rises from a pot."
    values = [score(judge, text) for text in (full, half, other, "")]
    assert values[0] == {"acc": 1.0, "cov": 1.0, "ref": 1.0}
    assert values[1]["acc"] == pytest.approx(2 / 5)
    assert values[1]["ref"] == pytest.approx(1 / 6)
    assert [value["cov"] for value in values[2:]] == [0, 0]
    assert [value["acc"] for value in values] == sorted((v["acc"] for v in values), reverse=True)


def test_changing_names_cost_consistency_not_accuracy(judge: KeypointBaseline) -> None:
    names = ("the woman in the green dress", "the girl", "the old chef", "a singer")
    told = [p.replace("<s1>", n).capitalize() for p, n in zip(POINTS, names, strict=True)]
    value = score(judge, " ".join([*told, "The harbour lies in thick fog."]))
    assert value["acc"] == 1
    assert value["ref"] == 0


def test_it_is_a_baseline_and_says_so(judge: KeypointBaseline) -> None:
    result = keypoints.score(judge, {"c": TEXT}, {"c": CLIP})
    assert result.judge == "keypoint-baseline"
    assert "comparable:no" in result.signature
    assert "all-minilm-l6-v2" in result.signature
    assert result.evidence["c"]["baseline"] is True
    assert result.complete
    assert np.isfinite(list(result.mean().values())).all()
    json.dumps(result.evidence, allow_nan=False)


def test_other_languages_are_refused(judge: KeypointBaseline) -> None:
    with pytest.raises(ScoringError, match="English only"):
        keypoints.score(judge, {"c": TEXT}, {"c": CLIP}, language="de")


def test_odd_texts_do_not_break_it(judge: KeypointBaseline) -> None:
    for text in ("...", "\u2603\u2603", "word " * 3000, "<s1> <s1>", "No."):
        value = score(judge, text)
        assert 0 <= value["acc"] <= value["cov"] <= 1


def test_who_is_spoken_of() -> None:
    found = references("A young man in a red coat walks his dog, and he waves to them.")
    assert [reference.words for reference in found] == [
        "A young man in a red coat",
        "his dog",
        "he",
        "them",
    ]
    assert [is_pronoun(reference.words) for reference in found] == [False, False, True, True]
    assert references("Rain falls.") == ()


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("a man in a red coat", "the man in a blue coat", "colour"),
        ("a gray cat", "the grey cat", ""),
        ("two dogs run", "3 dogs run", "number"),
        ("two dogs run", "2 dogs run", ""),
        ("one man runs", "two men run", ""),
        ("he runs", "he does not run", "negation"),
        ("he never runs", "he does not run", ""),
        ("a man", "a red coat", ""),
    ],
)
def test_conflicts(one: str, other: str, kind: str) -> None:
    assert conflict(one, other) == conflict(other, one) == kind


def test_overlap_is_of_words_that_carry_meaning() -> None:
    assert overlap("She laces her boots", "A woman lacing up a boot") == 1
    assert overlap("the of and", "anything") == 0

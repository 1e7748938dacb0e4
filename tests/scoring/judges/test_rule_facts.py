"""The embedded baseline judge of facts, with the encoder that comes with the package."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from scoring.judges import catalogue
from scoring.judges.fact_judge import Question
from scoring.judges.rule_facts import RuleFacts
from scoring.protocols import facts
from scoring.types import Reference


@pytest.fixture(scope="module")
def judge() -> RuleFacts:
    """With the multilingual encoder."""
    return RuleFacts(catalogue.load("use-multilingual-v3"))


@pytest.mark.parametrize(
    ("language", "fact", "text", "label"),
    [
        (
            "en",
            "A man walks his dog.",
            "It rains. A man is walking a dog in the park.",
            "entailment",
        ),
        ("en", "A man walks his dog.", "It rains. A woman is walking a dog.", "contradiction"),
        ("en", "Two dogs run on grass.", "Three dogs are running on the grass.", "contradiction"),
        ("en", "A banner trails behind it.", "No banner trails behind it.", "contradiction"),
        ("en", "A red car drives by.", "A blue car drives by the house.", "contradiction"),
        ("en", "A man walks his dog.", "Clouds drift over a mountain lake.", "neutral"),
        (
            "de",
            "Ein Mann sitzt auf einer Bank.",
            "Im Park sitzt ein Mann auf der Bank.",
            "entailment",
        ),
        ("de", "Das Auto ist rot.", "Ein blaues Auto fährt vorbei.", "contradiction"),
        ("de", "Das Auto ist rot.", "Wolken ziehen über einen See.", "neutral"),
    ],
)
def test_verdicts(judge: RuleFacts, language: str, fact: str, text: str, label: str) -> None:
    """With a reason that shows the sentence, the numbers and the words."""
    ((_, answer),) = judge.check([Question((fact,), text)], language)
    assert isinstance(answer.value, tuple)
    assert answer.value[0].label == label
    assert "closest sentence: " in answer.value[0].reason
    assert "cosine" in answer.value[0].reason


def test_facts_are_sentences(judge: RuleFacts) -> None:
    """One line each, repeats once; a text without any has none."""
    answers = dict(judge.extract(["A man\n walks. It rains. A man walks.", ""], "en"))
    assert answers[0].value == ("A man walks.", "It rains.")
    assert answers[1].value == ()
    ((_, nothing),) = judge.check([Question(("A man.",), " ")], "en")
    assert [verdict.label for verdict in nothing.value] == ["neutral"]


def test_it_is_a_baseline_and_says_so(judge: RuleFacts) -> None:
    """In every clip's evidence; the signature names rules, words and encoder."""
    references = {"a": [Reference("A man walks his dog. It rains.")]}
    result = facts.score(judge, {"a": "A man walks his dog. It rains."}, references)
    assert result.evidence["a"]["baseline"] is True
    assert result.metrics["llm_facts_f1"][0] == 1
    for part in ("judge:facts-baseline", "rules:1", "lexicon:", "use-multilingual-v3", "punkt-"):
        assert part in result.signature


def test_questions_do_not_influence_each_other(judge: RuleFacts) -> None:
    """Together, alone, and in another order."""
    questions = [
        Question(("A man walks.", "It rains."), "A man is walking in the rain."),
        Question(("A cat sleeps.",), "The cat is not asleep. A dog barks."),
        Question(("Two boats sail.",), "Three boats sail."),
    ]
    together = {questions[place]: answer for place, answer in judge.check(questions, "en")}
    for question in questions:
        ((_, alone),) = judge.check([question], "en")
        assert alone == together[question]


def test_it_tells_the_own_clip_from_another(judge: RuleFacts, clip_cc_dir: Path) -> None:
    """Short captions of FM-V2T: most follow from the long description of their clip."""
    folder = clip_cc_dir.parent / "fm-v2t"
    with (folder / "clips-wvr-annotations-eng.csv").open(newline="") as file:
        long = {row[0]: row[1] for row in csv.reader(file)}
    listed = json.loads((folder / "clips-wvr-msr-vtt-format.json").read_text())
    clips = [(entry["gold_caption"][:3], long[entry["video_id"]]) for entry in listed[:25]]

    def entailed(shift: int) -> float:
        questions = [
            Question(tuple(captions), clips[(place + shift) % len(clips)][1])
            for place, (captions, _) in enumerate(clips)
        ]
        verdicts = [v for _, answer in judge.check(questions, "en") for v in answer.value]
        return sum(verdict.label == "entailment" for verdict in verdicts) / len(verdicts)

    assert entailed(0) > 0.6
    assert entailed(7) < 0.1

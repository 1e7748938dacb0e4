"""The one parser of judges' replies: strict, then mended, else unreadable; never a guess."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.judges.verdicts import (
    LABELS,
    UnreadableReply,
    Verdict,
    read_facts,
    read_object,
    read_verdicts,
)


def _verdicts(*pairs: tuple[object, object]) -> str:
    return json.dumps({"verdicts": [{"fact": n, "reason": "r", "label": v} for n, v in pairs]})


def test_case_lj_01_valid_json_is_kept_byte_for_byte() -> None:
    """Commas before brackets, True and newlines inside strings are text."""
    raw = (
        '{"events":[{"event":"the sign reads \'A, B, ] True\'",'
        '"relationship":"entailment","reason":null}]}'
    )
    assert read_object(raw) == json.loads(raw)
    text = "the sign reads 'A, B, ] True'\\nand {\"label\": None,}"
    assert read_facts(json.dumps({"facts": [text]})) == (text,)


@pytest.mark.parametrize(
    ("raw", "facts"),
    [
        ("{'facts': ['a man walks']}", ("a man walks",)),
        ('{"facts":["a","b",]}', ("a", "b")),
        ('```json\n{"facts": ["a", "b"]}\n```', ("a", "b")),
        ('Here are the facts:\n{"facts": ["a"]}\nDone.', ("a",)),
        ('<think>{"facts": ["x"]} or</think>\n{"facts": ["a"]}', ("a",)),
        ('{"facts": ["he says "hi" to her", "b"]}', ('he says "hi" to her', "b")),
        ('{"facts": ["a {b", "c] d", "e\\" f"]} ', ("a {b", "c] d", 'e" f')),
    ],
)
def test_case_lj_01_mending_comes_after_strict_reading_failed(
    raw: str, facts: tuple[str, ...]
) -> None:
    """Single quotes, trailing commas, fences, prose around, thoughts before."""
    assert read_facts(raw) == facts


def test_facts_are_single_lines_without_blanks_and_repeats() -> None:
    """The order is kept; what no database can store is replaced."""
    raw = '{"facts": [" a\\n man ", "", "A dog", "\\u200b", "a DOG", "c\\u0000d \\ud800"]}'
    assert read_facts(raw) == ("a man", "A dog", "c\ufffdd \ufffd")
    assert read_facts('{"facts": []}') == ()


def test_case_lj_03_the_final_object_is_the_verdict() -> None:
    """A verdict quoted from the description is not the judge's own."""
    raw = (
        'The description says {"relationship":"entailment"} but no man is seen. '
        '{"relationship":"contradiction"}'
    )
    assert read_object(raw) == {"relationship": "contradiction"}
    quoted = _verdicts((1, "entailment"))
    own = _verdicts((1, "contradiction"))
    assert read_verdicts(f"It says {quoted}, which is wrong. {own}", 1)[0].label == "contradiction"


def test_case_lj_03_a_quoted_verdict_after_the_own_one_is_not_taken() -> None:
    """The last object is no answer of the schema: unreadable, rather than the one before."""
    raw = _verdicts((1, "contradiction")) + ' although it says {"label": "entailment"}'
    with pytest.raises(UnreadableReply):
        read_verdicts(raw, 1)


@pytest.mark.parametrize(
    "raw",
    [
        '{"verdicts":[{"fact":1,"label":"entailment"},{"fact":2,"label":"neutral"},{"fact":3,"la',
        '{"verdicts":[{"fact":1,"label":"entailment"},{"fact":2,"label":"neutral"}',
        "{'verdicts':[{'fact':1,'label':'entailment'},{'fact':2,'label':'neutral'},{'fact':3",
        '<think>fact 1 is {"verdicts": []}',
    ],
)
def test_case_lj_04_a_cut_off_reply_is_never_mended(raw: str) -> None:
    """Closing its brackets would lose the last verdict and change the denominator."""
    with pytest.raises(UnreadableReply, match=r"cut off|thinking|do not match"):
        read_verdicts(raw, 3)
    with pytest.raises(UnreadableReply, match="cut off"):
        read_facts('{"facts": ["a man walks", "he si')


def test_case_lj_04_verdicts_belong_to_facts_by_number() -> None:
    """Whatever their order."""
    raw = _verdicts((3, "neutral"), (2, "contradiction"), (1, "entailment"))
    assert [v.label for v in read_verdicts(raw, 3)] == ["entailment", "contradiction", "neutral"]


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((1, 1, 2), "missing: 3; given more than once: 1"),
        ((1, 2), "missing: 3"),
        ((1, 2, 3, 4), "unknown: 4"),
        ((0, 1, 2), "missing: 3; unknown: 0"),
        ((), "missing: 1, 2, 3"),
    ],
)
def test_case_lj_04_a_count_that_does_not_fit_is_a_failure(
    numbers: tuple[int, ...], message: str
) -> None:
    """Not a guess, and not a smaller denominator."""
    with pytest.raises(UnreadableReply, match=message):
        read_verdicts(_verdicts(*((n, "entailment") for n in numbers)), 3)


@pytest.mark.parametrize(
    "raw",
    [
        "I cannot evaluate this",
        '{"rationale":"no score here"}',
        '{"score":"N/A"}',
        "",
        " \n",
        "null",
        "[]",
        '"entailment"',
        '{"verdicts": "entailment"}',
        '{"verdicts": [{"fact": 1, "label": null}]}',
        '{"verdicts": [{"fact": 1}]}',
        '{"verdicts": [{"fact": 1, "label": NaN}]}',
        '{"verdicts": [{"fact": 1, "label": "neutral", "label": "entailment"}]}',
        "{" * 5000,
    ],
)
def test_case_lj_05_what_cannot_be_read_is_a_failure_with_the_raw_reply(raw: str) -> None:
    """No default number, and the message quotes nothing of the reply."""
    with pytest.raises(UnreadableReply) as failure:
        read_verdicts(raw, 1)
    assert failure.value.raw == raw
    assert "rationale" not in str(failure.value)


@pytest.mark.parametrize("label", ["Entailment ", " ENTAILMENT", "entailment"])
def test_case_lj_09_labels_are_trimmed_and_case_folded(label: str) -> None:
    """Nothing else is done to them."""
    assert read_verdicts(_verdicts((1, label)), 1) == (Verdict("entailment", "r"),)


@pytest.mark.parametrize(
    "label",
    [
        "not entailed",
        "partially entailed",
        "entailed",
        "entailment.",
        "no",
        True,
        1,
        None,
        ["neutral"],
    ],
)
def test_case_lj_09_other_labels_are_unreadable(label: object) -> None:
    """Neither by substring nor by truth value."""
    with pytest.raises(UnreadableReply, match="label"):
        read_verdicts(_verdicts((1, label)), 1)


@pytest.mark.parametrize(
    "raw", ["not entailed", "There are 5 reasons, score 2", '{"mentioned":"false"}']
)
def test_case_lj_09_prose_holds_no_verdict(raw: str) -> None:
    """No search for numbers or words."""
    with pytest.raises(UnreadableReply):
        read_verdicts(raw, 1)


@pytest.mark.parametrize("number", ["4.8", 1.5, True, None, "one", "²"])
def test_case_lj_09_a_fact_is_named_by_a_whole_number(number: object) -> None:
    """Digits in quotes are one; a truth value is none."""
    with pytest.raises(UnreadableReply):
        read_verdicts(_verdicts((number, "neutral")), 1)
    assert read_verdicts(_verdicts(("1", "neutral")), 1)[0].label == "neutral"


def test_a_missing_reason_is_an_empty_one() -> None:
    """The label is what counts."""
    raw = '{"verdicts": [{"fact": 1, "label": "neutral", "reason": null, "sure": 1}]}'
    assert read_verdicts(raw, 1) == (Verdict("neutral"),)


@given(st.lists(st.sampled_from(LABELS), max_size=8), st.randoms(use_true_random=False))
def test_whatever_the_order_each_fact_gets_its_verdict(labels: list[str], rng: object) -> None:
    """For any list of labels."""
    numbered = list(enumerate(labels, 1))
    rng.shuffle(numbered)  # type: ignore[attr-defined]
    assert [v.label for v in read_verdicts(_verdicts(*numbered), len(labels))] == labels


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1), max_size=5))
def test_facts_survive_quoting_and_prose(facts: list[str]) -> None:
    """Strictly read JSON gives its strings back, whatever braces and quotes they hold."""
    raw = json.dumps({"facts": facts})
    assert read_facts(f"Well: {raw}") == read_facts(raw)


@given(st.text(max_size=200))
def test_no_reply_crashes_the_parser(raw: str) -> None:
    """Either verdicts or `UnreadableReply`."""
    with contextlib.suppress(UnreadableReply):
        assert len(read_verdicts(raw, 2)) == 2

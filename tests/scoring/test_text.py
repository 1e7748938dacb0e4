"""Sentences and blank texts."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import punkt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.text import (
    SPLITTER,
    UnknownLanguage,
    count_words,
    is_blank,
    sentence_spans,
    split_sentences,
)
from scoring.types import ScoringError


def test_english_abbreviations_do_not_end_a_sentence() -> None:
    assert split_sentences("Dr. Smith walks in. He waves at Mr. Jones!") == [
        "Dr. Smith walks in.",
        "He waves at Mr. Jones!",
    ]


def test_german_has_its_own_abbreviations() -> None:
    text = "Das Haus, z.B. dieses, steht am 3. Mai offen. Ein Mann geht hinein."
    assert split_sentences(text, "de") == [
        "Das Haus, z.B. dieses, steht am 3. Mai offen.",
        "Ein Mann geht hinein.",
    ]


def test_spans_point_into_the_original_text() -> None:
    text = '  \n A man walks.  "He sits." \t Then he leaves \n'
    spans = sentence_spans(text)
    assert [text[a:b] for a, b in spans] == ["A man walks.", '"He sits."', "Then he leaves"]
    assert spans[0] == (4, 16)


def test_the_last_sentence_needs_no_full_stop() -> None:
    assert split_sentences("One man. Two dogs") == ["One man.", "Two dogs"]


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b", " \u200b\u2060"])
def test_blank_text_has_no_sentences(text: str) -> None:
    assert split_sentences(text) == []


def test_unknown_language_names_itself_and_the_supported_ones() -> None:
    with pytest.raises(UnknownLanguage, match=r"'fr'.*en, de") as raised:
        split_sentences("Bonjour.", "fr")
    assert isinstance(raised.value, ScoringError)
    assert raised.value.code == "unknown-language"


def test_splitter_names_the_installed_version() -> None:
    assert f"punkt-{punkt.__version__}" == SPLITTER


def test_sentences_equal_those_of_the_library_on_the_references(clip_cc_dir: Path) -> None:
    rows = json.loads((clip_cc_dir / "clip_cc_dataset.json").read_text(encoding="utf-8"))
    for row in rows:
        text = row["summary"]
        expected = [s.strip() for s in punkt.sent_tokenize(text) if s.strip()]
        assert split_sentences(text) == expected
        assert expected


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b", "\u2060\ufeff"])
def test_va_03_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["...", "\u2603\u2603\u2603", "a", "\u200ba\u200b", "0", "\u72d7"])
def test_va_03_content(text: str) -> None:
    assert not is_blank(text)


@pytest.mark.parametrize(
    "char",
    [
        *"\u00a0\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2060\u2063\ufeff\ufe0f\u034f",
        *"\u3000\u3164\u115f\u2800\x00\x1c\U000e0020",
    ],
    ids=lambda c: f"U+{ord(c):04X}",
)
def test_every_kind_of_unseen_character_is_blank(char: str) -> None:
    assert is_blank(char * 3)


@given(st.text(max_size=200), st.sampled_from(["en", "de"]))
def test_spans_are_ordered_stripped_and_cover_all_that_can_be_seen(
    text: str, language: str
) -> None:
    spans = sentence_spans(text, language)
    position = 0
    for start, end in spans:
        assert position <= start < end
        sentence = text[start:end]
        assert sentence == sentence.strip()
        assert not is_blank(sentence)
        assert is_blank(text[position:start])
        position = end
    assert is_blank(text[position:])


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S"]), min_size=1))
def test_visible_characters_are_never_blank(text: str) -> None:
    seen = [c for c in text if unicodedata.name(c, "").find("FILLER") < 0 and c != "\u2800"]
    assert is_blank(text) == (not seen)


def test_count_words() -> None:
    assert count_words(" A man,\nwalks ") == 3
    assert count_words("") == 0

"""The PTB tokenizer: what a text gives is its own."""

from __future__ import annotations

import numpy as np
import pytest

from scoring import java
from scoring.java import ptb
from scoring.judges.base import JudgeFailed, JudgeUnavailable

pytestmark = [
    pytest.mark.skipif(not java.available(), reason="needs Java"),
    pytest.mark.xdist_group("java"),
]

PIECES = [
    *("Inc.", "U.S.", "No.", "J.", "v.", "p.m.", "a", "The", "the", ".", "...", "?", ",", '"'),
    *("'", "n't", "can't", "<", ">", "<b", "&amp;", "(", "]", "{", "|", "|||", "\\", "1/2", "5,"),
    *("http://", "a@b", "-->", "<?xml", "]]>", "é", "e\u0301", "一只狗", "ก", "א", "😀", "\u200b"),
    *("\n", "\r", "\r\n", "\u2028", "\u2029", "\x85", "\x0b", "\x00", "\t", "\xa0", "\ufeff", "x"),
]


def test_words_are_lower_case_without_punctuation() -> None:
    """As `pycocoevalcap` gives them: quotes gone, contractions split, brackets spelled out."""
    assert ptb.tokenize(['A man, (tall) says: "It\'s U.S. No. 5!"', " \n ", "..."]) == [
        ["a", "man", "-lrb-", "tall", "-rrb-", "says", "it", "'s", "u.s.", "no.", "5"],
        [],
        [],
    ]


def test_a_text_gives_the_same_words_whatever_stands_beside_it() -> None:
    """Line ends, look-ahead over line ends, controls, half-open tags: nothing leaks."""
    rng = np.random.default_rng(0)
    spaced = [*PIECES, *(f"{piece} " for piece in PIECES)]
    picks = (rng.integers(0, len(spaced), rng.integers(0, 7)) for _ in range(1500))
    texts = ["".join(spaced[pick] for pick in picked) for picked in picks]
    words = dict(zip(texts, ptb.tokenize(texts), strict=True))
    for seed in range(2):
        shuffled = list(np.random.default_rng(seed).permutation(np.array(texts, dtype=object)))
        assert dict(zip(shuffled, ptb.tokenize(shuffled), strict=True)) == words


@pytest.mark.parametrize("text", ["No.", "He works at Acme Inc.", "J.", "at 5 p.m."])
def test_a_text_alone_gives_what_it_gives_in_a_batch(text: str) -> None:
    """The line after a text decides over its last full stop in the tokenizer itself."""
    alone = ptb.tokenize([text])[0]
    assert ptb.tokenize([text, "The end.", text, "the end."])[::2] == [alone, alone]


def test_letters_do_not_depend_on_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    """NG-07: composed and decomposed accents are one word, accents are kept."""
    monkeypatch.setenv("LC_ALL", "C")
    assert ptb.tokenize(["caf\u00e9", "cafe\u0301", "caf", "一只狗在跑"]) == [
        ["caf\u00e9"],
        ["caf\u00e9"],
        ["caf"],
        ["一只狗在跑"],
    ]


def test_without_java_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The remedy is in the message."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(JudgeUnavailable, match="not available: needs Java"):
        ptb.tokenize(["a dog"])


def test_a_tokenizer_that_takes_too_long_is_a_failure() -> None:
    """No run waits for ever."""
    with pytest.raises(JudgeFailed, match="longer than"):
        ptb.tokenize(["a dog"], timeout=0.01)

"""Sentences, words and emptiness: what every protocol understands by "a text".

Sentences are those of Punkt (Kiss and Strunk, 2006) with the trained English or German model, as
NLTK splits them. The same splitter serves references and descriptions, and its name and version
(`SPLITTER`) are part of every signature, because another splitter gives other numbers.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from types import MappingProxyType

import punkt

from scoring.types import ScoringError

SPLITTER = f"punkt-{punkt.__version__}"
"""Name and version of the sentence splitter, for signatures."""

LANGUAGES = MappingProxyType({"en": "english", "de": "german"})
"""Language codes a text may have, and the Punkt model that splits it."""

# Space, line and paragraph separators, controls, format characters (zero-width space, joiner, byte
# order mark, ...), and marks: a mark shows only on a letter.
_UNSEEN_CATEGORIES = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Me"})
# Unicode files these under letters and symbols although nothing is drawn: the Hangul fillers and
# the Braille pattern without dots.
_UNSEEN_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")


class UnknownLanguage(ScoringError):  # noqa: N818 - named as the fault is spoken of
    """A text in a language that no sentence splitter is kept for."""

    code = "unknown-language"

    def __init__(self, language: str) -> None:
        supported = ", ".join(LANGUAGES)
        super().__init__(
            f"language {language!r} is not supported: sentences can be split in {supported}"
        )


def sentence_spans(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Offsets of the sentences of `text`, in order: ``text[start:end]`` is one stripped sentence.

    Spans do not overlap and are never empty or blank (`is_blank`); a blank text has none.

    Raises:
        UnknownLanguage: `language` is not one of `LANGUAGES`.
    """
    spans = []
    for start, end in _tokenizer(language).span_tokenize(text):
        sentence = text[start:end]
        if is_blank(sentence):
            continue
        left = start + len(sentence) - len(sentence.lstrip())
        spans.append((left, left + len(sentence.strip())))
    return spans


def split_sentences(text: str, language: str = "en") -> list[str]:
    """The sentences of `text` in order, stripped, without blank ones (see `sentence_spans`)."""
    return [text[start:end] for start, end in sentence_spans(text, language)]


def is_blank(text: str) -> bool:
    """True when nothing of `text` can be seen: it is scored 0 and shown to no judge.

    Unlike ``not text.strip()`` this knows zero-width and other format characters, by their Unicode
    category. Punctuation and symbols (``...``) are content.
    """
    return all(
        char in _UNSEEN_LETTERS or unicodedata.category(char) in _UNSEEN_CATEGORIES for char in text
    )


def count_words(text: str) -> int:
    """Number of words of `text`: runs of characters between white space."""
    return len(text.split())


@lru_cache(maxsize=len(LANGUAGES))
def _tokenizer(language: str) -> punkt.PunktSentenceTokenizer:
    """The trained tokenizer of one language; a model takes some 50 ms to load, once."""
    if language not in LANGUAGES:
        raise UnknownLanguage(language)
    return punkt.tokenizer_for(LANGUAGES[language])

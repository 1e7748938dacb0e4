"""Proper nouns in English texts, for benchmarks that forbid naming people and places.

By capitals alone: a capitalised word inside a sentence whose small form nobody else in the same
submission writes. Words on signs stand in quotes and do not count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scoring.text import sentence_spans

_QUOTED = re.compile(r"\"[^\"\n]{0,400}\"|“[^”\n]{0,400}”|'[^'\n]{1,80}'(?=\W|$)|‘[^’\n]{1,80}’")
_TOKEN = re.compile(r"[A-Za-zÀ-ÿ]+(?:['’][A-Za-z]+)?")
_NAME = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]{2,}(?:['’]s)?$")
_AFTER = re.compile(r"[:;.!?…\n(*•#–—-]\s*$")
_POSSESSIVE = re.compile(r"['’]s$")
# Capitalised by rule, and no name of anybody: days, months, nationalities and the like.
_NO_NAMES = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december christmas halloween easter american english british
french german italian spanish chinese japanese korean indian mexican asian african european russian
arabic caucasian hispanic latino western victorian gothic roman greek egyptian christian catholic
muslim jewish hindu buddhist bible internet god lord sir madam mr mrs miss dr lego polaroid velcro
suv jeep bluetooth wifi instagram facebook youtube iphone let
"""
NO_NAMES = frozenset(_NO_NAMES.split())
"""Capitalised words that name nobody, without capitals."""


def proper_nouns(texts: Mapping[str, str]) -> dict[str, str]:
    """Clip to the names in its text, joined by commas; clips without any are left out."""
    tokens = {clip: _QUOTED.sub(" ", text) for clip, text in texts.items()}
    small = {word for text in tokens.values() for word in _TOKEN.findall(text) if word[0].islower()}
    found = {clip: _names(text, small) for clip, text in tokens.items()}
    return {clip: ", ".join(names) for clip, names in found.items() if names}


def _names(text: str, small: set[str]) -> list[str]:
    names: dict[str, None] = {}
    for start, end in sentence_spans(text):
        for match in list(_TOKEN.finditer(text, start, end))[1:]:
            word = match[0]
            if not _NAME.match(word) or _AFTER.search(text[start : match.start()]):
                continue
            bare = _POSSESSIVE.sub("", word)
            if bare.casefold() not in NO_NAMES and bare.casefold() not in small:
                names[bare] = None
    return list(names)

"""Rules on English words for the baseline judge of keypoints: who is meant, and what conflicts.

No parser: lists and patterns, good enough for a baseline that is labelled as one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PEOPLE = """
man men woman women boy boys girl girls person people child children kid kids baby toddler teenager
youth guy lady gentleman player players runner rider driver cyclist dancer singer musician guitarist
drummer chef cook waiter waitress baker worker workers officer policeman guard soldier doctor nurse
patient teacher student students pupil coach referee host reporter journalist presenter narrator
speaker actor actress customer clerk vendor seller farmer fisherman carpenter painter artist
photographer friend friends mother father mom dad parent parents son daughter brother sister
grandmother grandfather husband wife couple stranger neighbour neighbor figure crowd audience team
group dog puppy cat kitten horse bird robot
"""
_EMPTY = """
a an the this that these those is are was were be been being am has have had do does did and or but
of to in on at by for from with into onto over under up down out off as it its he she they them him
her his their there then while who which someone something
"""
_HUES = """
red orange yellow green blue purple violet pink brown black white grey gray beige golden silver
blonde blond
"""
_COUNTING = "zero one two three four five six seven eight nine ten eleven twelve"
_DENYING = "no not never nobody nothing without none neither nor"
_LOOKS = "dark light long short striped big small old young"

_HEADS = "|".join(sorted(_PEOPLE.split(), key=len, reverse=True))
_DETERMINERS = (
    "a|an|the|this|that|these|those|another|one|two|three|four|several|some|his|her|their|its|both"
)
_ADJECTIVES = "|".join(_HUES.split() + _LOOKS.split())
# Up to three words between the article and the head, then what they wear or have.
_PHRASE = re.compile(
    rf"\b(?:{_DETERMINERS})\s+(?:[\w'-]+\s+){{0,3}}?(?:{_HEADS})\b"
    r"(?:\s+(?:in|with|wearing)\s+(?:(?:a|an|the|his|her|their)\s+)?"
    rf"(?:(?:{_ADJECTIVES})\s+)*[\w'-]+)?",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:he|she|they|him|her|them)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_STOP = frozenset(_EMPTY.split())
_COLOURS = frozenset(_HUES.split())
_NUMBERS = {word: str(number) for number, word in enumerate(_COUNTING.split())}
_NEGATIONS = frozenset(_DENYING.split())
_SAME = {"gray": "grey", "blond": "blonde"}


@dataclass(frozen=True, slots=True)
class Reference:
    """Words that stand for somebody, where they begin, and whether they are a bare pronoun."""

    words: str
    start: int
    pronoun: bool


def references(text: str) -> tuple[Reference, ...]:
    """Who is spoken of in a sentence, in order: noun phrases around a person, and pronouns."""
    found = [Reference(m[0], m.start(), pronoun=False) for m in _PHRASE.finditer(text)]
    taken = [(r.start, r.start + len(r.words)) for r in found]
    found += [
        Reference(m[0], m.start(), pronoun=True)
        for m in _PRONOUN.finditer(text)
        if not any(start <= m.start() < end for start, end in taken)
    ]
    return tuple(sorted(found, key=lambda reference: reference.start))


def is_pronoun(words: str) -> bool:
    """True for `he`, `she`, `they` and their other cases."""
    return _PRONOUN.fullmatch(words.strip()) is not None


def is_plain(words: str) -> bool:
    """True for a definite article and a noun alone: `the woman`, `that boy`."""
    return (
        re.fullmatch(rf"(?:the|this|that)\s+(?:{_HEADS})", words.strip(), re.IGNORECASE) is not None
    )


def head(words: str) -> str:
    """The noun that says what kind of person is meant, or ""."""
    nouns = re.findall(rf"\b(?:{_HEADS})\b", words.casefold())
    return nouns[0] if nouns else ""


def content(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, cut to a common beginning (walks, walking)."""
    return frozenset(_stem(word) for word in _words(text) if word not in _STOP)


def overlap(keypoint: str, text: str) -> float:
    """Share of the keypoint's content words that the text has, 0 when it has none."""
    wanted = content(keypoint)
    return len(wanted & content(text)) / len(wanted) if wanted else 0.0


def conflict(one: str, other: str) -> str:
    """What two texts say differently: `colour`, `number`, `negation`, or "" when nothing."""
    for kind, of in (("colour", _colours), ("number", _numbers)):
        left, right = of(one), of(other)
        if left and right and not left & right:
            return kind
    if bool(_NEGATIONS & set(_words(one))) != bool(_NEGATIONS & set(_words(other))):
        return "negation"
    return ""


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)[:6]
    return word[:6]


def _colours(text: str) -> set[str]:
    return {_SAME.get(word, word) for word in _words(text) if word in _COLOURS}


def _numbers(text: str) -> set[str]:
    words = [word for word in _words(text) if word != "one"]
    return {_NUMBERS.get(word, word) for word in words if word in _NUMBERS or word.isdigit()}

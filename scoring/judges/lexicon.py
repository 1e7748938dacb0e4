"""The words that the rule-based judge of facts knows, and what two sentences say differently.

Word lists and word order, no parser: good enough for a baseline that is labelled as one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from scoring.signature import digest
from scoring.text import UnknownLanguage

_FILE = Path(__file__).with_name("lexicon.toml")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[.,;:!?]")
_SHORT_NOT = re.compile(r"n['’]t\b")
_POSSESSIVE = re.compile(r"['’]s$")
_MARKS = frozenset(".,;:!?")
_SCOPE = 3
"""Words that a negation, a number or a colour may belong to."""
_SHORTEST = 3
_ENDINGS = {
    "en": (
        *(("ying", "y"), ("ies", "y"), ("ied", "y"), ("sses", "ss"), ("ing", ""), ("ed", "")),
        *(("es", ""), ("ss", "ss"), ("s", ""), ("e", "")),
    ),
    "de": (
        *(("ungen", "ung"), ("enden", "end"), ("ende", "end"), ("ern", ""), ("en", "")),
        *(("em", ""), ("er", ""), ("es", ""), ("e", ""), ("t", ""), ("n", ""), ("s", "")),
    ),
}
"""Endings taken off, the first that fits; what stays has three letters or more."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two words that cannot both be true of the same thing: `kind`, the fact's, the text's."""

    kind: str
    fact: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.fact} / {self.text}"


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence as the rules see it: its content words, and what is said of them."""

    words: tuple[str, ...]
    denied: frozenset[str]
    numbers: Mapping[str, set[str]]
    colours: Mapping[str, set[str]]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of one language; forms are folded to stems."""

    language: str
    negations: frozenset[str]
    copulas: frozenset[str]
    joints: frozenset[str]
    empty: frozenset[str]
    colours: Mapping[str, str]
    numbers: Mapping[str, str]
    same: Mapping[str, str]
    opposites: Mapping[str, frozenset[str]]

    def content(self, sentence: str) -> tuple[str, ...]:
        """Stems of the words that carry meaning, in order, without punctuation and negations."""
        return self._said(sentence).words

    def overlap(self, fact: str, sentence: str) -> float:
        """Share of the fact's distinct content words that the sentence has, in [0, 1]."""
        wanted = set(self.content(fact))
        return len(wanted & set(self.content(sentence))) / len(wanted) if wanted else 0.0

    def conflicts(self, fact: str, sentence: str) -> tuple[Conflict, ...]:
        """What the two say differently of words that they share.

        Kinds: `negation` (a shared word that only one denies), `number` and `colour` (others of the
        same thing), `opposite` (one has a word, the other its opposite, beside a shared word).
        """
        ours, theirs = self._said(fact), self._said(sentence)
        shared = [word for word in dict.fromkeys(ours.words) if word in theirs.words]
        return (
            *self._denials(ours, theirs, shared),
            *_differences("number", ours.numbers, theirs.numbers),
            *_differences("colour", ours.colours, theirs.colours),
            *(self._opposites(ours, theirs) if shared else ()),
        )

    def stem(self, word: str) -> str:
        """A word without its ending: `walks`, `walking` -> `walk`; irregular forms by the list."""
        word = _POSSESSIVE.sub("", word.casefold())
        return _stem(self.same.get(word, word), self.language)

    def _denials(self, ours: _Said, theirs: _Said, shared: Sequence[str]) -> Iterator[Conflict]:
        for word in shared:
            if (word in ours.denied) != (word in theirs.denied):
                no = f"no {word}"
                yield Conflict("negation", *((no, word) if word in ours.denied else (word, no)))
                return

    def _opposites(self, ours: _Said, theirs: _Said) -> Iterator[Conflict]:
        for word in dict.fromkeys(ours.words):
            for other in sorted(self.opposites.get(word, frozenset())):
                if other in theirs.words and word not in theirs.words and other not in ours.words:
                    yield Conflict("opposite", word, other)

    def _said(self, sentence: str) -> _Said:
        words: list[str] = []
        denied: set[str] = set()
        numbers: dict[str, set[str]] = {}
        colours: dict[str, set[str]] = {}
        for clause in _clauses(_SHORT_NOT.sub(" not", sentence.casefold())):
            words += [self._meaning(token) for token in clause if self._carries(token)]
            for place, token in enumerate(clause):
                if token in self.negations:
                    denied |= set(self._denied(clause, place))
                for value, bound in (
                    (_number(token, self.numbers), numbers),
                    (self.colours.get(token), colours),
                ):
                    thing = self._thing(clause, place) if value is not None else None
                    if value is not None and thing is not None:
                        bound.setdefault(thing, set()).add(value)
        return _Said(tuple(words), frozenset(denied), numbers, colours)

    def _carries(self, token: str) -> bool:
        return token not in self.empty and token not in self.negations

    def _meaning(self, token: str) -> str:
        """`4` and `four`, `gray` and `grey` are one; other words are their stems."""
        return _number(token, self.numbers) or self.colours.get(token) or self.stem(token)

    def _names_thing(self, token: str) -> bool:
        return (
            self._carries(token)
            and token not in self.colours
            and _number(token, self.numbers) is None
        )

    def _denied(self, clause: Sequence[str], place: int) -> list[str]:
        """The words after a negation; in German it may end its clause, then those before it."""
        after = [self._meaning(token) for token in clause[place + 1 :] if self._carries(token)]
        before = [self._meaning(token) for token in clause[:place] if self._carries(token)]
        return after[:_SCOPE] or before[-_SCOPE:]

    def _thing(self, clause: Sequence[str], place: int) -> str | None:
        """What a number or colour is said of: the next thing, or for `is red` the one before."""
        things = [t for t in clause[place + 1 : place + 2 + _SCOPE] if self._names_thing(t)]
        if clause[place] in self.colours:
            start = place
            while start and (clause[start] in self.colours or clause[start] in self.joints):
                start -= 1
            if clause[start] in self.copulas:
                things = [t for t in reversed(clause[:start]) if self._names_thing(t)]
        return self.stem(things[0]) if things else None


@cache
def load(language: str) -> Lexicon:
    """The words of a language.

    Raises:
        UnknownLanguage: there are none.
    """
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    if language not in tables:
        raise UnknownLanguage(language)
    table: dict[str, Any] = tables[language]
    same = _forms(table["same"])
    opposites: dict[str, set[str]] = {}
    for pair in table["opposites"]["pairs"].split():
        one, other = (_stem(same.get(word, word), language) for word in pair.split(":"))
        opposites.setdefault(one, set()).add(other)
        opposites.setdefault(other, set()).add(one)
    return Lexicon(
        language=language,
        negations=frozenset(table["negations"]),
        copulas=frozenset(table["copulas"]),
        joints=frozenset(table["joints"]),
        empty=frozenset(table["empty"].split()),
        colours=_forms(table["colours"]),
        numbers=_forms(table["numbers"]),
        same=same,
        opposites={word: frozenset(others) for word, others in opposites.items()},
    )


def fingerprint() -> str:
    """A digest of all words, for signatures."""
    return digest(_FILE.read_text(encoding="utf-8"))


def _forms(table: Mapping[str, str]) -> dict[str, str]:
    return {form: name for name, forms in table.items() for form in forms.split()}


def _clauses(sentence: str) -> Iterator[list[str]]:
    clause: list[str] = []
    for token in _WORD.findall(sentence):
        if token in _MARKS:
            yield clause
            clause = []
        else:
            clause.append(token)
    yield clause


def _number(token: str, numbers: Mapping[str, str]) -> str | None:
    return str(int(token)) if token.isdecimal() else numbers.get(token)


def _differences(
    kind: str, ours: Mapping[str, set[str]], theirs: Mapping[str, set[str]]
) -> Iterator[Conflict]:
    for thing in ours.keys() & theirs.keys():
        if not ours[thing] & theirs[thing]:
            mine, other = ("+".join(sorted(side[thing])) for side in (ours, theirs))
            yield Conflict(kind, f"{mine} {thing}", f"{other} {thing}")


def _stem(word: str, language: str) -> str:
    for ending, instead in _ENDINGS[language]:
        if word.endswith(ending) and len(word) - len(ending) + len(instead) >= _SHORTEST:
            word = word.removesuffix(ending) + instead
            break
    if language == "en" and len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word

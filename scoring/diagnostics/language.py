"""Is a text in the language that is asked for? By the share of each language's commonest words."""

from __future__ import annotations

import unicodedata
from collections import Counter

from scoring.diagnostics.words import words_of

SHORTEST = 8
"""Words below which nothing is said."""
LEAST = 0.12
"""Share of common words from which a text is taken to be in a language."""
LATIN_SHARE = 0.7
"""Share of letters that must be Latin."""

_COMMON = {
    "en": (
        "the of and to a in is that it with as for was on are by this from at his her their an be "
        "has he she they while who which into its then there or but not"
    ),
    "de": (
        "der die das und in zu den mit von ist auf für ein eine einen einem einer im dem des sich "
        "er sie es wird werden sind nicht auch als an aus bei nach wie über dann während"
    ),
    "fr": (
        "le la les de des du et un une est dans en que qui sur avec pour au aux il elle se son sa "
        "ses ce cette par pas plus sont puis tandis"
    ),
    "es": (
        "el la los las de del y un una es en que con por para su se al lo como más sus está están "
        "mientras pero luego hay sobre este esta"
    ),
    "it": (
        "il lo la i gli le di del della e un una è in che con per su si al come più suo sua sono "
        "mentre poi nel nella questo questa"
    ),
    "nl": (
        "de het een en van in is dat op te met voor zijn aan er die als door naar wordt zich hij "
        "ze niet ook bij terwijl dan uit over"
    ),
    "pt": (
        "o a os as de do da e um uma é em que com por para seu sua se ao como mais está estão "
        "enquanto depois no na este esta"
    ),
}
COMMON = {language: frozenset(words.split()) for language, words in _COMMON.items()}
"""The commonest words of the languages that are told apart."""


def wrong_language(text: str, language: str) -> str:
    """The beginning of a text that is not in ``language``, or "".

    Only said when another script or another language of ``COMMON`` clearly prevails; of a language
    that is not among them, and of short texts, nothing is said.
    """
    if language not in COMMON:
        return ""
    if _is_foreign_script(text):
        return text
    words = words_of(text)
    if len(words) < SHORTEST:
        return ""
    counts = Counter(words)
    shares = {
        name: sum(counts[word] for word in common) / len(words) for name, common in COMMON.items()
    }
    asked = shares.pop(language)
    other = max(shares.values())
    return text if other >= LEAST and other > 2 * asked else ""


def _is_foreign_script(text: str) -> bool:
    if text.isascii():
        return False
    letters = [char for char in text if char.isalpha()]
    if len(letters) < SHORTEST:
        return False
    latin = sum(unicodedata.name(char, "").startswith("LATIN") for char in letters)
    return latin / len(letters) < LATIN_SHARE

"""Everything that the texts of a submission show by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scoring.diagnostics.copies import copies_of_references
from scoring.diagnostics.endings import truncated
from scoring.diagnostics.flags import Flag, flag_of, in_order
from scoring.diagnostics.language import wrong_language
from scoring.diagnostics.lengths import LONG, SHORT, Lengths, lengths, ratios
from scoring.diagnostics.nouns import proper_nouns
from scoring.diagnostics.placeholders import api_error, placeholder, refusal
from scoring.diagnostics.repetition import repetition, shared_texts
from scoring.text import is_blank
from scoring.text_flags import instruction_like
from scoring.types import Reference

VERSION = 1
"""Changes when the same texts would be flagged otherwise."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Flags, the gravest kind first, and the lengths beside the references (None without any)."""

    flags: tuple[Flag, ...]
    lengths: Lengths | None = None

    def of_clip(self, clip: str) -> tuple[Flag, ...]:
        """The flags that a clip's description has."""
        return tuple(flag for flag in self.flags if clip in flag.clips)

    def with_flag(self, flag: Flag) -> Diagnosis:
        """The same with one flag more, in its place; one about no clip changes nothing."""
        return Diagnosis(in_order((*self.flags, flag)), self.lengths)

    def to_json(self) -> dict[str, Any]:
        """What is stored of it."""
        return {
            "version": VERSION,
            "flags": [flag.to_json() for flag in self.flags],
            "lengths": asdict(self.lengths) if self.lengths else None,
        }


def diagnose(
    texts: Mapping[str, str],
    references: Mapping[str, Sequence[Reference]] | None = None,
    *,
    language: str = "en",
    forbids_proper_nouns: bool = False,
) -> Diagnosis:
    """Look at all texts of a submission; nothing here changes a score.

    Args:
        texts: Clip id to description.
        references: Clip id to references, for lengths and copies; they may be missing.
        language: The one that is asked for.
        forbids_proper_nouns: Whether names are flagged; in English texts only, since German
            writes all nouns with capitals.
    """
    told = {clip: text for clip, text in texts.items() if not is_blank(text)}
    ratio = ratios(told, references or {})
    looks: dict[str, Callable[[str], str]] = {
        "placeholder": placeholder,
        "api-error": api_error,
        "refusal": refusal,
        "instruction-like": _aimed_at_judge,
        "wrong-language": lambda text: wrong_language(text, language),
        "repetition": repetition,
        "truncated": truncated,
    }
    found = {code: _found(look, told) for code, look in looks.items()}
    found |= {
        "blank-text": {clip: "" for clip in texts if clip not in told},
        "text-is-id": {clip: text for clip, text in told.items() if text.strip() == clip},
        "repeated-text": shared_texts(told),
        "copy-of-reference": copies_of_references(told, references or {}),
        "too-short": {clip: told[clip] for clip, value in ratio.items() if value < SHORT},
        "too-long": {clip: told[clip] for clip, value in ratio.items() if value > LONG},
    }
    # A stand-in is short; that need not be said too.
    for code in ("placeholder", "api-error", "refusal", "text-is-id"):
        for clip in found[code]:
            found["too-short"].pop(clip, None)
    if forbids_proper_nouns and language == "en":
        found["proper-noun"] = proper_nouns(told)
    flags = [flag_of(code, clips) for code, clips in found.items()]
    return Diagnosis(in_order(flags), lengths(told, ratio))


def _found(look: Callable[[str], str], texts: Mapping[str, str]) -> dict[str, str]:
    seen = {clip: look(text) for clip, text in texts.items()}
    return {clip: words for clip, words in seen.items() if words}


def _aimed_at_judge(text: str) -> str:
    flags = instruction_like(text)
    return flags[0].excerpt if flags else ""

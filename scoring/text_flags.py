"""Text that speaks to a judge instead of describing a video.

Such text changes no score: judges read every text as data. It is flagged so that people look at it.
The patterns are narrow on purpose, because descriptions quote signs, slides and speech.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WINDOW = 40


@dataclass(frozen=True, slots=True)
class Flag:
    """One place of a text that looks like instructions: what kind, where, and what it says."""

    code: str
    start: int
    excerpt: str


_GAP = r"(?:\W+\w+){0,4}?\W+"
_RULES = (
    r"(?:instructions?|rules|prompts?|guidelines|anweisungen?|regeln|vorgaben|eingabeaufforderung)"
)
_LABELS = r"(?:entail(?:ment|ed)|contradict(?:ion|ed)|neutral)"
_PATTERNS = {
    "overrides-rules": (
        rf"\b(?:ignore|disregard|forget|override|ignorier\w*|missachte\w*|vergiss){_GAP}{_RULES}\b"
    ),
    "addresses-judge": (
        rf"\b(?:you are|act as|du bist|sie sind){_GAP}"
        r"(?:judge|evaluator|grader|assistant|language model|ai|richter\w*|gutachter\w*|"
        r"sprachmodell)\b"
        r"|\bas an? (?:ai|language model)\b"
        r"|\b(?:dear|hey|attention|note to(?: the)?)\W+(?:judge|evaluator|grader|assistant)\b"
    ),
    "dictates-verdict": (
        rf"\b(?:mark|label|rate|score|classify|judge|return|reply|answer|output|bewerte\w*|"
        rf"antworte\w*|markiere\w*){_GAP}{_LABELS}\b"
        r"|\b(?:give|assign|award|vergib|gib)\W+(?:\w+\W+){0,4}?"
        r"(?:full|highest|maximum|perfect|top|volle|h(?:ö|oe)chste)\W+(?:score|marks?|rating|points?|"
        r"punktzahl|note)\b"
    ),
    "shows-verdict": (
        r"[\"'](?:label|relationship|verdicts?|entailment|events?|facts?|fact)[\"']\s*:"
        rf"|[{{\[][^{{}}]{{0,200}}[\"']{_LABELS}[\"']"
    ),
    "chat-markup": (
        r"<\|[a-z_]{2,30}\|>|\[/?INST\]|<</?SYS>>|</?think>|<(?:start|end)_of_turn>"
        r"|^[ \t]*#{2,}[ \t]*(?:system|user|assistant|instruction)s?\b"
        r"|^[ \t]*(?:system|assistant)[ \t]*:"
        r"|\b(?:BEGIN|END) (?:DESCRIPTION |FACTS )?data-[0-9a-f]{6,}"
    ),
}
_COMPILED = {
    code: re.compile(pattern, re.IGNORECASE | re.MULTILINE) for code, pattern in _PATTERNS.items()
}


def instruction_like(text: str) -> tuple[Flag, ...]:
    """The places of `text` that look like instructions to a judge, by place; none as a rule.

    Codes: `overrides-rules` (ignore the rules), `addresses-judge` (you are a judge),
    `dictates-verdict` (mark everything as entailment), `shows-verdict` (a piece of a judge's JSON
    reply), `chat-markup` (role markers of chat templates). English and German.
    """
    flags = [
        Flag(code, match.start(), _excerpt(text, match))
        for code, pattern in _COMPILED.items()
        for match in pattern.finditer(text)
    ]
    return tuple(sorted(flags, key=lambda flag: (flag.start, flag.code)))


def _excerpt(text: str, match: re.Match[str]) -> str:
    around = text[max(0, match.start() - _WINDOW) : match.end() + _WINDOW]
    return " ".join(around.split())

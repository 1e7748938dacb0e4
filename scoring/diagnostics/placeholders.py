"""Texts that stand in for a description: refusals, placeholders, ids, error messages."""

from __future__ import annotations

import re

from scoring.formats.clips import is_api_error
from scoring.text import is_blank

_QUOTED = re.compile(r'"[^"\n]{0,400}"|“[^”\n]{0,400}”|„[^“”\n]{0,400}[“”]')
_SEEN = (
    r"(?:videos?|images?|frames?|clips?|footage|content|request|media|files?|pictures?|visuals?)"
)
_ACTS = (
    r"(?:assist|help|provide|comply|view|see|watch|access|open|play|process|analy[sz]e|describe|"
    r"fulfil\w*|generate|interpret|do that)"
)
_CANNOT = (
    r"(?:can(?:no|'|’)t|can not|could not|couldn['’]t|(?:am|are|'m|’m) (?:unable|not able) to)"
)
_REFUSAL = re.compile(
    rf"\b(?:sorry|apologi[sz]e|apologies)\b[^.!?\n]{{0,60}}"
    rf"\b(?:{_CANNOT}|unable to|do(?: not|n['’]t) have)\b"
    rf"|\b(?:I|we) ?(?:{_CANNOT}) (?:\w+ ){{0,3}}?{_ACTS}\b[^.!?\n]{{0,80}}"
    rf"\b(?:{_SEEN}|that|this)\b"
    r"|\bas an? (?:AI|artificial intelligence|(?:large )?language model|text-based)\b"
    rf"|\bno {_SEEN} (?:(?:was|were|is|are|has been|have been) )?(?:provided|attached|uploaded|"
    r"supplied|shared)\b"
    rf"|\bplease (?:provide|upload|share|send|attach) (?:me )?(?:the|a|an|your)(?: \w+)? {_SEEN}\b"
    rf"|\b(?:I|we) do(?: not|n['’]t) have (?:the )?(?:access|ability)\b[^.!?\n]{{0,60}}\b{_SEEN}\b"
    r"|\b(?:tut mir leid|entschuldigung)\b[^.!?\n]{0,60}\bkann\b"
    r"|\bich kann\b[^.!?\n]{0,60}\b(?:nicht|kein\w*)\b[^.!?\n]{0,40}"
    r"\b(?:beschreiben|sehen|ansehen|öffnen|helfen|zugreifen)\b"
    r"|\bals (?:KI|Sprachmodell|künstliche Intelligenz)\b",
    re.IGNORECASE,
)
_STANDS_IN = """
n/a|na|none|null|nil|nan|undefined|unknown|todo|tbd|tba|test|testing|xxx|empty|missing|error|failed
description|caption|text|string|placeholder|-|--|---|.|..|...|…|?|???|no description|no caption
no description available|not available|description here|your description here|coming soon
insert description here|description goes here|keine beschreibung|no response|no output
"""
STANDS_IN = frozenset(_STANDS_IN.strip().replace("\n", "|").split("|"))
"""Whole texts that are no description, without capitals."""
_FILLER = re.compile(
    r"^\s*(?:lorem ipsum\b.*|[<\[{(]+[^<>\[\]{}()\n]{0,60}[>\]})]+|(.)\1{3,})\s*$",
    re.IGNORECASE | re.DOTALL,
)


def refusal(text: str) -> str:
    """The words with which a system refuses or says that it saw nothing, or "".

    What stands in double quotes is speech of the video and does not count.
    """
    own = _QUOTED.sub(lambda match: " " * len(match[0]), text)
    match = _REFUSAL.search(own)
    return text[match.start() : match.start() + 120] if match else ""


def placeholder(text: str) -> str:
    """The text when it is a stand-in such as ``n/a``, ``[description]`` or ``Lorem ipsum``."""
    bare = text.strip().strip("\"'*_ ").casefold()
    stands_in = bare in STANDS_IN or bare.rstrip(".!") in STANDS_IN
    return text.strip() if (stands_in or _FILLER.match(text)) and not is_blank(text) else ""


def api_error(text: str) -> str:
    """The text when it begins like an error of an API or a traceback, else ""."""
    return text.strip() if is_api_error(text) else ""

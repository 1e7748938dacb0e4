"""Texts that stop in the middle of a sentence, as when a limit on tokens cuts them off."""

from __future__ import annotations

import re

SHORTEST = 10
"""Words below which an ending says nothing."""

_CLOSED = re.compile(r"[.!?…。！？][\s\"'”’»)\]*_`]*$|[\"”»)\]]\s*[*_`]*\s*$")
_SENTENCE_END = re.compile(r"[.!?…。！？](?=\s)")
_LIST_LINE = re.compile(r"^\s*(?:[-*•#>|]|\d+[.)]|\*\*)|\*\*\s*$")


def truncated(text: str) -> str:
    """The last words of a text that stops in the middle of a sentence, or "".

    A text without any full stop has a style of its own, and a last line of a list needs none.
    """
    bare = text.rstrip()
    if len(bare.split()) < SHORTEST or _CLOSED.search(bare) or not _SENTENCE_END.search(bare):
        return ""
    last_line = bare.rpartition("\n")[2]
    if _LIST_LINE.search(last_line):
        return ""
    return "… " + " ".join(bare.split()[-12:])

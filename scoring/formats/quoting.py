"""How the user's own words are shown in messages: short, and with nothing hidden in them."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice

QUOTE_LIMIT = 60
"""Characters of the user's text that a message quotes at most."""

_PLAIN_NAME = re.compile(r"[\w./:+-]{1,60}", re.ASCII)


def printable(text: str, limit: int = QUOTE_LIMIT) -> str:
    """`text` cut to `limit` characters, with controls, NUL and lone surrogates as escapes.

    The result can be stored, encoded and printed whatever `text` was.
    """
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def quote(text: str) -> str:
    """`text` in double quotes, short and printable."""
    return f'"{printable(text)}"'


def name(clip: str) -> str:
    """A clip id inside a sentence: as it is when it is one plain word, else quoted."""
    return clip if _PLAIN_NAME.fullmatch(clip) else quote(clip)


def names(clips: Collection[str], limit: int = 10) -> str:
    """The first `limit` ids, and how many there are besides: ``c1, c2 and 7 more``."""
    listed = ", ".join(name(clip) for clip in islice(clips, limit))
    return f"{listed} and {len(clips) - limit:,} more" if len(clips) > limit else listed


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 error``, ``2 errors``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"

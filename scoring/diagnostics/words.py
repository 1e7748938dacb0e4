"""Words as the diagnostics count them."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"\w+(?:['’]\w+)?")


@lru_cache(maxsize=512)
def words_of(text: str) -> tuple[str, ...]:
    """Runs of letters and digits without regard to case; an apostrophe may stand inside."""
    return tuple(_WORD.findall(text.casefold()))

"""What a look at the site has found wrong, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

ERROR, WARNING = "error", "warning"
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """``level`` is ``error`` when the site does not do what it should, else ``warning``."""

    level: str
    code: str
    what: str
    remedy: str


def some(names: list[str]) -> str:
    """The first few, and how many more there are."""
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")

"""The problems of one upload, gathered while it is read, listed up to a limit."""

from __future__ import annotations

import re
from typing import NoReturn

from scoring.formats.quoting import counted, printable
from scoring.types import Problem

MAX_CLIP = 120
"""Characters of a clip id that a problem carries."""
MAX_ROWS = 200_000
"""Rows of one file. It bounds the time that reading takes, whatever the rows hold."""
MAX_LISTED = 200
"""Problems that are listed; further ones are only counted."""
MAX_FOUND = 10_000
"""Problems after which reading stops: the file is beyond repair by hand."""

# Legal in JSON, but neither PostgreSQL nor a UTF-8 stream takes them.
FORBIDDEN = re.compile("[\x00\ud800-\udfff]")


class Abandoned(Exception):  # noqa: N818 - ends the reading of one file, never leaves the package
    """The rest of the file cannot be read; the problem is already noted."""


class Findings:
    """What is wrong with a file, or with several that are read one after the other."""

    def __init__(self) -> None:
        self.file = ""
        """Name of the file being read when there are several: put before every position."""
        self._errors: list[Problem] = []
        self._warnings: dict[str, Problem] = {}
        self._found = 0

    def error(self, code: str, message: str, where: str = "", clip: str = "") -> None:
        """Note an error; the file will not be accepted."""
        self._found += 1
        if self._found <= MAX_LISTED:
            shown = printable(clip, MAX_CLIP)
            self._errors.append(Problem(code, message, self._place(where), shown))
        if self._found >= MAX_FOUND:
            raise Abandoned

    def warn(self, code: str, message: str, where: str = "") -> None:
        """Note a remark on the whole file, once per message."""
        problem = Problem(code, message, self._place(where), severity="warning")
        self._warnings.setdefault(f"{self.file}\n{message}", problem)

    def abandon(self, code: str, message: str, where: str = "") -> NoReturn:
        """Note an error after which the file is not read on, and stop."""
        self.error(code, message, where)
        raise Abandoned

    @property
    def found(self) -> int:
        """How many errors there are, listed or not."""
        return self._found

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Errors, how many more there are, warnings."""
        more: tuple[Problem, ...] = ()
        if self._found > MAX_LISTED:
            rest = counted(self._found - MAX_LISTED, "more error")
            stopped = "; reading stopped there" if self._found >= MAX_FOUND else ""
            more = (Problem("more-problems", f"and {rest}{stopped}"),)
        return (*self._errors, *more, *self._warnings.values())

    def _place(self, where: str) -> str:
        return ", ".join(part for part in (self.file, where) if part)


def unfit(text: str) -> str:
    """What `text` holds that can be neither stored nor shown, in words, or ""."""
    match = FORBIDDEN.search(text)
    return character(match[0]) if match else ""


def character(char: str) -> str:
    """A forbidden character in words."""
    return "the character NUL" if char == "\x00" else f"a lone surrogate (U+{ord(char):04X})"

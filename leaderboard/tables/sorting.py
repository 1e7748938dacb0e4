"""Sorting by a column: what is missing stays last in both directions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
SortValue = float | int | str | None


@dataclass(frozen=True, slots=True)
class Sort:
    """A column's key and the direction, as in ``?sort=-borda``."""

    key: str
    descending: bool = False

    def __str__(self) -> str:
        return f"-{self.key}" if self.descending else self.key

    @classmethod
    def parse(cls, text: str, keys: Iterable[str], default: str) -> Sort:
        """What the address asks for; the default when it asks for no column of this table."""
        key = text.removeprefix("-")
        return cls(key, text.startswith("-")) if key in set(keys) else cls(default)

    def arrange(self, rows: Sequence[T], value: Callable[[T], SortValue]) -> tuple[T, ...]:
        """The rows by ``value``; None and NaN last in either direction, ties as they stood."""
        known = [row for row in rows if not _missing(value(row))]
        rest = [row for row in rows if _missing(value(row))]
        ordered = sorted(known, key=value, reverse=self.descending)  # type: ignore[arg-type]
        return (*ordered, *rest)


def _missing(value: SortValue) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))

"""The mean over judges, as every page takes it."""

from __future__ import annotations

from collections.abc import Sequence


def mean_of_all(values: Sequence[float | None]) -> float | None:
    """Their mean; None unless every one of them is known, and of none at all."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None

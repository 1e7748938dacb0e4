"""How long descriptions are beside the references of their clips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.text import count_words
from scoring.types import Reference

SHORT, LONG = 0.1, 5.0
"""Ratios of words to the reference's words outside which a description is called short or long."""
LEAST_REFERENCE = 10
"""Words of a reference below which a length says nothing."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """Words of the descriptions, and quantiles of their ratio to the reference's words."""

    words: float
    low: float
    median: float
    high: float


def ratios(
    texts: Mapping[str, str], references: Mapping[str, Sequence[Reference]]
) -> dict[str, float]:
    """Clip to words of its description over the median words of its references.

    Long references count where there are any. Blank descriptions and clips whose reference has
    fewer than ``LEAST_REFERENCE`` words are left out.
    """
    found = {}
    for clip, text in texts.items():
        words, usual = count_words(text), _usual(references.get(clip, ()))
        if words and usual >= LEAST_REFERENCE:
            found[clip] = words / usual
    return found


def lengths(texts: Mapping[str, str], ratio: Mapping[str, float]) -> Lengths | None:
    """Median words, and the 5th, 50th and 95th percentile of ``ratio``; None without any."""
    if not ratio:
        return None
    low, median, high = np.percentile(list(ratio.values()), [5, 50, 95])
    words = np.median([count_words(text) for text in texts.values()])
    return Lengths(float(words), float(low), float(median), float(high))


def _usual(references: Sequence[Reference]) -> float:
    long = [r for r in references if r.kind == "long"] or list(references)
    return float(np.median([count_words(r.text) for r in long])) if long else 0.0

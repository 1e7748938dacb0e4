"""Near-copies: how much of a text stands word for word in another one.

Texts are compared by their runs of ``GRAM`` words. For many texts at once each is reduced to a
sketch (MinHash, Broder 1997, with one byte kept of each minimum): the share of equal bytes
estimates the share of common runs, so that a new submission is compared with all others in one
look at their sketches. What a sketch suggests is checked on the texts themselves.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.diagnostics.words import words_of
from scoring.types import FloatArray, Reference

GRAM = 5
"""Words of a run."""
LEAST_RUNS = 8
"""A text with fewer runs is too short to be called a copy."""
COPIED = 0.5
"""Share of common runs from which a text is called a copy."""
SUSPECT = 0.35
"""Estimated share from which a pair of texts is looked at."""
HASHES = 64
"""Bytes of a sketch; an estimate then strays by some 0.06."""
SKETCH_VERSION = 1
"""Sketches of different versions are not comparable."""

Sketches = NDArray[np.uint8]
"""One row of ``HASHES`` bytes a text; a text that is too short has a row of zeros."""

_random = np.random.default_rng(20_260)
_FACTORS = _random.integers(1, 2**63, HASHES, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
_OFFSETS = _random.integers(0, 2**63, HASHES, dtype=np.uint64)


def runs_of(text: str) -> set[str]:
    """The distinct runs of ``GRAM`` words."""
    words = words_of(text)
    return {" ".join(words[at : at + GRAM]) for at in range(len(words) - GRAM + 1)}


def overlap(text: str, other: str) -> float:
    """Common runs over all runs of both texts, 0 to 1 (Jaccard)."""
    mine, others = runs_of(text), runs_of(other)
    return len(mine & others) / len(mine | others) if mine and others else 0.0


def copies_of_references(
    texts: Mapping[str, str], references: Mapping[str, Sequence[Reference]]
) -> dict[str, str]:
    """Clip to text, where ``COPIED`` of the text's runs stand in references, of whichever clip."""
    known: set[str] = set()
    for some in references.values():
        for reference in some:
            known |= runs_of(reference.text)
    found = {}
    for clip, text in texts.items():
        runs = runs_of(text)
        if len(runs) >= LEAST_RUNS and len(runs & known) / len(runs) >= COPIED:
            found[clip] = text
    return found


def sketch(texts: Iterable[str]) -> Sketches:
    """One sketch a text, shape (texts, ``HASHES``)."""
    rows = [_sketch(runs_of(text)) for text in texts]
    return np.array(rows, np.uint8).reshape(len(rows), HASHES)


def alike(mine: Sketches, others: Sketches) -> FloatArray:
    """Estimated share of common runs of each text with its counterpart, 0 where one is too short.

    Both have the same texts in their rows; leading axes of ``others`` are free.
    """
    equal = (mine == others).mean(axis=-1)
    present = mine.any(axis=-1) & others.any(axis=-1)
    by_chance = 1 / 256
    share = (equal - by_chance) / (1 - by_chance)
    return np.where(present, np.clip(share, 0.0, 1.0), 0.0)


def _sketch(runs: set[str]) -> NDArray[np.uint8]:
    if len(runs) < LEAST_RUNS:
        return np.zeros(HASHES, np.uint8)
    values = np.fromiter((zlib.crc32(run.encode()) for run in runs), np.uint64, len(runs))
    mixed = values[:, None] * _FACTORS + _OFFSETS
    # The high bits are the well-mixed ones: the minimum is taken over them, its low byte is kept.
    lowest = (mixed >> np.uint64(24)).min(axis=0)
    row = (lowest & np.uint64(0xFF)).astype(np.uint8)
    return row if row.any() else np.ones(HASHES, np.uint8)

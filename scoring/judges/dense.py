"""What all judges with dense vectors share: signature, cache, and the way through the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from scoring import engine
from scoring.engine import DenseVectors, Matrix, Pieces
from scoring.judges.base import JudgeFailed
from scoring.judges.entry import Entry
from scoring.signature import joined, libraries
from scoring.types import Progress

if TYPE_CHECKING:
    from scoring.cache import EmbeddingCache


class DenseJudge(ABC):
    """An `EmbeddingJudge` whose subclass says how texts become pieces, and pieces vectors."""

    libraries: tuple[str, ...] = ()
    """Short names of the libraries whose version changes a vector."""

    def __init__(self, entry: Entry, *, dimension: int, budget: int, dtype: str = "") -> None:
        self.entry = entry
        self.dimension = dimension
        self.budget = budget
        self.limit = entry.max_tokens
        self.dtype = dtype or entry.dtype

    def signature(self, long_text: str | None = None) -> str:
        """See `EmbeddingJudge.signature`."""
        entry = self.entry
        parts = {"judge": entry.name, "rev": entry.fingerprint, "prompt": entry.prompt}
        if entry.pooling:
            parts |= {"pool": entry.pooling, "pad": entry.padding}
        parts["max"] = str(self.limit or "none")
        if self.limit:
            parts["long"] = self._rule(long_text)
        return joined(parts | {"dtype": self.dtype} | libraries(*self.libraries))

    def fit(self, texts: Sequence[str]) -> Self:
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
        return engine.encode(
            self,
            texts,
            signature=self.signature(long_text),
            long_text=self._rule(long_text),
            cache=cache,
            progress=progress,
        )

    @abstractmethod
    def pieces(self, texts: Sequence[str], long_text: str) -> Pieces:
        """See `Encoder.pieces`."""

    @abstractmethod
    def forward(self, items: Sequence[Any]) -> Matrix:
        """See `Encoder.forward`."""

    def _rule(self, long_text: str | None) -> str:
        rule = long_text or self.entry.long_text
        if rule not in {"truncate", "windows"}:
            message = f"long texts can be handled by `truncate` or `windows`, not by {rule!r}"
            raise JudgeFailed(message)
        return rule

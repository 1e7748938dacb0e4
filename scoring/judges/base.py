"""What every embedding judge is, and how it fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from scoring.judges.entry import Entry
from scoring.types import Progress, ScoringError, Vectors

if TYPE_CHECKING:
    from scoring.cache import EmbeddingCache


class UnknownJudge(ScoringError):  # noqa: N818 - named as the fault is spoken of
    """A judge that the catalogue does not list."""

    code = "unknown-judge"


class JudgeUnavailable(ScoringError):  # noqa: N818
    """A judge whose weights or code are not here; the message says how to get them."""

    code = "judge-unavailable"


class JudgeDrifted(ScoringError):  # noqa: N818
    """A judge that is not the one the catalogue names: other weights, pooling or numbers."""

    code = "judge-drifted"


class JudgeFailed(ScoringError):  # noqa: N818
    """A judge that broke while it worked; no number may be made of what it returned."""

    code = "judge-failed"


class Embeddings(Vectors, Protocol):
    """Vectors with what a reader must know of how they came about."""

    @property
    def cut(self) -> int:
        """Distinct texts longer than the judge's limit."""
        ...

    @property
    def encoded(self) -> int:
        """Distinct texts that the judge read just now; the others came from a cache."""
        ...


class EmbeddingJudge(Protocol):
    """A judge that turns texts into unit vectors."""

    @property
    def entry(self) -> Entry:
        """What the catalogue says of it."""
        ...

    def signature(self, long_text: str | None = None) -> str:
        """Everything of this judge that changes a vector: `judge:...|rev:...|max:...|...`.

        It keys the embedding cache and is part of every run's signature. `long_text` is the rule
        for texts over the limit, the entry's own when None.
        """
        ...

    def fit(self, texts: Sequence[str]) -> EmbeddingJudge:
        """The judge fitted on a release's reference sentences; itself when it needs no fit."""
        ...

    def encode(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        *,
        long_text: str | None = None,
        cache: EmbeddingCache | None = None,
    ) -> Embeddings:
        """Unit vectors of the texts, in their order; each distinct text is read once.

        Raises:
            JudgeFailed: a vector is not finite, or not even one text fits into memory.
        """
        ...

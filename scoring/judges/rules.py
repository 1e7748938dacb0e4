"""Judges without weights: rules over the letters themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scoring.judges.base import JudgeFailed
from scoring.judges.entry import Entry
from scoring.signature import digest, joined, libraries
from scoring.types import FloatArray, Progress

if TYPE_CHECKING:
    from scoring.cache import EmbeddingCache


@dataclass(frozen=True, slots=True)
class SparseVectors:
    """Unit vectors of n texts as sparse rows; `rows` says which row is whose."""

    matrix: Any
    rows: NDArray[np.int64]
    cut: int = 0
    encoded: int = 0

    def __len__(self) -> int:
        return len(self.rows)

    def cosines(self, rows: Sequence[int], columns: Sequence[int]) -> FloatArray:
        """Cosine of each text of `rows` with each of `columns`, shape (rows, columns)."""
        product = self.matrix[self.rows[rows]] @ self.matrix[self.rows[columns]].T
        dense: FloatArray = product.toarray()
        return np.clip(dense, -1.0, 1.0)


class CharTfidfJudge:
    """Character n-gram tf-idf, fitted on a release's reference sentences.

    Tokens are the 2- to 4-grams of characters inside words (padded with a space at both ends,
    lower case) that occur in at least two reference sentences; a weight is
    ``(1 + ln tf) * (1 + ln((1 + n) / (1 + df)))``; rows are L2-normalised. A text that shares no
    token with the references has a zero vector and cosine 0 with everything.
    """

    def __init__(self, entry: Entry, model: Any = None, fitted: str = "unfitted") -> None:
        self.entry = entry
        self._model = model
        self._fitted = fitted

    def signature(self, long_text: str | None = None) -> str:
        """See `EmbeddingJudge.signature`; `fit` is a digest of the sentences fitted on."""
        parts = {"judge": self.entry.name, "rev": self.entry.revision, "fit": self._fitted}
        return joined(parts | {"max": "none"} | libraries("sklearn"))

    def fit(self, texts: Sequence[str]) -> CharTfidfJudge:
        """A judge fitted on these sentences, in whatever order.

        Raises:
            JudgeFailed: no n-gram occurs in two of the sentences.
        """
        from sklearn.feature_extraction.text import TfidfVectorizer

        documents = sorted(texts)
        model = TfidfVectorizer(
            analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, min_df=2, dtype=np.float64
        )
        try:
            model.fit(documents)
        except ValueError as error:
            message = (
                f"judge {self.entry.name} cannot be fitted on {len(documents)} reference "
                "sentences: it needs at least two that share some letters"
            )
            raise JudgeFailed(message) from error
        return CharTfidfJudge(self.entry, model, digest("\n".join(documents)))

    def encode(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        *,
        long_text: str | None = None,
        cache: EmbeddingCache | None = None,
    ) -> SparseVectors:
        """See `EmbeddingJudge.encode`.

        Raises:
            JudgeFailed: the judge was not fitted.
        """
        if self._model is None:
            message = f"judge {self.entry.name} must be fitted on reference sentences first"
            raise JudgeFailed(message)
        place: dict[str, int] = {}
        rows = np.fromiter(
            (place.setdefault(text, len(place)) for text in texts), np.int64, count=len(texts)
        )
        matrix = self._model.transform(place)
        if progress is not None:
            progress(len(place), len(place))
        return SparseVectors(matrix, rows, encoded=len(place))


def load(entry: Entry) -> CharTfidfJudge:
    """The judge, not yet fitted."""
    return CharTfidfJudge(entry)

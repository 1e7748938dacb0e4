"""Judges without weights: rules over the letters themselves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.judges.base import JudgeFailed
from scoring.judges.entry import Entry
from scoring.signature import digest, joined, libraries
from scoring.types import FloatArray, Progress

if TYPE_CHECKING:
    from scoring.cache import EmbeddingCache


class SparseVectors:
    """Unit vectors of n texts, made when they are compared: a clip's at a time, so that memory does
    not grow with the submission.
    """

    cut = 0

    def __init__(self, model: Any, texts: Sequence[str], progress: Progress | None) -> None:
        self._model = model
        self._texts = texts
        self._progress = progress
        self._read: set[int] = set()
        self.encoded = len(set(texts))

    def __len__(self) -> int:
        return len(self._texts)

    def cosines(self, rows: Sequence[int], columns: Sequence[int]) -> FloatArray:
        """Cosine of each text of `rows` with each of `columns`, shape (rows, columns)."""
        places = [*rows, *columns]
        matrix = self._model.transform([self._texts[place] for place in places])
        if self._progress is not None:
            self._read.update(places)
            self._progress(min(len(self._read), self.encoded), self.encoded)
        product: FloatArray = (matrix[: len(rows)] @ matrix[len(rows) :].T).toarray()
        return np.clip(product, -1.0, 1.0)


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
        documents = tuple(sorted(texts))
        try:
            model = _fitted(documents)
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
        """See `EmbeddingJudge.encode`; counting is as fast as looking up, so `cache` is not used.

        Raises:
            JudgeFailed: the judge was not fitted.
        """
        if self._model is None:
            message = f"judge {self.entry.name} must be fitted on reference sentences first"
            raise JudgeFailed(message)
        return SparseVectors(self._model, texts, progress)


@lru_cache(maxsize=4)
def _fitted(documents: tuple[str, ...]) -> Any:
    """Kept, because every submission of a release is scored with the same fit."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    model = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, min_df=2)
    return model.fit(documents)


def load(entry: Entry) -> CharTfidfJudge:
    """The judge, not yet fitted."""
    return CharTfidfJudge(entry)

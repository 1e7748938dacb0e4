"""The engine: many texts through one encoder, each distinct text once, in well-filled batches.

Texts are deduplicated, looked up in the embedding cache, tokenised in one call, sorted by length
and cut into batches of a token budget, so that next to nothing is padded. A batch that does not
fit into memory is halved, and so is the budget of those that follow. Vectors are float32 and
L2-normalised; they come back in the order of the texts.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.judges.base import JudgeFailed
from scoring.types import FloatArray, Progress

if TYPE_CHECKING:
    from scoring.cache import EmbeddingCache

Matrix = NDArray[np.float32]
GROUP = 4096
"""Texts per group: a group is finished, checked and cached before the next begins, so that a
killed worker loses one group at most."""

IN_MEMORY = 512 * 1024 * 1024
"""Bytes of vectors that one job holds in memory."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pieces:
    """What an encoder reads: texts cut to its limit, or the windows of texts over it.

    `items` are what `forward` takes, `lengths` their sizes in tokens, `owners` the index of the
    text that each belongs to, `cut` says of each text whether it is longer than the limit.
    """

    items: Sequence[Any]
    lengths: NDArray[np.int64]
    owners: NDArray[np.int64]
    cut: NDArray[np.bool_]


class Encoder(Protocol):
    """The part of a judge that reads: tokens in, vectors out."""

    @property
    def dimension(self) -> int:
        """Numbers of one vector."""
        ...

    @property
    def budget(self) -> int:
        """Tokens of one batch, padding included."""
        ...

    def pieces(self, texts: Sequence[str], long_text: str) -> Pieces:
        """The texts as pieces within the limit, by the rule `truncate` or `windows`."""
        ...

    def forward(self, items: Sequence[Any]) -> Matrix:
        """Vectors of the pieces, shape (pieces, dimension); they need not be normalised."""
        ...


@dataclass(frozen=True)
class DenseVectors:
    """Unit vectors of n texts: `matrix` has a row per distinct text, `rows` says which is whose."""

    matrix: Matrix
    rows: NDArray[np.int64]
    cut: int = 0
    encoded: int = 0

    def __len__(self) -> int:
        return len(self.rows)

    def cosines(self, rows: Sequence[int], columns: Sequence[int]) -> FloatArray:
        """Cosine of each text of `rows` with each of `columns`, shape (rows, columns)."""
        left = self.matrix[self.rows[rows]]
        right = self.matrix[self.rows[columns]]
        # Rounding can carry the cosine of equal vectors a hair above 1.
        return np.clip((left @ right.T).astype(np.float64), -1.0, 1.0)


def encode(
    encoder: Encoder,
    texts: Sequence[str],
    *,
    signature: str,
    long_text: str,
    cache: EmbeddingCache | None = None,
    progress: Progress | None = None,
) -> DenseVectors:
    """Unit vectors of `texts`; `signature` is the judge's and keys the cache.

    `progress` is called with the number of distinct texts done and to do, after the cache was
    asked and after each batch.

    Raises:
        JudgeFailed: a vector is not finite, or one text alone does not fit into memory.
    """
    place: dict[str, int] = {}
    rows = np.fromiter(
        (place.setdefault(text, len(place)) for text in texts), np.int64, count=len(texts)
    )
    unique = list(place)
    matrix = _matrix(len(unique), encoder.dimension)
    cut = np.zeros(len(unique), np.bool_)
    missing = np.arange(len(unique))
    if cache is not None:
        missing = cache.fill(signature, unique, matrix, cut)
    job = _Job(encoder, unique, matrix, cut, len(unique) - len(missing), progress)
    job.report()
    for group in _groups(unique, missing):
        job.run(group, long_text)
        if cache is not None:
            cache.put(signature, [unique[i] for i in group], matrix[group], cut[group])
    return DenseVectors(matrix, rows, cut=int(cut.sum()), encoded=len(missing))


def _matrix(rows: int, columns: int) -> Matrix:
    """Room for vectors; a large one lies in a file without a name, so memory stays bounded."""
    if 4 * rows * columns <= IN_MEMORY:
        return np.zeros((rows, columns), np.float32)
    with tempfile.TemporaryFile() as file:
        return np.memmap(file, np.float32, "w+", shape=(rows, columns))


def _groups(texts: Sequence[str], missing: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """The missing texts, longest first (what may not fit fails at once), in groups."""
    order = np.argsort([-len(texts[i]) for i in missing], kind="stable")
    for start in range(0, len(missing), GROUP):
        yield missing[order[start : start + GROUP]]


@dataclass(slots=True)
class _Job:
    """The state of one call of `encode`."""

    encoder: Encoder
    texts: Sequence[str]
    matrix: Matrix
    cut: NDArray[np.bool_]
    done: int
    progress: Progress | None
    budget: int = 0

    def report(self) -> None:
        if self.progress is not None:
            self.progress(self.done, len(self.texts))

    def run(self, group: NDArray[np.int64], long_text: str) -> None:
        """Encode one group into the matrix: windows are averaged, vectors normalised."""
        pieces = self.encoder.pieces([self.texts[i] for i in group], long_text)
        left = np.bincount(pieces.owners, minlength=len(group))
        sums = np.zeros((len(group), self.encoder.dimension), np.float64)
        for batch, vectors in self._batches(pieces):
            owners = pieces.owners[batch]
            np.add.at(sums, owners, _unit(vectors))
            np.subtract.at(left, owners, 1)
            self.done += int((left[np.unique(owners)] == 0).sum())
            self.report()
        self.matrix[group] = _unit(sums)
        self.cut[group] = pieces.cut

    def _batches(self, pieces: Pieces) -> Iterator[tuple[NDArray[np.int64], Matrix]]:
        self.budget = self.budget or self.encoder.budget
        order = np.argsort(-pieces.lengths, kind="stable")
        start = 0
        while start < len(order):
            # Sorted by length: the first piece is the longest, all others are padded to it.
            size = max(1, self.budget // max(1, int(pieces.lengths[order[start]])))
            batch = order[start : start + size]
            vectors = self._forward([pieces.items[i] for i in batch])
            if vectors is None:
                self._halve(len(batch), int(pieces.lengths[batch[0]]))
                continue
            yield batch, vectors
            start += len(batch)

    def _forward(self, items: Sequence[Any]) -> Matrix | None:
        """The vectors, or None when they did not fit into memory."""
        try:
            vectors = self.encoder.forward(items)
        except (RuntimeError, MemoryError) as error:
            if not _is_out_of_memory(error):
                raise
            return None
        if not np.isfinite(vectors).all():
            message = "the judge returned vectors that are not finite: no score is made of them"
            raise JudgeFailed(message)
        return vectors

    def _halve(self, batch: int, longest: int) -> None:
        if batch == 1:
            message = f"a text of {longest} tokens alone does not fit into the judge's memory"
            raise JudgeFailed(message)
        self.budget = batch // 2 * longest
        log.warning("out of memory with a batch of %d: going on with %d", batch, batch // 2)


def _is_out_of_memory(error: BaseException) -> bool:
    """True for torch's OutOfMemoryError (a RuntimeError) and for allocators that only say so."""
    said = str(error).lower()
    return isinstance(error, MemoryError) or "out of memory" in said or "can't allocate" in said


def _unit(vectors: NDArray[Any]) -> NDArray[np.float64]:
    """Rows divided by their length; a zero row stays zero, and so have its cosines."""
    wide = np.asarray(vectors, np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    return unit

"""The embedding cache: vectors of texts that a judge has read before, for every later submission.

Keyed by judge signature and text, so a changed model, limit, rule or library never finds an old
vector. Vectors are kept in *segments*, files that are written once and never changed: a header,
the sorted keys, one byte per text that says whether it was cut, the matrix. That makes it safe for
any number of writers without a lock (two that encode the same text merely both keep it) and fast to
read (a few range reads per job instead of one file per text). Size is bounded by dropping the
segments that were not used for longest.

Where segments lie is a `BlobStore`: `FileStore`, or `scoring.cache_s3.S3Store` for a bucket.
"""

from __future__ import annotations

import hashlib
import itertools
import logging
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scoring.blobs import Blob, BlobStore, FileStore
from scoring.signature import digest

__all__ = ["CacheStats", "EmbeddingCache", "FileStore"]

_HEADER = struct.Struct("<4sIII")  # magic, texts, numbers of a vector, zero
_MAGIC = b"CRE1"
_GAP = 256 * 1024  # two wanted rows closer than this (bytes) are read in one go

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What the cache holds: bytes, segments, and bytes per judge signature."""

    size: int
    segments: int
    judges: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Index:
    """The keys of one segment: 128-bit text hashes in two halves, sorted by the first."""

    high: NDArray[np.uint64]
    low: NDArray[np.uint64]
    cut: NDArray[np.bool_]
    dimension: int

    @property
    def start(self) -> int:
        """Where the matrix begins."""
        return _HEADER.size + len(self.high) * 17


class EmbeddingCache:
    """Vectors by judge signature and text, in segments of a `BlobStore`.

    Args:
        store: where segments lie.
        max_bytes: bound kept after every write; None for no bound.
    """

    def __init__(self, store: BlobStore, max_bytes: int | None = None) -> None:
        self.store = store
        self.max_bytes = max_bytes
        self._indexes: dict[str, _Index] = {}

    def fill(
        self,
        signature: str,
        texts: Sequence[str],
        matrix: NDArray[np.float32],
        cut: NDArray[np.bool_],
    ) -> NDArray[np.int64]:
        """Write the known vectors into `matrix` and `cut` (a row per text).

        Returns:
            The places of the texts that are not known. A segment that is gone or unreadable counts
            as not known: the cache never fails a run.
        """
        keys = _keys(texts)
        missing = np.arange(len(texts))
        for blob in self._segments(_folder(signature)):
            if not len(missing):
                break
            try:
                found, rows, index = self._lookup(blob.name, keys[missing])
                if not len(found) or index.dimension != matrix.shape[1]:
                    continue
                matrix[missing[found]] = self._rows(blob.name, index, rows)
                self.store.touch(blob.name)
            except (OSError, ValueError, struct.error) as error:
                log.warning("embedding cache: %s cannot be read (%s)", blob.name, error)
                continue
            cut[missing[found]] = index.cut[rows]
            missing = np.delete(missing, found)
        return missing

    def put(
        self,
        signature: str,
        texts: Sequence[str],
        matrix: NDArray[np.float32],
        cut: NDArray[np.bool_],
    ) -> None:
        """Keep the vectors of these distinct texts; a failing disk is logged, never raised."""
        keys = _keys(texts)
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        body = b"".join(
            [
                _HEADER.pack(_MAGIC, len(texts), matrix.shape[1], 0),
                np.ascontiguousarray(keys[order].T, "<u8").tobytes(),
                np.ascontiguousarray(cut[order], np.bool_).tobytes(),
                np.ascontiguousarray(matrix[order], "<f4").tobytes(),
            ]
        )
        folder = _folder(signature)
        try:
            self.store.write(f"{folder}{hashlib.sha256(body).hexdigest()[:32]}.seg", body)
            self.store.write(f"{folder}signature.txt", signature.encode())
            if self.max_bytes is not None:
                self.prune(self.max_bytes)
        except OSError as error:
            log.warning("embedding cache: vectors are not kept (%s)", error)

    def prune(self, max_bytes: int) -> int:
        """Drop the segments not used for longest until at most `max_bytes` are left.

        Returns:
            The bytes freed.
        """
        blobs = sorted(self.store.blobs(), key=lambda blob: blob.used)
        excess = sum(blob.size for blob in blobs) - max_bytes
        freed = 0
        for blob in blobs:
            if freed >= excess:
                break
            if blob.name.endswith("signature.txt"):
                continue
            self.store.delete(blob.name)
            self._indexes.pop(blob.name, None)
            freed += blob.size
        return freed

    def stats(self) -> CacheStats:
        """What is held now."""
        segments = [blob for blob in self.store.blobs() if blob.name.endswith(".seg")]
        judges: dict[str, int] = {}
        for blob in segments:
            folder = blob.name.rpartition("/")[0]
            try:
                name = self.store.read(f"{folder}/signature.txt", 0, 10_000).decode()
            except FileNotFoundError:
                name = folder
            judges[name] = judges.get(name, 0) + blob.size
        return CacheStats(sum(blob.size for blob in segments), len(segments), judges)

    def _segments(self, folder: str) -> list[Blob]:
        try:
            return [blob for blob in self.store.blobs(folder) if blob.name.endswith(".seg")]
        except OSError as error:
            log.warning("embedding cache: %s cannot be listed (%s)", folder, error)
            return []

    def _lookup(
        self, name: str, keys: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], _Index]:
        """Which of the keys a segment has, and in which rows."""
        index = self._indexes.get(name) or self._read_index(name)
        self._indexes[name] = index
        rows = np.searchsorted(index.high, keys[:, 0])
        rows = np.minimum(rows, len(index.high) - 1)
        found = np.flatnonzero((index.high[rows] == keys[:, 0]) & (index.low[rows] == keys[:, 1]))
        return found, rows[found], index

    def _read_index(self, name: str) -> _Index:
        magic, texts, dimension, _ = _HEADER.unpack(self._read(name, 0, _HEADER.size))
        if magic != _MAGIC:
            message = "not a segment"
            raise ValueError(message)
        data = self._read(name, _HEADER.size, texts * 17)
        halves = np.frombuffer(data, "<u8", count=2 * texts).reshape(2, texts)
        cut = np.frombuffer(data, np.bool_, count=texts, offset=16 * texts)
        return _Index(halves[0], halves[1], cut, dimension)

    def _rows(self, name: str, index: _Index, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """These rows of the matrix, in this order; neighbours are read together."""
        found = np.empty((len(rows), index.dimension), np.float32)
        width = 4 * index.dimension
        order = np.argsort(rows, kind="stable")
        for run in _runs(rows[order], _GAP // width):
            places = order[run]
            first, last = int(rows[places[0]]), int(rows[places[-1]])
            data = self._read(name, index.start + first * width, (last - first + 1) * width)
            block = np.frombuffer(data, "<f4").reshape(-1, index.dimension)
            found[places] = block[rows[places] - first]
        return found

    def _read(self, name: str, start: int, size: int) -> bytes:
        """So many bytes; a segment that lacks some, there or on its way here, is unreadable."""
        data = self.store.read(name, start, size)
        if len(data) != size:
            message = f"{len(data)} bytes instead of {size}"
            raise OSError(message)
        return data


def _runs(rows: NDArray[np.int64], gap: int) -> Iterator[slice]:
    """Slices of the sorted rows whose neighbours lie at most `gap` rows apart."""
    breaks = np.flatnonzero(np.diff(rows) > max(1, gap)) + 1
    edges = [0, *breaks.tolist(), len(rows)]
    for start, stop in itertools.pairwise(edges):
        yield slice(start, stop)


def _folder(signature: str) -> str:
    return f"{digest(signature)}/"


def _keys(texts: Sequence[str]) -> NDArray[np.uint64]:
    """128-bit hashes of the texts as two numbers, shape (texts, 2)."""
    data = b"".join(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        for text in texts
    )
    return np.frombuffer(data, "<u8").reshape(-1, 2)

"""Paired bootstrap over clips: how much of a ranking hangs on which clips were drawn.

One index matrix serves all systems and judges. Each replicate draws as many clips as there are,
with replacement, and recomputes the means, every judge's ranks, Borda and the final places. The
work is one matrix product per chunk: counts (B x C) times scores (C x J·V).

*Same seed, same numbers.* Draws come from the raw stream of Philox, a counter-based generator
whose bits do not depend on the numpy release, read in order. Scores are rounded to a multiple of
a power of two so fine (2^-45 for 199 clips and scores up to 1) that every partial sum fits the 53
bits of a double: the product is exact, so neither the chunking nor the threads, kernels or
summation order of the linear algebra library can move a digit or break a tie.

What is shown as a score is always the statistic of the full data, never the bootstrap's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.ranking.borda import IntArray, average_ranks, fill_missing, places, tie_tolerance
from scoring.types import FloatArray, ScoringError

LEVEL = 0.95
_CHUNK_CELLS, _CHUNK_ROWS = 60_000, 200
"""A chunk's arrays should stay in the cache, yet hold rows enough for the matrix product to pay."""


@dataclass(frozen=True, slots=True)
class Replicates:
    """Places and means of every replicate.

    ``places``: (B, V) final places, 1 is best, ties share (1, 2, 2, 4). ``means``: (B, V) mean of
    the primary metric over clips and judges. ``clips``: how many clips were drawn each time.
    """

    places: NDArray[np.int32]
    means: FloatArray
    clips: int

    def rank_interval(self, level: float = LEVEL) -> tuple[IntArray, IntArray]:
        """Percentile interval of each system's place, both ends (V,), inclusive.

        Low is the smallest place that at least (1 - level)/2 of replicates reach, high the
        smallest that at least 1 - (1 - level)/2 reach. These intervals describe resampling; near
        ties they cover the true rank less often than ``level`` (see ``intervals``).
        """
        tail = (1.0 - level) / 2.0
        low, high = np.quantile(self.places, [tail, 1.0 - tail], axis=0, method="inverted_cdf")
        return low.astype(np.int64), high.astype(np.int64)

    def mean_interval(self, level: float = LEVEL) -> tuple[FloatArray, FloatArray]:
        """Percentile interval of each system's mean, both ends (V,), in units of the metric."""
        tail = (1.0 - level) / 2.0
        low, high = np.quantile(self.means, [tail, 1.0 - tail], axis=0)
        return low, high

    def first(self) -> FloatArray:
        """P(first): share of replicates in which each system has place 1 (alone or not), (V,)."""
        return np.asarray((self.places == 1).mean(axis=0), dtype=np.float64)

    def distribution(self) -> FloatArray:
        """Share of replicates in which system v has place r + 1, shape (V, V), rows sum to 1."""
        replicates, systems = self.places.shape
        cells = self.places - 1 + np.arange(systems) * systems
        counts = np.bincount(cells.ravel(), minlength=systems * systems)
        shares: FloatArray = counts.reshape(systems, systems) / max(replicates, 1)
        return shares


def draws(clips: int, replicates: int, seed: int, *, size: int | None = None) -> Draws:
    """The index matrix of a paired bootstrap, as a stream of counts.

    ``size`` clips are drawn with replacement out of ``clips`` in each replicate (default: as many
    as there are).
    """
    return Draws(clips, replicates, seed, clips if size is None else size)


@dataclass(frozen=True, slots=True)
class Draws:
    """How often each clip is drawn in each replicate, made chunk by chunk from one stream."""

    clips: int
    replicates: int
    seed: int
    size: int

    def __post_init__(self) -> None:
        if self.clips < 1 or self.replicates < 0 or self.seed < 0 or self.size < 1:
            raise ScoringError(
                "a bootstrap needs at least one clip, and replicates and a seed that are not "
                f"negative; got {self.clips} clips, {self.replicates} replicates, seed {self.seed}"
            )

    def counts(self, chunk: int) -> Iterator[FloatArray]:
        """Counts of ``chunk`` replicates at a time, shape (n, C); each row sums to ``size``."""
        stream = np.random.Philox(key=self.seed)
        words = -(-self.size // 2)
        for start in range(0, self.replicates, chunk):
            rows = min(chunk, self.replicates - start)
            # Each 64-bit word gives two draws: 32 random bits times C, shifted. Uniform to within
            # C/2^32 and without rejection, so that every replicate reads the same number of words.
            raw = stream.random_raw(rows * words).astype("<u8", copy=False).view("<u4")
            drawn = raw.reshape(rows, -1)[:, : self.size].astype(np.uint64)
            drawn *= np.uint64(self.clips)
            drawn >>= np.uint64(32)
            cells = drawn.view(np.int64)
            cells += (np.arange(rows) * self.clips)[:, None]
            counts = np.bincount(cells.reshape(-1), minlength=rows * self.clips)
            yield counts.reshape(rows, self.clips).astype(np.float64)


def bootstrap(
    scores: FloatArray,
    *,
    replicates: int = 1000,
    seed: int = 0,
    size: int | None = None,
    chunk: int | None = None,
    break_ties: bool = True,
) -> Replicates:
    """Resample clips and rank again, ``replicates`` times.

    Args:
        scores: (V, J, C) primary metric, higher is better. A judge that misses a system has NaN on
            all of its clips; such a cell ranks last on that judge in every replicate.
        seed: not negative; the first B replicates of a seed are the same whatever B is.
        size: clips per replicate (default C).
        chunk: replicates worked on at a time; changes memory and time only.
        break_ties: order equal Borda totals by mean over judges, as the table does.
    """
    systems, judges, clips = scores.shape
    if replicates and systems and judges and clips:
        exact, noise = exact_for_sums(fill_missing(scores), clips if size is None else size)
    else:
        return Replicates(np.ones((0, systems), np.int32), np.zeros((0, systems)), clips)
    stream = draws(clips, replicates, seed, size=size)
    matrix = np.ascontiguousarray(exact.transpose(2, 1, 0).reshape(clips, judges * systems))
    found_places = np.empty((replicates, systems), dtype=np.int32)
    found_means = np.empty((replicates, systems))
    rows = chunk or max(_CHUNK_ROWS, _CHUNK_CELLS // max(judges * systems, clips))
    start = 0
    for counts in stream.counts(rows):
        means = product(counts, matrix).reshape(-1, judges, systems) / stream.size
        ranks = average_ranks(means, noise)
        # Judges are added one after another: numpy may regroup a sum over an axis, and the mean
        # over judges is the one sum here that is not exact.
        over_judges, total = means[:, 0].copy(), -ranks[:, 0]
        for judge in range(1, judges):
            over_judges += means[:, judge]
            total -= ranks[:, judge]
        over_judges /= judges
        end = start + len(counts)
        found_places[start:end] = places(total, over_judges if break_ties else None, noise)
        found_means[start:end] = over_judges
        start = end
    return Replicates(found_places, found_means, clips)


def product(counts: FloatArray, matrix: FloatArray) -> FloatArray:
    """``counts @ matrix``; for a small matrix in slices that the linear algebra library does alone.

    OpenBLAS wakes its threads from 2^18 multiplications on. That small a product gains nothing from
    them, and on a busy machine waits for the slowest. ``matrix`` is (C, n), the result (B, n).
    """
    rows = 2**18 // max(matrix.size, 1)
    if rows < 4:
        return counts @ matrix
    made = np.empty((len(counts), matrix.shape[1]))
    for start in range(0, len(counts), rows):
        np.matmul(counts[start : start + rows], matrix, out=made[start : start + rows])
    return made


def exact_for_sums(scores: FloatArray, drawn: int) -> tuple[FloatArray, float]:
    """Scores rounded so that any sum of ``drawn`` of them is exact, and the noise this allows.

    The step is 2^(e - 53 + b), where every |score| is at most 2^e (e >= 0, so that adding a
    system does not move the others' last digits) and ``drawn`` at most 2^b.
    """
    largest = max(1.0, float(np.abs(scores).max(initial=0.0)))
    step = 2.0 ** (math.ceil(math.log2(largest)) - 53 + math.ceil(math.log2(drawn)))
    return np.round(scores / step) * step, max(tie_tolerance(scores), 2.0 * step)

"""What the scores of single clips say of clips and systems, in one pass over the whole matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.ranking import nearest
from scoring.types import FloatArray

ALIKE = 5
QUARTERS = (0, 0.25, 0.5, 0.75, 1)
HALVES = ("coarse", "fine_f1")


@dataclass(frozen=True, slots=True)
class ClipNumbers:
    """Of V systems on C clips, the primary metric as its mean over judges.

    ``positions``: where the clips stand in the release. ``everybody``, ``deviation``, ``lowest``
    and ``highest``: over the systems that have every judge; ``best``: which one is the highest.
    A system's ``means``, ``quarters`` (lowest, quartiles, highest: (V, 5)) and ``halves``
    (coarse, fine: (V, 2); empty where the protocol has none) are over the clips; NaN where it
    lacks a judge. ``near`` and ``alike``: the systems most like it, see ``scoring.nearest``.
    """

    positions: NDArray[np.int64]
    everybody: FloatArray
    deviation: FloatArray
    lowest: FloatArray
    highest: FloatArray
    best: NDArray[np.int64]
    means: FloatArray
    quarters: FloatArray
    halves: FloatArray
    near: NDArray[np.int64]
    alike: FloatArray

    def arrays(self) -> dict[str, NDArray[Any]]:
        """By name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def whole(self) -> NDArray[np.int64]:
        """The systems that have every judge, (n,)."""
        return np.flatnonzero(np.isfinite(self.means))


def clip_numbers(
    arrays: Mapping[str, FloatArray],
    primary: str,
    positions: NDArray[np.int64],
    *,
    alike: int = ALIKE,
) -> ClipNumbers | None:
    """From metric to (V, J, C), NaN where a judge is missing and on clips that do not count.

    None where no system has every judge, or nothing counts.
    """
    if not arrays[primary].size:
        return None
    values = np.ascontiguousarray(arrays[primary]).mean(axis=1)
    counts: NDArray[np.bool_] = np.asarray(np.isfinite(values).any(axis=0))
    if not counts.all():
        values = values[:, counts]
    whole: NDArray[np.bool_] = np.asarray(np.isfinite(values).all(axis=1))
    rows = np.flatnonzero(whole)
    if not rows.size or not values.shape[1]:
        return None
    # How numpy sums depends on how the numbers lie: the same digits, whoever computes them.
    kept = np.ascontiguousarray(values if whole.all() else values[rows])
    near, likeness = nearest(kept, alike)
    return ClipNumbers(
        positions=positions[counts],
        everybody=kept.mean(axis=0),
        deviation=kept.std(axis=0),
        lowest=kept.min(axis=0),
        highest=kept.max(axis=0),
        best=rows[kept.argmax(axis=0)],
        means=_spread_out(kept.mean(axis=1), whole),
        quarters=_spread_out(np.quantile(kept, QUARTERS, axis=1).T, whole),
        halves=_halves(arrays, counts, whole),
        near=_spread_out(np.where(near < 0, -1, rows[near]), whole, nothing=-1),
        alike=_spread_out(likeness, whole),
    )


def _halves(
    arrays: Mapping[str, FloatArray], counts: NDArray[np.bool_], whole: NDArray[np.bool_]
) -> FloatArray:
    if not arrays.keys() >= set(HALVES):
        return np.empty((0, 2))
    found = []
    for metric in HALVES:
        values = arrays[metric] if counts.all() else arrays[metric][:, :, counts]
        values = np.ascontiguousarray(values if whole.all() else values[whole])
        found.append(values.mean(axis=(1, 2)))
    return _spread_out(np.stack(found, axis=1), whole)


def _spread_out(
    values: NDArray[Any], whole: NDArray[np.bool_], nothing: float = np.nan
) -> NDArray[Any]:
    """One row for each system, ``nothing`` in those that are not ``whole``."""
    found = np.full((len(whole), *values.shape[1:]), nothing, dtype=values.dtype)
    found[whole] = values
    return found

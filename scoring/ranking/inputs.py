"""What a table may be made of: names and arrays that fit, clips that count for everybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from scoring.types import FloatArray, ScoringError


def checked(
    systems: Sequence[str],
    judges: Sequence[str],
    metrics: Mapping[str, FloatArray],
    primary: str,
    *,
    axes: int,
) -> dict[str, FloatArray]:
    """``metrics`` as float64 of shape (V, J) or (V, J, C), infinities turned into NaN.

    Raises:
        ScoringError: a system or judge named twice, an array of another shape, no ``primary``.
    """
    for what, names in (("system", systems), ("judge", judges)):
        twice = sorted(name for name, times in Counter(names).items() if times > 1)
        if twice:
            raise ScoringError(f"each {what} is ranked once, but {', '.join(twice)} comes twice")
    if not systems:
        empty: FloatArray = np.zeros((0, len(judges), 0)[:axes])
        return dict.fromkeys([*metrics] or [primary], empty)
    if primary not in metrics:
        raise ScoringError(
            f"no metric named {primary!r} to rank by; there are {', '.join(metrics) or 'none'}"
        )
    arrays = {}
    for name, values in metrics.items():
        array = np.asarray(values, dtype=np.float64)
        if array.ndim != axes or array.shape[:2] != (len(systems), len(judges)):
            raise ScoringError(
                f"metric {name!r} has shape {array.shape} for {len(systems)} systems and "
                f"{len(judges)} judges"
            )
        # Copied only where there is something to change: a large board's arrays are gigabytes.
        infinite = np.isinf(array)
        arrays[name] = np.where(infinite, np.nan, array) if infinite.any() else array
    if len({array.shape for array in arrays.values()}) > 1:
        raise ScoringError("all metrics must be given on the same clips")
    return arrays


def shared_clips(arrays: Mapping[str, FloatArray], primary: str) -> dict[str, FloatArray]:
    """The arrays without the clips on which nobody has the primary metric (excluded clips)."""
    if arrays[primary].size == 0:
        return dict(arrays)
    kept = np.isfinite(arrays[primary]).any(axis=(0, 1))
    if kept.all():
        return dict(arrays)
    return {name: values[:, :, kept] for name, values in arrays.items()}


def over_clips(scores: FloatArray) -> FloatArray:
    """(V, J) means over all clips; NaN where one clip is NaN or there is none."""
    if scores.shape[2] == 0:
        return np.full(scores.shape[:2], np.nan)
    return np.asarray(scores.mean(axis=2), dtype=np.float64)


def over_present(scores: FloatArray) -> FloatArray:
    """(V, J) means over the clips that have a value; NaN where none has."""
    known = np.isfinite(scores)
    count = known.sum(axis=2)
    sums = np.where(known, scores, 0.0).sum(axis=2)
    return np.where(count > 0, sums / np.maximum(count, 1), np.nan)


def blank_missing(scores: FloatArray) -> FloatArray:
    """``scores`` with NaN on every clip of a (system, judge) that has a NaN on any of them.

    A mean over fewer clips than the others' is no mean to rank by.
    """
    whole = np.isfinite(scores).all(axis=2, keepdims=True)
    return np.where(whole, scores, np.nan)

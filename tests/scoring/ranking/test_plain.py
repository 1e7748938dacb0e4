"""Values as strict JSON data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from scoring.ranking.plain import plain


@dataclass(frozen=True)
class Inner:
    values: np.ndarray


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float("nan"), None),
        (float("-inf"), None),
        (np.float64("nan"), None),
        (np.array([[1.0, np.nan], [np.inf, 2.0]]), [[1.0, None], [None, 2.0]]),
        (np.array([True, False]), [True, False]),
        (np.int64(3), 3),
        ({"a": (1, "x", None)}, {"a": [1, "x", None]}),
        (Inner(np.array([1, 2])), {"values": [1, 2]}),
    ],
)
def test_plain(value: object, expected: object) -> None:
    found = plain(value)
    assert found == expected
    assert type(found) is type(expected)

"""What tables compute, kept by everything that it follows from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeVar, cast

from django.core.cache import cache

DAY = 24 * 3600
T = TypeVar("T")


def kept_by(what: str, content: object, compute: Callable[[], T], *, seconds: int = DAY) -> T:
    """``compute()``, or what it gave for the same ``what`` and ``content`` in the last ``seconds``.

    ``content`` is told apart by its ``repr``: everything that the outcome follows from.
    """
    digest = hashlib.sha256(repr(content).encode()).hexdigest()
    return cast("T", cache.get_or_set(f"{what}:{digest}", compute, seconds))

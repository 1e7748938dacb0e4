"""The embedding cache: vectors of texts that a judge has read before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class EmbeddingCache(Protocol):
    """Vectors by judge signature and text."""

    def fill(
        self,
        signature: str,
        texts: Sequence[str],
        matrix: NDArray[np.float32],
        cut: NDArray[np.bool_],
    ) -> NDArray[np.int64]:
        """Write known vectors into the rows of `matrix`; return the places of the unknown."""
        ...

    def put(
        self,
        signature: str,
        texts: Sequence[str],
        matrix: NDArray[np.float32],
        cut: NDArray[np.bool_],
    ) -> None:
        """Keep the vectors of these texts."""
        ...

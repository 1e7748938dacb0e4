"""The nouns that every part of the scoring library speaks of (DESIGN section 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scoring.diagnostics import Diagnosis

FloatArray = NDArray[np.float64]
Severity = Literal["error", "warning"]
Progress = Callable[[int, int], None]
"""``progress(done, total)`` is called from time to time while a judge works; units are texts."""


class ScoringError(Exception):
    """Anything that keeps a number from being computed. The message is fit for a submitter."""

    code = "scoring-error"


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault (or remark) found in an upload.

    ``code`` is a stable kebab-case word (``duplicate-clip``), ``message`` says what is wrong and
    what to do about it, ``where`` is a line (``line 3``), a key or a field, ``clip`` the clip id.
    """

    code: str
    message: str
    where: str = ""
    clip: str = ""
    severity: Severity = "error"

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class Checked:
    """What was read from a file, with every problem that was found in it."""

    __slots__ = ()
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that forbid scoring."""
        return tuple(p for p in self.problems if p.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The problems that are shown, stored and tolerated."""
        return tuple(p for p in self.problems if p.severity == "warning")

    @property
    def ok(self) -> bool:
        """True when the file may be scored."""
        return not self.errors


@dataclass(frozen=True, slots=True)
class Upload(Checked):
    """What a reader made of one uploaded file: one text per clip, and every problem at once.

    ``positions`` says where each clip was seen, also those whose text was refused. ``encoding`` is
    empty when the file could not be read as text, ``inside`` the name within an archive.
    ``diagnosis`` is what the texts show by themselves, once they have been looked at.
    """

    format: str
    descriptions: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    positions: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    inside: str = ""
    diagnosis: Diagnosis | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A text that describes a clip; several per clip are allowed."""

    text: str
    language: str = "en"
    kind: str = "long"


References = Mapping[str, Sequence[Reference]]
"""Clip id -> its references, in the release's clip order."""


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """What one judge made of one submission under one protocol: a run's whole outcome.

    ``metrics`` maps a metric's name to one value per clip of ``clips``: float64, finite, or NaN
    where the metric is not defined on a clip, whoever the system (no subject to follow, say).
    ``evidence`` maps a clip id to JSON-ready data that shows where the values come from.
    ``counts`` holds what a reader must know beside the numbers (texts cut, empty descriptions).
    ``failures`` maps a clip that the judge failed on to the reason, in words that quote no text;
    its values are NaN, so every mean is NaN too: the run is incomplete, and no number stands in.
    ``undefined`` maps a metric that has no values here to the reason (its language, too few clips).
    """

    judge: str
    signature: str
    clips: tuple[str, ...]
    metrics: Mapping[str, FloatArray]
    evidence: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)
    undefined: Mapping[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """True when the judge failed on no clip, so that the means are numbers."""
        return not self.failures

    def mean(self) -> dict[str, float]:
        """Mean of every metric over the clips it is defined on, full precision.

        NaN where the judge failed on a clip, or where no clip has the metric.
        """
        failed = np.array([clip in self.failures for clip in self.clips], np.bool_)
        return {name: _mean(values, failed) for name, values in self.metrics.items()}


def _mean(values: FloatArray, failed: NDArray[np.bool_]) -> float:
    counted = values[~np.isnan(values) | failed]
    return float(np.mean(counted)) if len(counted) else float("nan")


class Vectors(Protocol):
    """L2-normalised embeddings of n texts, dense or sparse, looked at through cosines only."""

    def __len__(self) -> int: ...

    def cosines(self, rows: Sequence[int], columns: Sequence[int]) -> FloatArray:
        """Cosine of each text of ``rows`` with each of ``columns``, shape (rows, columns)."""
        ...

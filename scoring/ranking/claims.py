"""What a ranking says of two systems, in words that claim no more than was tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.ranking.intervals import RankSets
from scoring.types import FloatArray


@dataclass(frozen=True, slots=True)
class Claim:
    """Two systems, the higher placed one first.

    ``above`` is the share of resamples that put ``first`` above ``second``; ``separable`` whether
    the simultaneous confidence sets (of ranks by mean) tell them apart at ``level``.
    """

    first: str
    second: str
    above: float
    separable: bool
    level: float

    @property
    def text(self) -> str:
        """One sentence for a reader."""
        said = f"{self.first} is above {self.second} in {_percent(self.above)} of resamples"
        verb = "are separable" if self.separable else "are not separable"
        return f"{said}; by mean score they {verb} at {self.level:.0%}."


def claim(names: Sequence[str], pair: tuple[int, int], above: FloatArray, sets: RankSets) -> Claim:
    """The claim on the systems with the two indices of ``pair``, the higher placed one first."""
    a, b = pair
    separable = bool(sets.above[a, b] or sets.above[b, a])
    return Claim(names[a], names[b], float(above[a, b]), separable, sets.level)


def neighbour_claims(names: Sequence[str], above: FloatArray, sets: RankSets) -> tuple[Claim, ...]:
    """One claim for each two neighbours of a table listed best first."""
    return tuple(claim(names, (a, a + 1), above, sets) for a in range(len(names) - 1))


def _percent(share: float) -> str:
    """A percentage that says 0% or 100% only when it is so."""
    if 0.0 < share < 0.005:
        return "less than 1%"
    if 0.995 <= share < 1.0:
        return "more than 99%"
    return f"{share:.0%}"

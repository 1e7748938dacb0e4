"""What a comparison of systems is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from leaderboard.models import Provenance, Ranking, Track
from leaderboard.tables.chosen import signatures_of
from scoring.ranking import Comparison as Compare
from scoring.signature import digest, joined, release
from scoring.types import FloatArray

VERSION = "compare.1"
REPLICATES = 1000  # where a track asks for none: a difference without an interval says little
FARTHEST = 8


@dataclass(frozen=True, slots=True)
class Gap:
    """The first system less the second. ``low`` and ``high``: 95% percentile interval over
    resampled clips; ``p_holm``: paired t, adjusted for all pairs that are looked at; ``wins``,
    ``ties``, ``losses``: numbers of clips. None where it cannot be known.
    """

    difference: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_holm: float | None = None
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None

    @property
    def is_clear(self) -> bool:
        """Whether the adjusted p-value is at most 0.05."""
        return self.p_holm is not None and self.p_holm <= 0.05


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of the systems, by their places in ``Comparison.systems``."""

    first: int
    second: int
    overall: Gap
    parts: tuple[Gap | None, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """A system with its mean, over judges or tests, and each one's."""

    slug: str
    name: str
    rank: int | None
    mean: float | None
    by_part: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A clip, and what each system reaches on it: the mean over judges."""

    key: str
    title: str
    values: tuple[float, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return self.title or self.key


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems, every two of them, and the clips that they were compared on.

    ``parts`` are titles of judges, or of tests where ``of_tests``. ``clips`` is None where nothing
    is known clip by clip. ``left_out``: systems that lack a part, with the parts they lack.
    """

    metric: str
    parts: tuple[str, ...]
    systems: tuple[Compared, ...]
    pairs: tuple[Pair, ...]
    left_out: tuple[tuple[str, tuple[str, ...]], ...] = ()
    lines: tuple[Line, ...] = ()
    clips: int | None = None
    of_clips: int | None = None
    replicates: int = 0
    signature: str = ""
    of_tests: bool = False

    @property
    def title(self) -> str:
        """The systems' names, as one says them."""
        *others, last = [system.name for system in self.systems] or [""]
        return f"{', '.join(others)} and {last}" if others else last

    @property
    def of_pairs(self) -> list[tuple[Compared, Compared, Pair]]:
        """The pairs with both systems."""
        return [(self.systems[pair.first], self.systems[pair.second], pair) for pair in self.pairs]

    @property
    def has_intervals(self) -> bool:
        """False for printed means."""
        return any(pair.overall.low is not None for pair in self.pairs)


@dataclass(frozen=True, slots=True)
class Farthest:
    """A clip on which two systems differ, with the value of each."""

    line: Line
    first: float
    second: float

    @property
    def difference(self) -> float:
        """The first less the second."""
        return self.first - self.second


@dataclass(frozen=True, slots=True)
class Focus:
    """Two systems looked at clip by clip, and their places among those compared.

    ``ahead`` and ``behind``: the clips where the first is farthest above and below the second, the
    farthest first.
    """

    first: Compared
    second: Compared
    places: tuple[int, int]
    ahead: tuple[Farthest, ...]
    behind: tuple[Farthest, ...]


def focus(found: Comparison, first: str, second: str) -> Focus | None:
    """The two systems asked for, else the first two; None where clips are not known."""
    if not found.lines or len(found.systems) < 2:
        return None
    places = {system.slug: at for at, system in enumerate(found.systems)}
    a, b = places.get(first, 0), places.get(second, 1)
    if a == b:
        a, b = 0, 1
    made = (Farthest(line, line.values[a], line.values[b]) for line in found.lines)
    gaps = sorted(made, key=lambda one: one.difference)
    return Focus(
        first=found.systems[a],
        second=found.systems[b],
        places=(a, b),
        ahead=tuple(one for one in gaps[: -FARTHEST - 1 : -1] if one.difference > 0),
        behind=tuple(one for one in gaps[:FARTHEST] if one.difference < 0),
    )


def replicates_of(track: Track) -> int:
    """How often clips are drawn again for an interval."""
    return track.bootstrap_replicates or REPLICATES


def signature_of(ranking: Ranking, judges: Sequence[str], clips: str = "") -> str:
    """How the numbers were made; of printed ones, the ranking's own signature stands for them."""
    if ranking.provenance == Provenance.REPORTED:
        return ranking.signature
    track = ranking.track
    parts = {
        "compare": VERSION,
        "primary": track.primary_metric,
        "judges": ",".join(judges),
        "replicates": str(replicates_of(track)),
        "seed": str(track.bootstrap_seed),
        "runs": digest("\n".join(sorted(set(signatures_of(ranking, judges))))),
    }
    return f"cliprank:{release()}|{joined(parts | ({'clips': clips} if clips else {}))}"


def gaps_between(found: Compare, low: FloatArray, high: FloatArray) -> dict[tuple[int, int], Gap]:
    """The library's matrices as values: (a, b) with a < b to the gap between them."""
    return {
        (a, b): Gap(
            difference=float(found.difference[a, b]),
            low=known(low[a, b]),
            high=known(high[a, b]),
            p=known(found.p[a, b]),
            p_holm=known(found.p_holm[a, b]),
            wins=round(found.wins[a, b] * found.clips),
            ties=round(found.ties[a, b] * found.clips),
            losses=round(found.losses[a, b] * found.clips),
        )
        for a, b in combinations(range(len(found.difference)), 2)
    }


def total(counts: Sequence[int | None]) -> int:
    """The sum of what is known."""
    return sum(count or 0 for count in counts)


def known(value: float) -> float | None:
    """None in place of NaN."""
    return None if math.isnan(value) else float(value)

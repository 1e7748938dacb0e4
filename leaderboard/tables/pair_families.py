"""Pair tests by family, against chance and people; and the pairs that most systems get wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from leaderboard.models import CaptionPair, Provenance, Ranking, Track
from leaderboard.pipeline import bridge_pairs
from leaderboard.pipeline.rank_rows import mark_of
from leaderboard.tables.keeping import kept_by
from leaderboard.tables.labels import judge_title, metric_title
from scoring.protocols.pair_metrics import CHANCE, IVAT_METRICS
from scoring.protocols.pair_tests import FAMILIES

TITLES = {
    "agent": "Agents",
    "action": "Actions",
    "chronology": "Chronology",
    "control": "Control",
    "association": "Association within a video",
}
MOST_SYSTEMS = 50
HARDEST = 12


@dataclass(frozen=True, slots=True)
class Test:
    """A column: a test under a metric, and what random answers reach."""

    __test__ = False  # not a test case, whatever pytest makes of the name

    test: str
    metric: str
    title: str
    chance: float


@dataclass(frozen=True, slots=True)
class Cell:
    """An accuracy, unanswered pairs counted as wrong, with its 95% Wilson interval if there is
    one. ``unsure``: the interval reaches down to chance.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A system; people and chance of a paper are ``reference``, outside the ranking."""

    name: str
    reference: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """Tests that ask for the same thing, for the first ``lines`` of ``of_systems``."""

    key: str
    title: str
    tests: tuple[Test, ...]
    lines: tuple[Line, ...]
    of_systems: int

    @property
    def is_cut(self) -> bool:
        """True when the table ends before the systems do, and has to say so."""
        return len(self.lines) < self.of_systems


@dataclass(frozen=True, slots=True)
class Hard:
    """A pair, and how many of the systems that were asked got it wrong."""

    pair: CaptionPair
    title: str
    wrong: int
    asked: int


def families(ranking: Ranking, metric: str) -> tuple[Family, ...]:
    """The tests of each family that any system has, by ``metric``; association by its own metrics.

    People and chance as papers report them stand first, then systems as ranked.
    """
    if ranking.track.protocol != Track.Protocol.PAIRS:
        return ()
    rows = [row for row in ranking.rows if row.get("tests") and not row.get("withdrawn")]
    shown = sorted(rows, key=lambda row: not row.get("reference"))[:MOST_SYSTEMS]
    asked = "classic" if metric in IVAT_METRICS else metric
    found = []
    for key, tests in FAMILIES.items():
        metrics = IVAT_METRICS if key == "association" else (asked,)
        wanted = [(test, m) for test in tests for m in metrics if _has(shown, test, m)]
        if wanted:
            found.append(_family(key, wanted, shown, len(rows)))
    return tuple(found)


def _has(rows: Sequence[Mapping[str, Any]], test: str, metric: str) -> bool:
    return any(metric in row["tests"].get(test, {}) for row in rows)


def _family(
    key: str,
    wanted: Sequence[tuple[str, str]],
    rows: Sequence[Mapping[str, Any]],
    of_systems: int,
) -> Family:
    columns = tuple(
        Test(test, m, metric_title(m) if key == "association" else judge_title(test), CHANCE[m])
        for test, m in wanted
    )
    lines = tuple(
        Line(
            row["name"],
            bool(row.get("reference")),
            tuple(_cell(row["tests"].get(one.test, {}).get(one.metric)) for one in columns),
        )
        for row in rows
    )
    return Family(key, TITLES.get(key, key), columns, lines, of_systems)


def _cell(accuracy: Mapping[str, Any] | None) -> Cell:
    """The interval belongs to the answered pairs: it stands only where all were answered."""
    if accuracy is None:
        return Cell(None)
    value, interval = accuracy["of_all"], accuracy["wilson"]
    if interval is None or accuracy["value"] != value:
        return Cell(value)
    low, high = interval
    return Cell(value, low, high, unsure=low <= accuracy["chance"])


def hardest(ranking: Ranking, metric: str) -> tuple[Hard, ...]:
    """The pairs that more than half of the systems get wrong, the worst first; a few of them.

    Only of a verified ranking: papers do not report single pairs.
    """
    if ranking.provenance != Provenance.VERIFIED or ranking.track.protocol != Track.Protocol.PAIRS:
        return ()
    content = (ranking.content, metric)
    found = kept_by("hardest-pairs", content, lambda: _wrong(ranking, metric))
    pairs = CaptionPair.objects.filter(release=ranking.track.release_id, position__in=found)
    made = [
        Hard(pair, judge_title(pair.test_name), *found[pair.position])
        for pair in pairs.select_related("clip")
    ]
    return tuple(sorted(made, key=lambda one: (-one.wrong / one.asked, one.pair.position)))


def _wrong(ranking: Ranking, metric: str) -> dict[int, tuple[int, int]]:
    """Position to systems that got the pair wrong and systems asked, of the hardest pairs."""
    placed = [entry for entry in ranking.inputs["entries"] if not mark_of(entry)]
    given = bridge_pairs.answered([(entry["system"], entry["runs"]) for entry in placed])
    vectors = [one.values[metric] for one in given if metric in one.values]
    tests = bridge_pairs.scored_positions(ranking.track.release)
    if not vectors or not tests:
        return {}
    size = min(map(len, vectors))
    values = np.stack([vector[:size] for vector in vectors])
    asked = np.isfinite(values).sum(axis=0)
    wrong = (values < 1).sum(axis=0)
    positions = np.sort(np.concatenate(list(tests.values())))
    most = [int(at) for at in positions if at < size and 2 * wrong[at] > asked[at]]
    most.sort(key=lambda at: (-wrong[at] / asked[at], at))
    return {at: (int(wrong[at]), int(asked[at])) for at in most[:HARDEST]}

"""A ranking computed anew for what a reader has chosen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from django.core.exceptions import BadRequest
from numpy.typing import NDArray

from leaderboard.models import Provenance, Ranking, Track
from leaderboard.pipeline import bridge
from leaderboard.pipeline.rank_rows import BESIDE, Row, Table, mark_of, ranked
from leaderboard.tables.choice import Choice
from leaderboard.tables.keeping import kept_by
from scoring.ranking import rank_means, rank_sets
from scoring.types import FloatArray

# Confidence sets compare every two systems: beyond this many a page would have to wait.
MOST_SETS = 100
# Read for each metric of a board that is ranked anew for a page. Beyond it that takes minutes and
# gigabytes, which belong to a worker.
MOST_VALUES = 10_000_000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scores:
    """What a choice leaves of a ranking's numbers: metric to (systems, judges, clips), or to
    (systems, judges) for reported means. ``clips`` of ``of_clips`` count, and stand at
    ``positions`` of the release; None for means.
    """

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    arrays: dict[str, FloatArray]
    clips: int | None
    of_clips: int | None
    positions: tuple[int, ...] = ()

    @property
    def clip_positions(self) -> NDArray[np.int64]:
        """``positions`` as an array."""
        return np.array(self.positions, np.int64)


def can_choose(track: Track) -> bool:
    """Pair tests are ranked by tests, not by clips: their tables are shown as computed."""
    return track.protocol != Track.Protocol.PAIRS


def kept(ranking: Ranking, choice: Choice, what: str, compute: Callable[[], T]) -> T:
    """``compute()``, or what it gave for the same ranking and choice before."""
    return kept_by(what, (ranking.content, choice), compute)


def competing(ranking: Ranking, choice: Choice) -> tuple[str, ...]:
    """The systems of a choice that compete for a place, by slug; no score is read for it."""
    reported = ranking.provenance == Provenance.REPORTED
    rows = ranking.rows if reported else ranking.inputs["entries"]
    return tuple(row["system"] for row in rows if _wanted(row, choice, "", None))


def scores_of(
    ranking: Ranking,
    choice: Choice,
    *,
    mark: str = "",
    systems: Collection[str] | None = None,
    on_page: bool = True,
) -> Scores:
    """The numbers behind ``ranking``, cut down to the choice.

    They are those of the systems that compete for a place, or of the rows with a ``mark``; where
    ``systems`` are named, theirs alone, whatever their marks. On a page too many are refused.
    """
    track = ranking.track
    judges = choice.judges or tuple(track.judges)
    if ranking.provenance == Provenance.REPORTED:
        rows = [row for row in ranking.rows if _wanted(row, choice, mark, systems)]
        return _reported(rows, judges)
    entries = ranking.inputs["entries"]
    entries = [entry for entry in entries if _wanted(entry, choice, mark, systems)]
    clips = list(track.release.clips.scored())
    if on_page:
        _refuse_too_many(len(entries), len(judges), len(clips))
    counted = np.isin([clip.position for clip in clips], bridge.counted(track))
    wanted = counted & np.array([choice.includes(clip) for clip in clips], dtype=bool)
    runs = [entry["runs"] for entry in entries]
    arrays = bridge.score_arrays(track, runs, judges=judges, wanted=wanted)
    return Scores(
        systems=tuple(entry["system"] for entry in entries),
        judges=judges,
        arrays=arrays,
        clips=int(wanted.sum()),
        of_clips=int(counted.sum()),
        positions=tuple(
            clip.position for clip, counts in zip(clips, wanted, strict=True) if counts
        ),
    )


def too_many(systems: int, judges: int, clips: int) -> bool:
    """Whether a page would read more scores than it may, of each metric."""
    return systems * judges * clips > MOST_VALUES


def _refuse_too_many(systems: int, judges: int, clips: int) -> None:
    """Raises ``BadRequest``, whose sentence the page shows."""
    if too_many(systems, judges, clips):
        raise BadRequest(
            f"This would rank {systems * judges * clips:,} scores of clips anew, more than the "
            f"{MOST_VALUES:,} that a page waits for. Choose some of the systems, too: a family, an "
            "organisation, a size."
        )


def _wanted(row: Row, choice: Choice, mark: str, systems: Collection[str] | None) -> bool:
    if systems is not None:
        return row["system"] in systems
    return mark_of(row) == mark and choice.has_system(row["system"])


def _reported(rows: Sequence[Row], judges: Sequence[str]) -> Scores:
    """Means as they stand in the ranking's own rows."""
    metrics = sorted({m for row in rows for scores in row["judges"].values() for m in scores})
    arrays = {
        metric: np.array(
            [
                [_number(row["judges"].get(judge, {}).get(metric)) for judge in judges]
                for row in rows
            ],
            dtype=np.float64,
        ).reshape(len(rows), len(judges))
        for metric in metrics
    }
    return Scores(tuple(row["system"] for row in rows), tuple(judges), arrays, None, None)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def chosen(ranking: Ranking, choice: Choice, scores: Scores | None = None) -> dict[str, Any]:
    """What a ranking says under a choice, computed anew from its ``scores``: the fields that
    differ from the ranking's own, and of its ``inputs`` those that do.

    Its rows have besides, where simultaneous confidence sets are wanted and can be had,
    ``mean_rank``, ``set_low`` and ``set_high``; its inputs say how many clips count.
    """
    scores = scores or scores_of(ranking, choice)
    table = _table(ranking, scores)
    for mark in sorted({mark_of(row) for row in ranking.rows} - {""}, key=BESIDE.index):
        marked = scores_of(ranking, choice, mark=mark)
        table = table.beside(_table(ranking, marked).rows, mark)
    sets = _sets(ranking, scores, table) if choice.interval == "simultaneous" else {}
    known = {row["system"]: _kept_of(row, scores, choice) for row in ranking.rows}
    rows = [
        row | known[row["system"]] | sets.get(row["system"], {})
        for row in table.rows
        if row["system"] in known
    ]
    words = choice.clip_words
    return {
        "rows": rows,
        "agreement": table.agreement,
        "signature": table.signature + (f"|clips:{words}" if words else "") + _among(choice),
        "inputs": {
            "judges": list(scores.judges),
            "clips_chosen": scores.clips,
            "clips_all": scores.of_clips,
        },
    }


def _among(choice: Choice) -> str:
    """For a signature: how many systems were chosen, and a hash of which."""
    if choice.systems is None:
        return ""
    digest = hashlib.sha256("\n".join(choice.systems).encode()).hexdigest()
    return f"|systems:{len(choice.systems)}:{digest[:12]}"


def _kept_of(row: Row, scores: Scores, choice: Choice) -> Row:
    """What a row keeps under a choice: numbers by part only while all clips count."""
    found = {key: row.get(key) for key in ("name", "submission")}
    if "parts" in row and scores.clips == scores.of_clips:
        found["parts"] = {judge: row["parts"].get(judge, {}) for judge in scores.judges}
    if "other_judges" in row and not choice.narrows:
        found["other_judges"] = row["other_judges"]
    return found


def _table(ranking: Ranking, scores: Scores) -> Table:
    """The same functions that a worker calls."""
    track = ranking.track
    if scores.clips is not None:
        signatures = signatures_of(ranking, scores.judges, scores.systems)
        return ranked(track, scores.systems, scores.judges, scores.arrays, signatures)
    made = rank_means(
        scores.systems, scores.judges, scores.arrays, primary=track.primary_metric
    ).to_json()
    return Table(made["rows"], made["signature"], made["agreement"])


def signatures_of(
    ranking: Ranking, judges: Sequence[str], systems: Collection[str] | None = None
) -> list[str]:
    """Those of the runs behind the ranking, for the signature of what is computed from them."""
    those = None if systems is None else set(systems)
    return [
        signature
        for entry in ranking.inputs["entries"]
        if those is None or entry["system"] in those
        for judge, signature in entry.get("signatures", {}).items()
        if judge in judges
    ]


def _sets(ranking: Ranking, scores: Scores, table: Table) -> dict[str, dict[str, Any]]:
    """Simultaneous confidence sets of ranks by the mean over judges, for the ranked systems."""
    placed = [row["system"] for row in table.rows if row["rank"] is not None]
    if scores.clips is None or not 1 < len(placed) <= MOST_SETS:
        return {}
    rows = [scores.systems.index(system) for system in placed]
    values = scores.arrays[ranking.track.primary_metric][rows].mean(axis=1)
    track = ranking.track
    found = rank_sets(values, replicates=track.bootstrap_replicates, seed=track.bootstrap_seed)
    if found is None:
        return {}
    means = values.mean(axis=1)
    return {
        system: {
            "mean_rank": int((means > means[at]).sum()) + 1,
            "set_low": int(found.low[at]),
            "set_high": int(found.high[at]),
        }
        for at, system in enumerate(placed)
    }

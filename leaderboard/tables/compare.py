"""A few systems side by side: paired differences, overall and judge by judge.

Only what stands on the board is compared: the entries of a ranking.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from leaderboard.models import Clip, Provenance, Ranking, Track
from leaderboard.pipeline.rank_rows import Row
from leaderboard.tables.choice import Choice
from leaderboard.tables.chosen import kept, scores_of
from leaderboard.tables.compare_tests import tests_compared
from leaderboard.tables.compared import (
    Compared,
    Comparison,
    Gap,
    Line,
    Pair,
    gaps_between,
    replicates_of,
    signature_of,
)
from leaderboard.tables.labels import judge_title, metric_title
from scoring.ranking import bootstrap, compare, resampled_differences
from scoring.types import FloatArray

FEWEST, MOST = 2, 5


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks to compare. ``choices``: every system (slug, name, rank, chosen)."""

    systems: tuple[str, ...]
    choices: tuple[tuple[str, str, int | None, bool], ...]
    too_many: bool = False

    @property
    def enough(self) -> bool:
        """True where there is something to compare."""
        return len(self.systems) >= FEWEST


def asked_systems(ranking: Ranking, slugs: Sequence[str]) -> Asked:
    """The first five of ``slugs`` that stand in the ranking, in their order."""
    rows = _rows(ranking)
    known = [slug for slug in dict.fromkeys(slugs) if slug in rows]
    wanted = tuple(known[:MOST])
    return Asked(
        systems=wanted,
        choices=tuple((s, row["name"], row["rank"], s in wanted) for s, row in rows.items()),
        too_many=len(known) > MOST,
    )


def comparison(ranking: Ranking, choice: Choice, systems: Sequence[str]) -> Comparison:
    """Two systems or more of the ranking under a choice, kept by content."""
    plain = replace(choice, interval="percentile")
    name = hashlib.sha256("\n".join(systems).encode()).hexdigest()[:32]
    return kept(ranking, plain, f"compare-{name}", lambda: _comparison(ranking, plain, systems))


def _rows(ranking: Ranking) -> dict[str, Row]:
    """The rows that stand for an entry of the ranking, by system, best first."""
    entries = {entry["system"] for entry in ranking.inputs["entries"]}
    return {row["system"]: row for row in ranking.rows if row["system"] in entries}


def _comparison(ranking: Ranking, choice: Choice, systems: Sequence[str]) -> Comparison:
    rows = _rows(ranking)
    if ranking.provenance == Provenance.REPORTED:
        return _reported(ranking, choice, [rows[slug] for slug in systems])
    if ranking.track.protocol == Track.Protocol.PAIRS:
        return tests_compared(ranking, [rows[slug] for slug in systems])
    return _clip_by_clip(ranking, choice, systems)


def _clip_by_clip(ranking: Ranking, choice: Choice, systems: Sequence[str]) -> Comparison:
    """Means over the clips that all of them have; a system that lacks a judge is left out."""
    rows, scores = _rows(ranking), scores_of(ranking, choice, systems=systems)
    found = [slug for slug in systems if slug in scores.systems]
    at = [scores.systems.index(slug) for slug in found]
    values = scores.arrays[ranking.track.primary_metric][at]
    titles = tuple(judge_title(judge) for judge in scores.judges)
    lacking = [_lacking(one, titles) for one in values]
    shown = [v for v, lacks in enumerate(lacking) if not lacks]
    shared: NDArray[np.bool_] = np.asarray(np.isfinite(values[shown]).all(axis=(0, 1)))
    values = values[shown][:, :, shared]
    return Comparison(
        metric=metric_title(ranking.track.primary_metric),
        parts=titles,
        systems=tuple(
            Compared(found[v], rows[found[v]]["name"], rows[found[v]]["rank"], *_means(values[n]))
            for n, v in enumerate(shown)
        ),
        left_out=tuple((rows[found[v]]["name"], lacks) for v, lacks in enumerate(lacking) if lacks),
        pairs=_pairs(ranking.track, values),
        lines=_lines(ranking, scores.positions, shared, values.mean(axis=1)),
        clips=int(shared.sum()),
        of_clips=scores.of_clips,
        replicates=replicates_of(ranking.track),
        signature=signature_of(ranking, scores.judges, choice.clip_words),
    )


def _lacking(values: FloatArray, titles: Sequence[str]) -> tuple[str, ...]:
    """The judges that have no value of a system's (judges, clips), where there are clips."""
    if not values.shape[1]:
        return ()
    has: NDArray[np.bool_] = np.asarray(np.isfinite(values).any(axis=1))
    return tuple(title for title, one in zip(titles, has, strict=True) if not one)


def _means(values: FloatArray) -> tuple[float | None, tuple[float | None, ...]]:
    """Of one system's (judges, clips): the mean over judges, and each judge's."""
    if not values.shape[1]:
        return None, (None,) * len(values)
    return float(values.mean(axis=1).mean()), tuple(float(mean) for mean in values.mean(axis=1))


def _pairs(track: Track, values: FloatArray) -> tuple[Pair, ...]:
    """Every two of (systems, judges, clips): one resampling of the clips serves them all."""
    systems, judges, clips = values.shape
    if systems < FEWEST or not clips:
        return ()
    flat = values.reshape(systems * judges, 1, clips)
    drawn = bootstrap(flat, replicates=replicates_of(track), seed=track.bootstrap_seed).means
    means = drawn.reshape(len(drawn), systems, judges)
    overall = gaps_between(compare(values.mean(axis=1)), *resampled_differences(means.mean(axis=2)))
    parts = [
        gaps_between(compare(values[:, j]), *resampled_differences(means[:, :, j]))
        for j in range(judges)
    ]
    return tuple(
        Pair(a, b, overall[a, b], tuple(part[a, b] for part in parts))
        for a, b in combinations(range(systems), 2)
    )


def _lines(
    ranking: Ranking, positions: Sequence[int], shared: NDArray[np.bool_], values: FloatArray
) -> tuple[Line, ...]:
    """The clips that count, in the release's order, with each system's mean over judges."""
    clips = Clip.objects.filter(release=ranking.track.release_id)
    names = {at: (key, title) for at, key, title in clips.values_list("position", "key", "title")}
    counted = [position for position, has in zip(positions, shared, strict=True) if has]
    return tuple(
        Line(*names[at], tuple(map(float, values[:, column]))) for column, at in enumerate(counted)
    )


def _reported(ranking: Ranking, choice: Choice, rows: Sequence[Row]) -> Comparison:
    """Printed means: their differences, and nothing that would need the score of each clip."""
    metric = ranking.track.primary_metric
    shown = choice.judges or tuple(ranking.track.judges)
    judges = [judge for judge in shown if any(judge in row["judges"] for row in rows)]
    systems = [
        Compared(
            row["system"],
            row["name"],
            row["rank"],
            row["mean"].get(metric),
            tuple(row["judges"].get(judge, {}).get(metric) for judge in judges),
        )
        for row in rows
    ]
    return Comparison(
        metric=metric_title(metric),
        parts=tuple(judge_title(judge) for judge in judges),
        signature=signature_of(ranking, judges),
        systems=tuple(systems),
        pairs=tuple(
            Pair(
                a,
                b,
                _printed(systems[a].mean, systems[b].mean),
                tuple(map(_printed, systems[a].by_part, systems[b].by_part)),
            )
            for a, b in combinations(range(len(systems)), 2)
        ),
    )


def _printed(first: float | None, second: float | None) -> Gap:
    return Gap(None if first is None or second is None else first - second)

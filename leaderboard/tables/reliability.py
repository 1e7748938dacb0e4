"""How far a ranking can be trusted, as a page shows it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from leaderboard.models import Ranking
from leaderboard.tables.agreement import MEANINGS, MEASURES
from leaderboard.tables.board import load
from leaderboard.tables.choice import Choice
from leaderboard.tables.chosen import Scores, competing, scores_of, signatures_of
from leaderboard.tables.keeping import kept_by
from leaderboard.tables.labels import judge_title
from leaderboard.tables.standing import stamp
from scoring.ranking import Reliability, StabilityPoint, statistics
from scoring.types import FloatArray

# Every two systems are compared: a longer table is cut to its first ones, and says so. Of these
# alone the scores are read.
MOST_SYSTEMS = 50


@dataclass(frozen=True, slots=True)
class Matrix:
    """A table of numbers that is also drawn as a heat map. None stands where nothing is defined."""

    key: str
    title: str
    meaning: str
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]
    columns: tuple[str, ...]
    shares: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A system's place by Borda with its percentile interval, and its rank by mean with its
    confidence sets: simultaneous, and for the system looked at alone.
    """

    system: str
    name: str
    place: int
    low: int | None
    high: int | None
    first: float | None
    mean_rank: float
    set_low: int | None
    set_high: int | None
    alone_low: int | None
    alone_high: int | None


@dataclass(frozen=True, slots=True)
class Leaving:
    """Who would change place if a system had not taken part."""

    name: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that the page shows; ``clips`` is None for reported means."""

    systems: int
    of_systems: int
    clips: int | None
    of_clips: int | None
    claims: tuple[str, ...]
    best: tuple[str, ...]
    detectable: float | None
    tau: tuple[float, float, float] | None
    agreement: tuple[Matrix, ...]
    distribution: Matrix | None
    above: Matrix | None
    stability: tuple[StabilityPoint, ...]
    standings: tuple[Standing, ...]
    without_judge: Matrix | None
    leaving: tuple[Leaving, ...]
    signature: str


def reliability(ranking: Ranking, choice: Choice) -> Report:
    """The statistics of a ranking under a choice, kept until the ranking, or what may be shown of
    it, changes; only to compute them is it read.

    Of reported means only what needs no clips: agreement, and what the table owes to single
    judges and systems.
    """
    plain = replace(choice, interval="percentile")
    content = (ranking.pk, ranking.fingerprint, stamp(ranking.track.release), plain)
    return kept_by("reliability", content, lambda: _reliability(ranking, plain))


def _reliability(ranking: Ranking, choice: Choice) -> Report:
    load(ranking)
    track = ranking.track
    taking_part = competing(ranking, choice)
    first = _first(ranking, taking_part)
    scores = scores_of(ranking, choice, systems=first)
    values = scores.arrays[track.primary_metric][[scores.systems.index(one) for one in first]]
    found = statistics(
        first,
        scores.judges,
        values if scores.clips is not None else values[:, :, None],
        primary=track.primary_metric,
        replicates=track.bootstrap_replicates,
        seed=track.bootstrap_seed,
        signatures=signatures_of(ranking, scores.judges, taking_part),
    )
    names = {row["system"]: row["name"] for row in ranking.rows}
    words = choice.clip_words
    return Report(
        systems=len(found.systems),
        of_systems=len(taking_part),
        clips=scores.clips,
        of_clips=scores.of_clips,
        claims=tuple(
            replace(claim, first=names[claim.first], second=names[claim.second]).text
            for claim in found.claims
        ),
        best=tuple(names[system] for system in found.over_judges.best or ()),
        detectable=found.detectable if scores.clips is not None else None,
        tau=_tau(found),
        agreement=_agreement(found, scores),
        distribution=_distribution(found, names),
        above=_above(found, names),
        stability=found.stability,
        standings=_standings(found, names),
        without_judge=_without_judge(found, names, scores),
        leaving=_leaving(found, names),
        signature=found.signature + (f"|clips:{words}" if words else ""),
    )


def _first(ranking: Ranking, taking_part: Collection[str]) -> list[str]:
    """The first systems of the ranking that take part, at most ``MOST_SYSTEMS``."""
    known = set(taking_part)
    return [row["system"] for row in ranking.rows if row["system"] in known][:MOST_SYSTEMS]


def _tau(found: Reliability) -> tuple[float, float, float] | None:
    drawn = found.resampled
    if drawn is None or drawn.tau is None or drawn.tau_low is None or drawn.tau_high is None:
        return None
    return drawn.tau, drawn.tau_low, drawn.tau_high


def _values(matrix: FloatArray) -> list[tuple[float | None, ...]]:
    return [tuple(float(value) for value in row) for row in matrix]


def _agreement(found: Reliability, scores: Scores) -> tuple[Matrix, ...]:
    titles = tuple(judge_title(judge) for judge in scores.judges)
    if len(titles) < 2:
        return ()
    shown = [m for m in MEASURES if m in found.agreement and (scores.clips or m != "pearson")]
    return tuple(
        Matrix(
            key=key,
            title=MEASURES[key],
            meaning=MEANINGS[key],
            rows=tuple(zip(titles, map(tuple, found.agreement[key]["matrix"]), strict=True)),
            columns=titles,
        )
        for key in shown
    )


def _distribution(found: Reliability, names: Mapping[str, str]) -> Matrix | None:
    if found.resampled is None:
        return None
    shown = tuple(names[system] for system in found.systems)
    return Matrix(
        key="distribution",
        title="Ranks under resampling",
        meaning="share of resamples in which the system (row) takes the place (column)",
        rows=tuple(zip(shown, _values(found.resampled.distribution), strict=True)),
        columns=tuple(str(place) for place in range(1, len(shown) + 1)),
        shares=True,
    )


def _above(found: Reliability, names: Mapping[str, str]) -> Matrix | None:
    if found.resampled is None or len(found.systems) < 2:
        return None
    shown = tuple(names[system] for system in found.systems)
    values = [list(row) for row in _values(found.resampled.above)]
    for at, row in enumerate(values):
        row[at] = None
    return Matrix(
        key="above",
        title="Who is above whom",
        meaning="share of resamples in which the system of the row is above that of the column",
        rows=tuple(zip(shown, map(tuple, values), strict=True)),
        columns=shown,
        shares=True,
    )


def _standings(found: Reliability, names: Mapping[str, str]) -> tuple[Standing, ...]:
    drawn, sets = found.resampled, found.over_judges.sets
    return tuple(
        Standing(
            system=system,
            name=names[system],
            place=int(found.places[at]),
            low=None if drawn is None else int(drawn.low[at]),
            high=None if drawn is None else int(drawn.high[at]),
            first=None if drawn is None else float(drawn.first[at]),
            mean_rank=float(found.over_judges.ranks[at]),
            set_low=None if sets is None else int(sets.low[at]),
            set_high=None if sets is None else int(sets.high[at]),
            alone_low=None if sets is None else int(sets.marginal_low[at]),
            alone_high=None if sets is None else int(sets.marginal_high[at]),
        )
        for at, system in enumerate(found.systems)
    )


def _without_judge(found: Reliability, names: Mapping[str, str], scores: Scores) -> Matrix | None:
    """The places with all judges, and with one left out at a time."""
    if not found.without_judge:
        return None
    panels = [found.places, *(panel.places for panel in found.without_judge)]
    left_out = [
        next(judge for judge in scores.judges if judge not in panel.judges)
        for panel in found.without_judge
    ]
    return Matrix(
        key="without-judge",
        title="Places without one of the judges",
        meaning="places by Borda over the judges that are left",
        rows=tuple(
            (names[system], tuple(float(panel[at]) for panel in panels))
            for at, system in enumerate(found.systems)
        ),
        columns=("all judges", *(f"without {judge_title(judge)}" for judge in left_out)),
    )


def _leaving(found: Reliability, names: Mapping[str, str]) -> tuple[Leaving, ...]:
    return tuple(
        Leaving(names[leaver], tuple(_move(names[m.system], m.before, m.after) for m in moves))
        for leaver, moves in found.leaving.items()
        if moves
    )


def _move(name: str, before: int, after: int) -> str:
    return f"{name} from {before} to {after}"

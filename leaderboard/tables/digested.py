"""What the scores of single clips say, as a worker has stored it with a ranking."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from leaderboard.models import Provenance, Ranking
from leaderboard.pipeline import digest
from leaderboard.pipeline.clip_numbers import ClipNumbers, clip_numbers
from leaderboard.tables import larger
from leaderboard.tables.board import load
from leaderboard.tables.choice import Choice
from leaderboard.tables.chosen import scores_of
from leaderboard.tables.heads import fresh, packed
from scoring.types import FloatArray


class Called(NamedTuple):
    """A system by its slug and name, and its submission."""

    slug: str
    name: str
    submission: str


@dataclass(frozen=True, slots=True)
class Digested:
    """``systems`` are those that ``numbers`` are of, None where one may not be shown any more;
    ``lengths`` and ``came`` as in ``digest.Packed``; ``of_clips``: how many count on the track.
    """

    systems: tuple[Called | None, ...]
    numbers: ClipNumbers = field(repr=False)
    lengths: FloatArray = field(repr=False)
    came: FloatArray = field(repr=False)
    of_clips: int

    def place_of(self, slug: str) -> int | None:
        """Where a system stands among them."""
        found = (at for at, one in enumerate(self.systems) if one and one.slug == slug)
        return next(found, None)


def digested(ranking: Ranking, choice: Choice | None = None) -> Digested | None:
    """Of a verified ranking, under a choice or as it is; None where no system has every judge.

    What a worker has stored is read; for a choice, and for a ranking of an older release, it is
    computed here by the same function, unless that is too much for a page.
    """
    wanted = choice or Choice()
    if ranking.provenance != Provenance.VERIFIED:
        return None
    if larger.is_large(ranking, wanted):
        found = larger.find(ranking, wanted)
        return _stored(found.ranking, digest.Packed.of(found.table.arrays or b""))
    stored = None if wanted.narrows else packed(ranking)
    if stored is not None:
        return _stored(ranking, stored)
    return computed(ranking, wanted, alike=not wanted.narrows)


def computed(ranking: Ranking, choice: Choice, *, alike: bool = False) -> Digested | None:
    """The same from the scores themselves."""
    load(ranking)
    scores = scores_of(ranking, choice)
    primary, positions = ranking.track.primary_metric, scores.clip_positions
    alike_most = digest.ALIKE if alike else 0
    numbers = clip_numbers(scores.arrays, primary, positions, alike=alike_most)
    if numbers is None:
        return None
    entries = {entry["system"]: entry for entry in ranking.inputs["entries"]}
    theirs = [entries[system] for system in scores.systems]
    systems = tuple(Called(one["system"], one["name"], one["submission"]) for one in theirs)
    submissions = [one.submission for one in systems]
    return Digested(
        systems=systems,
        numbers=numbers,
        lengths=digest.lengths(submissions, {}),
        came=digest.arrivals(ranking.track, submissions),
        of_clips=scores.of_clips or 0,
    )


def _stored(ranking: Ranking, stored: digest.Packed) -> Digested | None:
    numbers = stored.clip_numbers
    if numbers is None:
        return None
    return Digested(
        systems=_called(ranking, stored),
        numbers=numbers,
        lengths=stored["lengths"],
        came=stored["came"],
        of_clips=int(stored["of_clips"]),
    )


def _called(ranking: Ranking, stored: digest.Packed) -> tuple[Called | None, ...]:
    """As they were called when they were ranked; where something has been hidden, unnamed or
    withdrawn since, as the ranking itself may be shown now.
    """
    submissions = stored.texts("submissions")
    if ranking.pk in fresh([ranking]):
        slugs, names = stored.texts("systems"), stored.texts("names")
        now = {s: Called(slugs[at], names[at], s) for at, s in enumerate(submissions)}
    else:
        load(ranking)
        shown = [row for row in ranking.rows if not row.get("withdrawn")]
        now = {r["submission"]: Called(r["system"], r["name"], r["submission"]) for r in shown}
    return tuple(now.get(submissions[at]) for at in stored["of"].tolist())

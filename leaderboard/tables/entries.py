"""The submissions of a board, one by one: who can be shown on a clip's page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils import timezone

from leaderboard.models import Names, Provenance, Ranking, Run, Submission, Track
from leaderboard.models.ranking import HEAVY
from leaderboard.tables.board import load
from leaderboard.tables.keeping import kept_by
from leaderboard.tables.standing import stamp


class Entry(NamedTuple):
    """A submission that can be shown: its system, its rank on the board, its finished runs."""

    slug: str
    name: str
    rank: int | None
    submission: str
    runs: Mapping[str, int]
    own: bool = False


def entries_of(track: Track) -> tuple[list[Entry], str]:
    """The submissions of the newest verified ranking, best first, and what it follows from.

    Kept until the ranking, or what may be shown of it, changes: to read it whole costs more than
    all the rest of a clip's page.
    """
    ranking = Ranking.objects.defer(*HEAVY).latest_of(track, Provenance.VERIFIED)
    if ranking is None:
        return [], ""
    ranking.track = track
    content = (ranking.pk, stamp(track.release))
    return kept_by("board-entries", content, lambda: _entries(ranking))


def _entries(ranking: Ranking) -> tuple[list[Entry], str]:
    load(ranking)
    inputs = {entry["system"]: entry for entry in ranking.inputs["entries"]}
    entries = [
        Entry(
            slug=row["system"],
            name=row["name"],
            rank=row["rank"],
            submission=inputs[row["system"]]["submission"],
            runs=inputs[row["system"]]["runs"],
        )
        for row in ranking.rows
        if row["system"] in inputs and not row.get("withdrawn")
    ]
    return entries, ranking.content


def own_entry(submission: Submission, track: Track, names: Names | None) -> Entry:
    """A submission that a reader may see, on the board or not, with what an incomplete run has."""
    of_it = Run.objects.filter(track=track, submission=submission)
    runs = of_it.done() | of_it.filter(state=Run.State.INCOMPLETE)
    called = names or submission.names(timezone.now())
    return Entry(
        slug=called.slug,
        name=called.name,
        rank=None,
        submission=str(submission.pk),
        runs=dict(runs.values_list("judge", "pk")),
        own=True,
    )

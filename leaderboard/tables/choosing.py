"""The ranking under a choice: the stored one, one computed for the page, or one by a worker."""

from __future__ import annotations

from leaderboard.models import Ranking
from leaderboard.tables import larger
from leaderboard.tables.board import load
from leaderboard.tables.choice import Choice
from leaderboard.tables.chosen import MOST_SETS, chosen, kept


def chosen_ranking(ranking: Ranking, choice: Choice) -> Ranking:
    """The ranking under ``choice``: itself when nothing was chosen, else as ``chosen`` makes it,
    computed here and kept, or stored by a worker (``larger``), which may not have it yet.
    """
    if larger.is_large(ranking, choice):
        return larger.shown(ranking, choice)
    load(ranking)
    too_long = len(ranking.rows) > MOST_SETS
    if choice == Choice() or (not choice.narrows and too_long):
        return ranking
    made = kept(ranking, choice, "chosen", lambda: chosen(ranking, choice))
    shown = Ranking(
        track=ranking.track,
        provenance=ranking.provenance,
        computed_at=ranking.computed_at,
        fingerprint=ranking.fingerprint,
        **made | {"inputs": ranking.inputs | made["inputs"]},
    )
    shown.changes = ranking.changes
    return shown


def computed_apart(ranking: Ranking, choice: Choice) -> int | None:
    """Which stored table of a choice is shown, None where a page computes it itself."""
    large = larger.is_large(ranking, choice)
    return larger.find(ranking, choice).table.pk if large else None

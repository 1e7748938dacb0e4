"""What stored rankings show no more: submissions that are private, hidden or nameless by now."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from leaderboard.models import Ranking
from leaderboard.tables.standing import seen_now, unseen

# What a row keeps that is shown no more: its numbers are needed to read the other rows.
WITHHELD = "no longer public"


def withheld(ranking: Ranking) -> frozenset[str]:
    """Ids of the ranking's submissions that may not be seen any more as the ranking has them: they
    are private, hidden or withdrawn by now, or their names are.
    """
    return withheld_in([ranking])[ranking.pk]


def withheld_in(rankings: Iterable[Ranking]) -> dict[int, frozenset[str]]:
    """The same of several rankings, by their ids, in one query."""
    found = list(rankings)
    seen = seen_now(found)
    return {
        ranking.pk: frozenset(
            str(row["submission"])
            for row in ranking.rows
            if row.get("submission") and unseen(row, seen)
        )
        for ranking in found
    }


def redacted(ranking: Ranking, hidden: Iterable[str]) -> Ranking:
    """A copy, not to be stored, whose hidden rows have neither name nor submission, and whose
    track has the judges and the metric that it was computed with.
    """
    gone = set(hidden)
    shown = copy.copy(ranking)
    inputs: Mapping[str, Any] = ranking.inputs or {}
    slugs = {row["system"]: f"withheld-{at}" for at, row in enumerate(_rows(ranking, gone), 1)}
    shown.rows = [_without(row, slugs) for row in ranking.rows]
    shown.inputs = dict(inputs) | {
        "entries": [e for e in inputs.get("entries", ()) if e["system"] not in slugs]
    }
    shown.track = copy.copy(ranking.track)
    shown.track.judges = inputs.get("judges", ranking.track.judges)
    shown.track.primary_metric = inputs.get("primary", ranking.track.primary_metric)
    return shown


def _rows(ranking: Ranking, gone: set[str]) -> list[dict[str, Any]]:
    return [row for row in ranking.rows if str(row.get("submission")) in gone]


def _without(row: dict[str, Any], slugs: Mapping[str, str]) -> dict[str, Any]:
    if row["system"] not in slugs:
        return row
    return row | {"system": slugs[row["system"]], "name": WITHHELD, "submission": None}

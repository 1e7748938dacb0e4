"""Whether anything has happened to a board since a sweep found its ranking up to date, cheaply.

A ranking's inputs are a row a run, which a sweep would read every half minute. Sums over the same
rows tell nearly always that nothing has happened. Nearly: once in ``AGAIN`` the inputs are read all
the same, for what changes rows without changing any of these sums.
"""

from __future__ import annotations

import hashlib
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Sum

from leaderboard.models import Ranking, ReportedResult, Run, System, Track
from leaderboard.pipeline import bridge, visible

AGAIN = 3600


def state_of(track: Track) -> str:
    """A hash of what a track's rankings follow from, as far as sums show it; few small queries."""
    runs = Run.objects.filter(track=track).order_by().values("state", "stands")
    newest = Ranking.objects.filter(track=track).order_by().values("provenance")
    reported = ReportedResult.objects.filter(track=track).order_by()
    found: tuple[Any, ...] = (
        (track.protocol, track.settings, track.judges, track.language, track.primary_metric),
        (track.bootstrap_replicates, track.bootstrap_seed, track.scores_uploads),
        list(bridge.counted_clips(track).values_list("key", flat=True)),
        visible.stamp(track.release),
        _sorted(runs.annotate(Count("pk"), Max("pk"), Max("finished_at"), Sum("revision"))),
        _sorted(newest.annotate(Count("pk"), Max("pk"))),
        reported.aggregate(Count("pk"), Max("pk"), Sum("mean")),
        System.history.aggregate(Max("history_id")),
    )
    return hashlib.sha256(repr(found).encode()).hexdigest()


def _sorted(rows: Any) -> list[str]:
    return sorted(repr(row) for row in rows)


def is_known(track: Track, state: str) -> bool:
    """Whether the ranking was up to date with this state, by the last full look."""
    return bool(cache.get(_key(track)) == state)


def note(track: Track, state: str) -> None:
    """Remember that it was."""
    cache.set(_key(track), state, AGAIN)


def _key(track: Track) -> str:
    return f"board-state:{track.pk}"

"""The submissions of a benchmark as its curators go through them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from leaderboard import access, access_curated
from leaderboard.models import Benchmark, Submission

Standing = Submission.Standing
SHOWN = {"held": "Waiting", "flagged": "Flagged", "hidden": "Hidden", "all": "All"}
FLAGGED = Q(standing=Standing.CLEAR) & ~Q(standing_reason="")
WANTED = {
    "held": Q(standing=Standing.HELD),
    "flagged": FLAGGED,
    "hidden": Q(standing=Standing.HIDDEN),
    "all": Q(),
}


@dataclass(frozen=True, slots=True)
class Queue:
    """What is shown (a key of ``SHOWN``), what was searched for, and how many there are of each."""

    show: str
    search: str
    submissions: QuerySet[Submission]
    counts: dict[str, int]


def queue(viewer: access.Viewer, benchmark: Benchmark, show: str, search: str = "") -> Queue:
    """Waiting ones from the oldest, others from the newest; ``search`` in systems, senders, ids."""
    seen = access_curated.moderated(viewer, benchmark)
    counts = seen.order_by().aggregate(
        **{key: Count("pk", filter=wanted) for key, wanted in WANTED.items() if wanted},
        all=Count("pk"),
    )
    chosen = show if show in SHOWN else "all" if search else "held"
    found = seen.filter(WANTED[chosen])
    if search:
        words = Q(system__name__icontains=search) | Q(user__username__icontains=search)
        found = found.filter(words | _named(search))
    order = "created_at" if chosen == "held" else "-created_at"
    return Queue(chosen, search, found.order_by(order, "pk"), counts)


def _named(search: str) -> Q:
    try:
        return Q(pk=UUID(search.strip()))
    except ValueError:
        return Q(pk__in=())

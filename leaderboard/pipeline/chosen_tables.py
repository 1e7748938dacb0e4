"""Which chosen tables wait for a worker, and which have had their time."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F, OuterRef, Subquery

from leaderboard.models import ChosenTable, Ranking

LONGEST = timedelta(minutes=15)
"""After which a worker that has begun one has died: another may begin it."""
UNSENT = timedelta(minutes=1)
KEPT = timedelta(days=1)
MOST_KEPT = 100


def begin(pk: int, now: datetime) -> ChosenTable | None:
    """Take one for a worker; None where it is done, or another worker is at it."""
    free = ChosenTable.objects.idle(now - LONGEST).filter(pk=pk)
    if not free.update(begun_at=now, attempts=F("attempts") + 1):
        return None
    return ChosenTable.objects.select_related("ranking__track__release__benchmark").get(pk=pk)


def due(now: datetime) -> list[int]:
    """Those whose message may be lost, or whose worker has died."""
    idle = ChosenTable.objects.idle(now - LONGEST).filter(asked_at__lt=now - UNSENT)
    return list(idle.values_list("pk", flat=True))


def forget_old(now: datetime) -> None:
    """Remove those of rankings that another one has followed, after a day, and the oldest of very
    many: whoever opens the page asks again.
    """
    of = {"track": OuterRef("ranking__track"), "provenance": OuterRef("ranking__provenance")}
    newest = Ranking.objects.filter(**of).order_by("-computed_at").values("pk")[:1]
    behind = ChosenTable.objects.exclude(ranking=Subquery(newest))
    behind.filter(asked_at__lt=now - KEPT).delete()
    done = ChosenTable.objects.exclude(table=None).order_by("-asked_at")
    ChosenTable.objects.filter(pk__in=list(done.values_list("pk", flat=True)[MOST_KEPT:])).delete()

"""ChosenTable: a ranking computed anew for a reader's choice, where that is too much for a page."""

from __future__ import annotations

from datetime import datetime
from typing import Self

from django.db import models

from leaderboard.models.ranking import Ranking


class ChosenTableQuerySet(models.QuerySet["ChosenTable"]):
    """Words for chosen tables."""

    def waiting(self) -> Self:
        """Not computed yet, and not given up."""
        return self.filter(table=None, attempts__lt=ChosenTable.ATTEMPTS)

    def idle(self, moment: datetime) -> Self:
        """Those of them that no worker has begun, or none since ``moment``."""
        untouched = models.Q(begun_at=None) | models.Q(begun_at__lt=moment)
        return self.waiting().filter(untouched)


class ChosenTable(models.Model):
    """Asked for by whoever opens the page, computed once by a worker, for all who ask for the same.

    ``choice`` is what was chosen and ``key`` its hash; ``table`` is compressed JSON of what differs
    from the ranking, ``arrays`` as in ``Digest``; both are None until they are computed. It goes
    some time after its ranking is no longer the newest.
    """

    ATTEMPTS = 3

    ranking = models.ForeignKey(Ranking, on_delete=models.CASCADE, related_name="chosen")
    key = models.CharField(max_length=64)
    choice = models.JSONField()
    asked_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    table = models.BinaryField(null=True)
    arrays = models.BinaryField(null=True)

    objects = ChosenTableQuerySet.as_manager()

    class Meta:
        ordering = ["asked_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["ranking", "key"], name="chosen_table_once")]

    def __str__(self) -> str:
        return f"{self.ranking} for {self.choice}"

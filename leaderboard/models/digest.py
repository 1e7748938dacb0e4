"""What pages read of a ranking in place of the whole of it, computed and stored with it."""

from __future__ import annotations

from django.db import models

from leaderboard.models.ranking import Ranking


class Digest(models.Model):
    """Made by the worker that ranks, in the transaction that stores the ranking. Rankings of older
    releases have none until a sweep finds them; pages then read the ranking itself.

    ``head`` says how many rows and places there are, and which columns; ``step`` is what differs
    from the ranking before, ``previous``; ``arrays`` is an NPZ archive of compact arrays, one value
    a row or one a clip (``pipeline.digest``). ``stamp`` is ``pipeline.visible.stamps`` at
    ``as_of``, from before the ranking's inputs were read: while that is what it says now, nothing
    of the ranking has been hidden, unnamed or withdrawn since.
    """

    ranking = models.OneToOneField(Ranking, on_delete=models.CASCADE, related_name="digest")
    as_of = models.DateTimeField()
    stamp = models.CharField(max_length=64)
    head = models.JSONField()
    previous = models.BigIntegerField(null=True)
    step = models.JSONField(null=True)
    arrays = models.BinaryField()

    def __str__(self) -> str:
        return f"digest of {self.ranking_id}"


class RankedRow(models.Model):
    """One row of a newest ranking, as ``Ranking.rows`` has it at ``at``; older ones keep none."""

    ranking = models.ForeignKey(Ranking, on_delete=models.CASCADE, related_name="ranked")
    at = models.PositiveIntegerField()
    system = models.CharField(max_length=140)
    submission = models.CharField(max_length=36)
    data = models.JSONField()

    class Meta:
        ordering = ["ranking", "at"]
        indexes = [
            models.Index(fields=["ranking", "at"], name="ranked_row_at"),
            models.Index(fields=["ranking", "system"], name="ranked_row_system"),
            models.Index(fields=["ranking", "submission"], name="ranked_row_submission"),
        ]

    def __str__(self) -> str:
        return f"{self.system} in {self.ranking_id}"

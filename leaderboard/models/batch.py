"""Batch: one press of a curator's button that touches many submissions, and how far it is."""

from __future__ import annotations

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models

from leaderboard.models.benchmark import Benchmark
from leaderboard.models.release import Release
from leaderboard.models.track import Track


class BatchQuerySet(models.QuerySet["Batch"]):
    """Words for batches."""

    def open(self) -> Self:
        """Those that have something left to do."""
        return self.filter(finished_at__isnull=True)

    def silent_since(self, moment: datetime) -> Self:
        """Open, and nothing of it was done since: its message may be lost, or its worker."""
        return self.open().filter(heard_at__lt=moment)

    def free(self, moment: datetime) -> Self:
        """Open, and nobody works on it, or who did has been silent since ``moment``."""
        return self.open().filter(models.Q(claim__isnull=True) | models.Q(heard_at__lt=moment))


class Batch(models.Model):
    """A worker takes its submissions one by one, for as long as its ``claim`` stands.

    ``todo`` are the ids that are left, ``to_look`` those of copies whose diagnostics wait until all
    copies are there. ``refused`` has (system, submission, reasons) of those that were not taken.
    """

    class Kind(models.TextChoices):
        """What is done with each submission."""

        RESCORE = "rescore", "Take submissions in on the corrected release"
        LACKING = "lacking", "Queue the runs that a track lacks"
        AGAIN = "again", "Score again"

    kind = models.CharField(max_length=8, choices=Kind.choices)
    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="batches")
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="batches")
    older = models.ForeignKey(
        Release, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    track = models.ForeignKey(
        Track, null=True, blank=True, on_delete=models.CASCADE, related_name="batches"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    total = models.PositiveIntegerField()
    runs = models.PositiveIntegerField(default=0, help_text="Queued so far.")
    todo = models.JSONField(default=list)
    to_look = models.JSONField(default=list, blank=True)
    refused = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    claim = models.UUIDField(null=True, blank=True)
    heard_at = models.DateTimeField(help_text="When something of it was last done, or sent.")
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = BatchQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.track or self.release}"

    @property
    def done(self) -> int:
        """Submissions that were gone through, refused ones too."""
        return self.total - len(self.todo)

"""Release: one frozen version of a benchmark's data."""

from __future__ import annotations

from datetime import datetime
from typing import Self

from django.db import models

from leaderboard.models.benchmark import Benchmark


class ReleaseQuerySet(models.QuerySet["Release"]):
    """Words for releases."""

    def published(self) -> Self:
        """Those whose data is frozen and open to everybody."""
        return self.filter(published_at__isnull=False)


class MissingClips(models.TextChoices):
    """What becomes of an upload that leaves clips out."""

    REJECT = "reject", "The file is refused"
    ZERO = "zero", "Each missing clip counts as an empty description"


class Release(models.Model):
    """One frozen version of a benchmark's data. Numbers of two releases never share a table."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="releases")
    version = models.CharField(max_length=40)
    notes = models.TextField(blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    corrects = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="corrections"
    )
    opens_at = models.DateTimeField(null=True, blank=True, help_text="Takes submissions from then.")
    closes_at = models.DateTimeField(null=True, blank=True, help_text="Takes none from then.")
    embargo_until = models.DateTimeField(
        null=True, blank=True, help_text="Until then curators alone see rankings and scores."
    )
    references_hidden = models.BooleanField(
        default=False, help_text="A hidden test set: nobody but curators sees its references."
    )
    missing_clips = models.CharField(
        max_length=6, choices=MissingClips.choices, default=MissingClips.REJECT
    )

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        ordering = ["benchmark", "-published_at"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "version"], name="release_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.benchmark} {self.version}"

    @property
    def is_frozen(self) -> bool:
        """True once it is published: its clips and what belongs to them never change again."""
        return self.published_at is not None

    def is_embargoed(self, now: datetime) -> bool:
        """Whether curators alone see rankings and scores at that moment."""
        return self.embargo_until is not None and now < self.embargo_until

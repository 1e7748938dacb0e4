"""Release: one frozen version of a benchmark's data."""

from __future__ import annotations

from typing import Self

from django.db import models

from leaderboard.models.benchmark import Benchmark


class ReleaseQuerySet(models.QuerySet["Release"]):
    """Words for releases."""

    def published(self) -> Self:
        """Those whose data is frozen and open to everybody."""
        return self.filter(published_at__isnull=False)


class Release(models.Model):
    """One frozen version of a benchmark's data. Numbers of two releases never share a table."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="releases")
    version = models.CharField(max_length=40)
    notes = models.TextField(blank=True)
    published_at = models.DateTimeField(null=True, blank=True)

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        ordering = ["benchmark", "-published_at"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "version"], name="release_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.benchmark} {self.version}"

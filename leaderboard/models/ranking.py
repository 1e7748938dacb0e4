"""Ranking: a table computed once and kept, with everything needed to redo it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable
from typing import Any, Self

from django.db import models

from leaderboard.models.track import Track


class Provenance(models.TextChoices):
    """Where numbers come from; the two never share a ranking."""

    VERIFIED = "verified", "Verified: scored here"
    REPORTED = "reported", "Reported: typed in from a paper"


PACKED = ("inputs", "rows", "agreement")
HEAVY = (*PACKED, "packed")
"""The fields that are megabytes where there are thousands of systems."""


class RankingQuerySet(models.QuerySet["Ranking"]):
    """Words for rankings."""

    def latest_of(self, track: Track, provenance: str) -> Ranking | None:
        """The newest one: what the track's page shows."""
        return self.filter(track=track, provenance=provenance).order_by("-computed_at").first()

    def of(self, provenance: str) -> Self:
        """Those of one provenance."""
        return self.filter(provenance=provenance)


class Ranking(models.Model):
    """Immutable. ``inputs`` names the runs (or reported rows) and settings it follows from,
    ``fingerprint`` is their hash, ``rows`` is the table, ``agreement`` what judges share.

    An old one may be ``packed``: its heavy fields stand there, compressed, and nowhere else. Read
    as a row it has them all the same.
    """

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="rankings")
    provenance = models.CharField(max_length=8, choices=Provenance.choices)
    computed_at = models.DateTimeField(auto_now_add=True)
    fingerprint = models.CharField(max_length=64)
    signature = models.CharField(max_length=2000)
    inputs = models.JSONField()
    rows = models.JSONField()
    agreement = models.JSONField(null=True, blank=True)
    packed = models.BinaryField(null=True, editable=False)
    changes: str = ""
    """Of a ranking in memory: a hash of what is shown otherwise than it was stored, if anything."""

    objects = RankingQuerySet.as_manager()

    class Meta:
        ordering = ["-computed_at"]
        indexes = [
            models.Index(fields=["track", "provenance", "-computed_at"], name="ranking_latest")
        ]

    def __str__(self) -> str:
        return f"{self.track} ({self.provenance}, {self.computed_at:%Y-%m-%d %H:%M})"

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any
    ) -> Self:
        """As Django's, unpacked."""
        found = super().from_db(db, field_names, values, **more)
        if found.__dict__.get("packed") is not None:
            found.__dict__.update(json.loads(zlib.decompress(found.packed or b"")))
        return found

    def refresh_from_db(
        self,
        using: str | None = None,
        fields: Iterable[str] | None = None,
        from_queryset: models.QuerySet[Self] | None = None,
    ) -> None:
        """As Django's; the heavy fields come with what they may be packed in."""
        wanted = None if fields is None else {*fields}
        if wanted and wanted & {*PACKED}:
            wanted |= {"packed"}
        super().refresh_from_db(using, wanted, from_queryset)

    @property
    def content(self) -> str:
        """What may be kept of its rows and inputs is kept by this."""
        return f"{self.fingerprint}{self.changes}"

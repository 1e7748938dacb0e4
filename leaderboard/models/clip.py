"""Clip and Reference: what is described, and the texts that describe it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models

from leaderboard.models.release import Release

if TYPE_CHECKING:
    from leaderboard.models.track import Track


class ClipQuerySet(models.QuerySet["Clip"]):
    """Words for clips."""

    def scored(self) -> Self:
        """Those that count, in the release's order (an excluded clip is left out for all)."""
        return self.filter(excluded=False).order_by("position")


class Clip(models.Model):
    """One video of a release.

    ``position`` (0, 1, ...) is the clip's column in every score vector of the release: it never
    changes once the release is published.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="clips")
    key = models.CharField(max_length=120, help_text="The clip id that uploads use.")
    position = models.PositiveIntegerField()
    title = models.CharField(max_length=200, blank=True)
    link = models.URLField(max_length=500, blank=True)
    media = models.FileField(
        max_length=200, blank=True, help_text="A video of our own, where there is one."
    )
    duration = models.FloatField(null=True, blank=True, help_text="Seconds.")
    category = models.CharField(max_length=80, blank=True)
    excluded = models.BooleanField(default=False)
    exclusion_reason = models.CharField(max_length=300, blank=True)

    objects = ClipQuerySet.as_manager()

    class Meta:
        ordering = ["release", "position"]
        constraints = [
            models.UniqueConstraint(fields=["release", "key"], name="clip_key_once"),
            models.UniqueConstraint(fields=["release", "position"], name="clip_position_once"),
        ]

    def __str__(self) -> str:
        return self.key


class ReferenceQuerySet(models.QuerySet["Reference"]):
    """Words for references."""

    def read_by(self, track: Track) -> Self:
        """Those of the language and kind that the track names, of whatever it leaves open.

        A place among references, as evidence has it, counts a clip's references in this order.
        """
        wanted = {name: track.settings[name] for name in READING if name in track.settings}
        return self.filter(clip__release=track.release_id, **wanted).order_by(
            "clip__position", "position"
        )


READING = ("language", "kind")
"""What a track's settings may say of the references that are read."""


class Reference(models.Model):
    """A text that describes a clip."""

    class Kind(models.TextChoices):
        """How much of the clip it tells."""

        LONG = "long"
        SHORT = "short"

    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="references")
    position = models.PositiveSmallIntegerField(default=0)
    language = models.CharField(max_length=12, default="en")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.LONG)
    text = models.TextField()

    objects = ReferenceQuerySet.as_manager()

    class Meta:
        ordering = ["clip", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["clip", "language", "kind", "position"], name="reference_position_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.clip}: {self.text[:40]}"

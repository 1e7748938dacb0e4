"""CaptionPair: a positive and a negative caption of a pair test."""

from __future__ import annotations

from typing import Self

from django.db import models

from leaderboard.models.clip import Clip
from leaderboard.models.release import Release


class CaptionPairQuerySet(models.QuerySet["CaptionPair"]):
    """Words for caption pairs."""

    def scored(self) -> Self:
        """Those that count, in the release's order (those of an excluded clip do not)."""
        return self.filter(clip__excluded=False).order_by("position")


class CaptionPair(models.Model):
    """A clip with a caption that is true of it and one that is not.

    ``test_name`` is the test's name in the paper (``agent_iden``); ``key`` names the pair within
    its test. ``position`` (0, 1, ...) is the pair's column in every pair vector of the release. In
    an ``ivat`` test the two captions describe two events of the clip.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="caption_pairs")
    test_name = models.CharField(max_length=40)
    key = models.CharField(max_length=260)
    position = models.PositiveIntegerField()
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="caption_pairs")
    event = models.CharField(max_length=120, blank=True)
    positive = models.TextField()
    negative = models.TextField()

    objects = CaptionPairQuerySet.as_manager()

    class Meta:
        ordering = ["release", "position"]
        constraints = [
            models.UniqueConstraint(fields=["release", "test_name", "key"], name="pair_key_once"),
            models.UniqueConstraint(fields=["release", "position"], name="pair_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.test_name}: {self.key}"

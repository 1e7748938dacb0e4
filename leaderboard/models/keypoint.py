"""Keypoint: one thing that a description of a clip should tell."""

from __future__ import annotations

from typing import Self

from django.db import models

from leaderboard.models.clip import Clip
from leaderboard.models.release import Release
from leaderboard.models.subject import Subject


class KeypointQuerySet(models.QuerySet["Keypoint"]):
    """Words for keypoints."""

    def of(self, release: Release, annotation: str) -> Self:
        """One annotation of a release, in the order that keypoint vectors have."""
        found = self.filter(clip__release=release, annotation=annotation)
        return found.order_by("clip__position", "position")


class Keypoint(models.Model):
    """One event or detail of a clip, in the order of its annotation.

    ``annotation`` tells several annotations of one release apart (with sound, vision only): a track
    names the one it uses. Subjects are those that ``text`` marks, as in ``<s1> calls <s2>``.
    """

    class Kind(models.TextChoices):
        """The five kinds of the scoring library (``KINDS``), by their names in annotation files."""

        SUBJECT_EVENT = "main_sbj_evts", "Subject event"
        SUBJECT_INTERACTION = "main_sbj_ints", "Subject interaction"
        BACKGROUND = "bg_desc", "Background"
        TRANSITION = "trans_desc", "Transition"
        MINOR_EVENT = "minor_evts", "Minor event"

    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="keypoints")
    annotation = models.SlugField(max_length=40, default="main")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16, choices=Kind.choices)
    text = models.TextField()
    subjects = models.ManyToManyField(Subject, blank=True, related_name="keypoints")

    objects = KeypointQuerySet.as_manager()

    class Meta:
        ordering = ["clip", "annotation", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["clip", "annotation", "position"], name="keypoint_position_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.clip}: {self.text[:40]}"

"""TextSketch: what a submission's texts are compared with others by."""

from __future__ import annotations

from django.db import models

from leaderboard.models.submission import Submission


class TextSketch(models.Model):
    """The sketches of a submission's descriptions (``scoring.diagnostics.copies``).

    ``data`` has one row of bytes for each clip of the release, excluded ones too, at its position.
    Sketches of different ``version`` are not compared.
    """

    submission = models.OneToOneField(
        Submission, on_delete=models.CASCADE, primary_key=True, related_name="sketch"
    )
    version = models.PositiveSmallIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["submission"]

    def __str__(self) -> str:
        return f"sketch of {self.submission_id}"

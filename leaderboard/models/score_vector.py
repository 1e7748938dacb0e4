"""ScoreVector: the values of one metric of one run, one per clip or caption pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.db import models

from leaderboard.models.run import Run

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ScoreVector(models.Model):
    """Little-endian float64, one value per ``unit`` of the release, NaN where there is none.

    Clips and pairs stand at their *position*. ``mean`` is the run's number in full precision, so
    that lists never unpack the array: over the clips that have a value, or, for a metric of pairs,
    over tests. None where the number is not defined, as for an average that lacks a test.
    """

    class Unit(models.TextChoices):
        """What a value belongs to."""

        CLIP = "clip"
        PAIR = "pair"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="vectors")
    metric = models.CharField(max_length=40)
    unit = models.CharField(max_length=8, choices=Unit.choices, default=Unit.CLIP)
    data = models.BinaryField()
    clips = models.PositiveIntegerField(help_text="Clips or pairs with a value.")
    mean = models.FloatField(null=True)

    class Meta:
        ordering = ["run", "metric"]
        constraints = [models.UniqueConstraint(fields=["run", "metric"], name="score_vector_once")]

    def __str__(self) -> str:
        return f"{self.metric} of {self.run}"

    @property
    def values(self) -> NDArray[np.float64]:
        """The vector, shape (positions,)."""
        return np.frombuffer(self.data, dtype="<f8")

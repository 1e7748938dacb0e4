"""ScoreVector: the per-clip values of one metric of one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.db import models

from leaderboard.models.run import Run

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ScoreVector(models.Model):
    """Little-endian float64, one value per clip *position* of the release, NaN where not scored.

    ``mean`` is over the scored clips, in full precision: lists never unpack the array.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="vectors")
    metric = models.CharField(max_length=40)
    data = models.BinaryField()
    clips = models.PositiveIntegerField(help_text="Clips with a value.")
    mean = models.FloatField()

    class Meta:
        ordering = ["run", "metric"]
        constraints = [models.UniqueConstraint(fields=["run", "metric"], name="score_vector_once")]

    def __str__(self) -> str:
        return f"{self.metric} of {self.run}"

    @property
    def values(self) -> NDArray[np.float64]:
        """The vector, shape (positions,)."""
        return np.frombuffer(self.data, dtype="<f8")

"""ReportedResult: a number typed in from a paper, always told apart from one scored here."""

from django.db import models

from leaderboard.models.system import System
from leaderboard.models.track import Track


class ReportedResult(models.Model):
    """The published mean of one metric of one judge for one system.

    ``part`` says which part of the benchmark it is over: empty for all of it, else a dimension and
    a value (``duration:(0,120]``, ``test:agent_iden``). Judges outside the track's panel are kept
    and shown, and take no part in its ranking. The mean length of a system's descriptions, in
    words, stands as ``LENGTH`` in the place of judge and metric.
    """

    LENGTH = "words"

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="reported")
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="reported")
    judge = models.CharField(max_length=80)
    metric = models.CharField(max_length=40)
    part = models.CharField(max_length=40, blank=True, default="")
    mean = models.FloatField()
    std = models.FloatField(null=True, blank=True)
    clips = models.PositiveIntegerField(null=True, blank=True)
    source = models.CharField(max_length=300)

    class Meta:
        ordering = ["track", "system", "judge", "metric", "part"]
        constraints = [
            models.UniqueConstraint(
                fields=["track", "system", "judge", "metric", "part"], name="reported_once"
            )
        ]

    def __str__(self) -> str:
        return " ".join(filter(None, (str(self.system), self.judge, self.metric, self.part)))

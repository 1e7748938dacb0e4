"""Evidence: what a run saw on one clip."""

from django.db import models

from leaderboard.models.clip import Clip
from leaderboard.models.run import Run


class Evidence(models.Model):
    """Sentence matches, facts and labels, keypoint verdicts: the protocol says which."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="evidence")
    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="evidence")
    data = models.JSONField()

    class Meta:
        ordering = ["run", "clip__position"]
        verbose_name_plural = "evidence"
        constraints = [models.UniqueConstraint(fields=["run", "clip"], name="evidence_once")]

    def __str__(self) -> str:
        return f"{self.run}: {self.clip}"

"""ClipMap: a release's clips on a plane, as one judge reads their references."""

from django.db import models

from leaderboard.models.track import Track


class ClipMap(models.Model):
    """Clips whose references are alike lie close together.

    ``points`` maps a clip's key to (x, y), the main axes of the references' embeddings; ``share``
    is how much of their variance these two hold. It follows from the frozen release and the judge,
    and is made once, by the first worker that has the vectors at hand.
    """

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="clip_maps")
    judge = models.CharField(max_length=80)
    points = models.JSONField()
    share = models.FloatField()

    class Meta:
        ordering = ["track", "judge"]
        constraints = [models.UniqueConstraint(fields=["track", "judge"], name="clip_map_once")]

    def __str__(self) -> str:
        return f"{self.track} as {self.judge} reads it"

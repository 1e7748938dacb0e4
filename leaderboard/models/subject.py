"""Subject: who takes part in what happens in a clip."""

from django.db import models

from leaderboard.models.clip import Clip


class Subject(models.Model):
    """Somebody (or something) that keypoints of a clip are about.

    ``key`` is the mark that stands for it in their texts (``<s1>``), ``name`` is for readers and
    may be empty. The same mark in another annotation of the clip is another subject.
    """

    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="subjects")
    annotation = models.SlugField(max_length=40, default="main")
    key = models.CharField(max_length=120)
    name = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["clip", "annotation", "key"]
        constraints = [
            models.UniqueConstraint(fields=["clip", "annotation", "key"], name="subject_once")
        ]

    def __str__(self) -> str:
        return self.name or self.key

"""Announcement: news of a benchmark."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from leaderboard.models.benchmark import Benchmark


class Announcement(models.Model):
    """What curators tell the readers of a benchmark, in Markdown, newest first."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="announcements")
    title = models.CharField(max_length=160)
    text = models.TextField(blank=True, help_text="Markdown.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    posted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-posted_at"]

    def __str__(self) -> str:
        return self.title

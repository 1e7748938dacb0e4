"""QuotaPolicy: how much may be submitted to a benchmark."""

from __future__ import annotations

from django.db import models

from leaderboard.models.benchmark import Benchmark


class QuotaPolicy(models.Model):
    """One a benchmark; a benchmark without one has no limits.

    What counts: accepted submissions, from the moment they were stored. Files that were refused,
    dry runs, cancelled submissions and those that failed on our side do not.
    """

    class Window(models.TextChoices):
        """Over which time submissions are counted."""

        ROLLING = "rolling", "The hours before now"
        DAY = "day", "The calendar day, by UTC"

    class Per(models.TextChoices):
        """Whose submissions are counted together."""

        USER = "user", "Each person"
        TEAM = "team", "Each team, and each person outside a team"

    benchmark = models.OneToOneField(
        Benchmark, on_delete=models.CASCADE, related_name="quota_policy"
    )
    limit = models.PositiveIntegerField(
        null=True, blank=True, help_text="Submissions a window; empty for as many as one likes."
    )
    window = models.CharField(max_length=8, choices=Window.choices, default=Window.ROLLING)
    hours = models.PositiveIntegerField(default=24, help_text="Length of a rolling window.")
    per = models.CharField(max_length=4, choices=Per.choices, default=Per.USER)
    at_once = models.PositiveIntegerField(
        null=True, blank=True, help_text="Submissions being scored at the same time."
    )

    class Meta:
        verbose_name_plural = "quota policies"

    def __str__(self) -> str:
        return f"Quota of {self.benchmark}"

"""Ban: an account from which one benchmark takes no more submissions."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from leaderboard.models.benchmark import Benchmark


class Ban(models.Model):
    """Its curators' word, with the reason that the person reads; of the whole site see Profile."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="bans")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bans"
    )
    reason = models.CharField(max_length=300)
    banned_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-banned_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["benchmark", "user"], name="ban_once")]

    def __str__(self) -> str:
        return f"{self.user} from {self.benchmark}"

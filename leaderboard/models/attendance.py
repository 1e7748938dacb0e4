"""Attendance: when a worker that serves a judge was last heard of."""

from __future__ import annotations

from django.db import models


class Attendance(models.Model):
    """One row a judge, written by its workers with every sweep, whether they have work or not."""

    judge = models.CharField(max_length=80, unique=True)
    heard_at = models.DateTimeField()

    class Meta:
        ordering = ["judge"]
        verbose_name_plural = "attendance"

    def __str__(self) -> str:
        return f"{self.judge}, {self.heard_at:%Y-%m-%d %H:%M}"

"""System: the model under test."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from simple_history.models import HistoricalRecords


class System(models.Model):
    """A video-language model (or a human, or a baseline) whose descriptions are scored."""

    slug = models.SlugField(max_length=140, unique=True)
    name = models.CharField(max_length=120)
    organisation = models.CharField(max_length=120, blank=True)
    parameters = models.CharField(max_length=40, blank=True, help_text="For example 7B.")
    family = models.CharField(max_length=80, blank=True)
    frames = models.PositiveIntegerField(null=True, blank=True, help_text="Frames it looks at.")
    open_weights = models.BooleanField(null=True, blank=True)
    link = models.URLField(blank=True, help_text="Paper, code or model page.")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="systems",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    history = HistoricalRecords()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

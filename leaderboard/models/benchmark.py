"""Benchmark: a named task with its licence, citation and policies."""

from __future__ import annotations

from django.db import models
from django.urls import reverse


class Benchmark(models.Model):
    """A named task. Its data lives in releases, its tables in their tracks."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120)
    summary = models.CharField(max_length=300, help_text="One sentence for lists.")
    description = models.TextField(blank=True)
    licence = models.CharField(max_length=120, blank=True)
    licence_url = models.URLField(blank=True)
    homepage = models.URLField(blank=True)
    citation = models.TextField(blank=True, help_text="BibTeX.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The benchmark's page."""
        return reverse("benchmark", args=[self.slug])

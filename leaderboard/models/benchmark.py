"""Benchmark: a named task with its licence, citation and policies."""

from __future__ import annotations

from django.conf import settings
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
    rules = models.TextField(blank=True, help_text="Markdown.")
    faq = models.TextField(blank=True, help_text="Markdown.")
    curators = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="curated_benchmarks"
    )
    holds_first = models.BooleanField(
        default=False, help_text="A person's first submission waits for a curator."
    )
    shows_withdrawn = models.BooleanField(
        default=False, help_text="What is withdrawn stays in the table, marked as such."
    )
    unpublish_days = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="How long a public submission can be made private again; empty for always.",
    )
    blocking_flags = models.JSONField(
        default=list, blank=True, help_text="Diagnostic flags that refuse a file here."
    )
    forbids_proper_nouns = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The benchmark's page."""
        return reverse("benchmark", args=[self.slug])

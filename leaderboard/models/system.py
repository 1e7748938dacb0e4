"""System: the model under test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from simple_history.models import HistoricalRecords

from leaderboard.models.slugs import free_slug
from leaderboard.models.team import Team

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class SystemQuerySet(models.QuerySet["System"]):
    """Words for systems."""

    def owned_by(self, user: User) -> Self:
        """Those that ``user`` or a team of theirs entered."""
        return self.filter(models.Q(owner=user) | models.Q(team__in=Team.objects.of(user)))

    def may_submit_for(self, user: User) -> Self:
        """Those that ``user`` may submit for: their own, their teams', and for staff all."""
        return self if user.is_staff else self.owned_by(user)

    def free_slug(self, name: str) -> str:
        """The slug of ``name``; with -2, -3, ... behind it where somebody else has that one."""
        return free_slug(self, name, otherwise="system")


class System(models.Model):
    """A video-language model (or a human, or a baseline) whose descriptions are scored."""

    slug = models.SlugField(max_length=140, unique=True)
    name = models.CharField(max_length=120)
    organisation = models.CharField(max_length=120, blank=True)
    parameters = models.CharField(max_length=40, blank=True, help_text="For example 7B.")
    family = models.CharField(max_length=80, blank=True)
    frames = models.PositiveIntegerField(null=True, blank=True, help_text="Frames it looks at.")
    open_weights = models.BooleanField(null=True, blank=True)
    modality = models.CharField(
        max_length=80, blank=True, help_text="For example video, or video and sound."
    )
    licence = models.CharField(max_length=120, blank=True, help_text="Of the weights.")
    link = models.URLField(blank=True, help_text="The model's page.")
    paper = models.URLField(blank=True)
    code = models.URLField(blank=True)
    outputs = models.URLField(blank=True, help_text="Raw outputs.")
    prompt = models.TextField(blank=True)
    decoding = models.CharField(
        max_length=300, blank=True, help_text="For example greedy, at most 1024 tokens."
    )
    training_data = models.TextField(
        blank=True, help_text="What it was trained on, and whether clips of benchmarks were in it."
    )
    note = models.CharField(
        max_length=300, blank=True, help_text="How it was run, for example its prompt."
    )
    reference = models.BooleanField(
        default=False, help_text="People, or chance: shown beside a ranking, without a place in it."
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="systems",
    )
    team = models.ForeignKey(
        Team, null=True, blank=True, on_delete=models.SET_NULL, related_name="systems"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    history = HistoricalRecords()

    objects = SystemQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

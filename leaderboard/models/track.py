"""Track: one ranked table of a release."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.urls import reverse

from leaderboard.models.kind import Kind
from leaderboard.models.release import Release


class TrackQuerySet(models.QuerySet["Track"]):
    """Words for tracks."""

    def open(self) -> Self:
        """Those that score new submissions here."""
        return self.filter(scores_uploads=True)

    def taking(self, kind: str) -> Self:
        """Those that an upload of this kind counts on.

        Judgements made elsewhere need no judge here, so a track takes them even when it scores
        nothing.
        """
        found = self.filter(protocol__in=[p for p, kinds in TAKES.items() if kind in kinds])
        return found if kind == Kind.JUDGEMENTS else found.open()

    def reading(self, language: str) -> Self:
        """Those whose references are in this language, or that name none."""
        unnamed = models.Q(settings__language__isnull=True)
        return self.filter(unnamed | models.Q(settings__language=language))

    def languages(self) -> list[str]:
        """The languages that they name, in alphabetical order."""
        return sorted({track.language for track in self} - {""})


class Track(models.Model):
    """A protocol, its settings, its panel of judges and its primary metric.

    ``judges`` are names of the scoring library's catalogue. ``settings`` are the protocol's
    options (``long_text`` for ``semantic``; ``annotation`` for ``keypoints``), and which references
    are read: ``language`` and ``kind``, all of them where it names none. A
    track whose judges this site does not run (``scores_uploads`` is false) shows reported results
    only. No judge is asked about pair tests: their panel is ``["exact"]``.
    """

    class Protocol(models.TextChoices):
        """The module of ``scoring.protocols`` that scores it."""

        SEMANTIC = "semantic", "Semantic similarity"
        FACTS = "facts", "Facts"
        NGRAM = "ngram", "Shared words"
        EMBEDDING_MATCH = "embedding_match", "Matching embeddings"
        KEYPOINTS = "keypoints", "Keypoints"
        PAIRS = "pairs", "Caption pairs"

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="tracks")
    slug = models.SlugField()
    name = models.CharField(max_length=120)
    summary = models.CharField(max_length=300, blank=True)
    position = models.PositiveSmallIntegerField(default=0)
    protocol = models.CharField(max_length=20, choices=Protocol.choices, default=Protocol.SEMANTIC)
    settings = models.JSONField(default=dict, blank=True)
    judges = models.JSONField(default=list)
    primary_metric = models.CharField(max_length=40, default="hm_cf")
    scores_uploads = models.BooleanField(default=True)
    bootstrap_replicates = models.PositiveIntegerField(default=1000)
    bootstrap_seed = models.PositiveIntegerField(default=0)
    version = models.PositiveSmallIntegerField(default=1)
    replaces = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaced_by"
    )

    objects = TrackQuerySet.as_manager()

    class Meta:
        ordering = ["release", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["release", "slug"], name="track_slug_once")]

    def __str__(self) -> str:
        return f"{self.release}: {self.name}"

    def get_absolute_url(self) -> str:
        """The track's ranking page."""
        return reverse(
            "ranking", args=[self.release.benchmark.slug, self.release.version, self.slug]
        )

    @property
    def language(self) -> str:
        """That of the references it reads; empty when it names none."""
        return str(self.settings.get("language", ""))

    @property
    def takes(self) -> tuple[Kind, ...]:
        """The kinds of upload that it takes, the usual one first."""
        return TAKES[self.protocol]


TAKES: dict[str, tuple[Kind, ...]] = {
    Track.Protocol.SEMANTIC: (Kind.DESCRIPTIONS,),
    Track.Protocol.FACTS: (Kind.DESCRIPTIONS,),
    Track.Protocol.NGRAM: (Kind.DESCRIPTIONS,),
    Track.Protocol.EMBEDDING_MATCH: (Kind.DESCRIPTIONS,),
    Track.Protocol.KEYPOINTS: (Kind.DESCRIPTIONS, Kind.JUDGEMENTS),
    Track.Protocol.PAIRS: (Kind.PAIRS,),
}

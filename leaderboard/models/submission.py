"""Submission and Description: one upload for one system, and its text for each clip."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.urls import reverse

from leaderboard.models.clip import Clip
from leaderboard.models.kind import Kind
from leaderboard.models.pseudonym import Names, pseudonym
from leaderboard.models.ranking import Provenance
from leaderboard.models.release import Release
from leaderboard.models.system import System
from leaderboard.models.team import Team
from leaderboard.models.track import Track

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser


def upload_key(submission: Submission, filename: str) -> str:
    """The storage key: an id of ours, never the user's file name."""
    del filename
    return f"submissions/{submission.pk}"


def nameless(visibility: str, named_from: datetime | None, now: datetime) -> bool:
    """True for an anonymous submission until ``named_from``, for ever where there is none."""
    anonymous = visibility == Submission.Visibility.ANONYMOUS
    return anonymous and (named_from is None or named_from > now)


class SubmissionQuerySet(models.QuerySet["Submission"]):
    """Words for submissions; the one place that decides who may see which."""

    def visible_to(self, user: AbstractBaseUser | AnonymousUser) -> Self:
        """What is open to all, what is the user's, what they curate; for staff all.

        Curators see what waits for them or is hidden or withdrawn, but nothing private. What is
        not here answers 404.
        """
        if getattr(user, "is_staff", False):
            return self
        seen = _open_to_all()
        if user.is_authenticated:
            seen |= _belongs_to(user)
            seen |= models.Q(release__benchmark__curators=user.pk) & ~_private()
        return self.filter(pk__in=Submission.objects.filter(seen).values("pk"))

    def of(self, user: AbstractBaseUser | AnonymousUser) -> Self:
        """Those that ``user`` sent, and all of the teams they have joined: what they may change."""
        return self.filter(_belongs_to(user)) if user.is_authenticated else self.none()

    def open_to_all(self) -> Self:
        """What needs no account: not private, not held or hidden; withdrawn ones only where the
        benchmark goes on showing them.
        """
        return self.filter(_open_to_all())

    def nameless(self, now: datetime) -> Self:
        """Those whose names are kept from readers at ``now``."""
        anonymous = self.filter(visibility=Submission.Visibility.ANONYMOUS)
        return anonymous.filter(models.Q(named_from__isnull=True) | models.Q(named_from__gt=now))

    def on_the_board(self) -> Self:
        """Those that may have a place; of each system the newest counts."""
        return self.open_to_all().filter(withdrawn_at__isnull=True)


def _private() -> models.Q:
    return models.Q(visibility=Submission.Visibility.PRIVATE)


def _open_to_all() -> models.Q:
    stands = models.Q(withdrawn_at__isnull=True) | models.Q(
        release__benchmark__shows_withdrawn=True
    )
    return ~_private() & models.Q(standing=Submission.Standing.CLEAR) & stands


def _belongs_to(user: AbstractBaseUser | AnonymousUser) -> models.Q:
    """Whose it is: its sender's, and everybody's who has joined its team."""
    return models.Q(user=user.pk) | models.Q(team__in=Team.objects.of(user))


class Submission(models.Model):
    """One upload for one system on one release.

    Its state is not stored: it follows from its runs (``Run.State``), so that the two cannot
    disagree. ``sha256`` is of the stored bytes and is checked before scoring.

    ``track`` narrows it to one track; else it counts on every track of the release that takes its
    kind and its ``language``. ``judged_by`` names the judge of judgements made elsewhere, whose
    numbers are reported, not verified.
    """

    class Visibility(models.TextChoices):
        """Who sees it."""

        PUBLIC = "public", "Public: on the board when scored"
        ANONYMOUS = "anonymous", "Anonymous: on the board without names"
        PRIVATE = "private", "Private: only me and my team"

    class Standing(models.TextChoices):
        """What curators say of it."""

        CLEAR = "clear"
        HELD = "held", "Waits for a curator"
        HIDDEN = "hidden", "Hidden by a curator"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="submissions")
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="submissions")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="submissions",
    )
    team = models.ForeignKey(
        Team, null=True, blank=True, on_delete=models.SET_NULL, related_name="submissions"
    )
    sender_left = models.BooleanField(
        default=False, help_text="Its sender's account was deleted; a former member sent it."
    )
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.DESCRIPTIONS)
    track = models.ForeignKey(
        Track, null=True, blank=True, on_delete=models.RESTRICT, related_name="submissions"
    )
    judged_by = models.CharField(max_length=80, blank=True)
    language = models.CharField(max_length=12, default="en", help_text="Of the descriptions.")
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC
    )
    named_from = models.DateTimeField(
        null=True, blank=True, help_text="When an anonymous submission shows its names by itself."
    )
    published_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was last made visible to others."
    )
    standing = models.CharField(max_length=8, choices=Standing.choices, default=Standing.CLEAR)
    standing_reason = models.CharField(max_length=300, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawal_reason = models.CharField(max_length=300, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    diagnostics = models.JSONField(
        default=dict, blank=True, help_text="What the texts alone show, by flag."
    )
    note = models.TextField(blank=True)
    file = models.FileField(upload_to=upload_key, max_length=200)
    original_name = models.CharField(max_length=255, help_text="Shown, never used as a path.")
    format = models.CharField(max_length=20)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    warnings = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    taken_from = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="copies",
        help_text="The one on an older release that curators took in again as this.",
    )

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.system} ({self.created_at:%Y-%m-%d %H:%M})"

    def get_absolute_url(self) -> str:
        """The page that shows its progress and its scores."""
        return reverse("submission", args=[self.pk])

    def is_nameless(self, now: datetime) -> bool:
        """True while its names are kept from readers."""
        return nameless(self.visibility, self.named_from, now)

    @property
    def provenance(self) -> Provenance:
        """Of the rankings that it stands in: what was judged elsewhere is reported."""
        reported = self.kind == Kind.JUDGEMENTS
        return Provenance.REPORTED if reported else Provenance.VERIFIED

    def names(self, now: datetime) -> Names:
        """What readers call its system; ``access.names`` says what one viewer does."""
        if self.is_nameless(now):
            return pseudonym(self.system_id, self.release_id)
        return Names(self.system.slug, self.system.name)


class Description(models.Model):
    """A submission's text for one clip, exactly as uploaded."""

    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, related_name="descriptions"
    )
    clip = models.ForeignKey(Clip, on_delete=models.PROTECT, related_name="descriptions")
    text = models.TextField(blank=True)

    class Meta:
        ordering = ["submission", "clip__position"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "clip"], name="description_once")
        ]

    def __str__(self) -> str:
        return f"{self.clip}: {self.text[:40]}"

"""Notice: what the site has to tell one person."""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import models

from leaderboard.models.submission import Submission


class NoticeQuerySet(models.QuerySet["Notice"]):
    """Words for notices."""

    def unread(self) -> Self:
        """Those that their reader has not seen."""
        return self.filter(read_at__isnull=True)

    def to_mail(self) -> Self:
        """Those whose mail has not gone out."""
        return self.filter(wants_mail=True, mailed_at__isnull=True)


class Notice(models.Model):
    """Shown on the site until read; ``mailed_at`` says when it also went out as a mail.

    ``key`` names what it is about, so that no event is told twice. Whether it goes out as a mail
    is decided once, when it is made.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    submission = models.ForeignKey(
        Submission, null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )
    key = models.CharField(max_length=120)
    text = models.CharField(max_length=300)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)
    wants_mail = models.BooleanField(default=False, help_text="Goes out as a mail too.")
    mailed_at = models.DateTimeField(null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="notice_once")]

    def __str__(self) -> str:
        return self.text

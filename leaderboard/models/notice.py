"""Notice: what the site has to tell one person."""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import models

from leaderboard.models.submission import Submission


class NoticeQuerySet(models.QuerySet["Notice"]):
    """Words for notices."""

    def on_site(self) -> Self:
        """Those that are shown here; of the others their person wants a mail at most."""
        return self.filter(on_site=True)

    def unread(self) -> Self:
        """Those that are shown here and that their reader has not seen."""
        return self.on_site().filter(read_at__isnull=True)

    def to_mail(self) -> Self:
        """Those whose mail has not gone out."""
        return self.filter(wants_mail=True, mailed_at__isnull=True)


class Notice(models.Model):
    """Shown on the site until read; ``mailed_at`` says when it also went out as a mail.

    ``key`` names what it is about, so that no event is told twice. Whether it is shown on the site
    and goes out as a mail is decided once, when it is made, by its person's preferences: one that
    is neither only remembers that there was nothing to tell.
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
    on_site = models.BooleanField(
        default=True, db_default=True, help_text="Is shown under Notices."
    )
    wants_mail = models.BooleanField(default=False, help_text="Goes out as a mail too.")
    mailed_at = models.DateTimeField(null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="notice_once")]

    def __str__(self) -> str:
        return self.text

"""DirectUpload: a file on its way into the bucket, past the site."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from leaderboard.models.benchmark import Benchmark

FOLDER = "uploads"


class DirectUpload(models.Model):
    """What was announced of a file whose parts are sent to the bucket itself.

    Nothing of it is a submission until it has been completed and checked; the submission then takes
    its id, so that completing it twice makes one. What is not completed by ``expires_at`` is swept
    away. ``upload_id`` is the server's; ``joined`` says that the parts have become one file.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="direct_uploads"
    )
    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.CASCADE, related_name="direct_uploads"
    )
    original_name = models.CharField(max_length=255, help_text="Shown, never used as a path.")
    size = models.PositiveBigIntegerField(help_text="Bytes, as announced.")
    sha256 = models.CharField(max_length=64, blank=True, help_text="As announced.")
    upload_id = models.TextField()
    joined = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.original_name} ({self.size} bytes)"

    @property
    def key(self) -> str:
        """Where it is put together."""
        return f"{FOLDER}/{self.pk}"

"""AuditEntry: who changed what, when, from what to what."""

from __future__ import annotations

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from leaderboard.models.benchmark import Benchmark


class AuditEntry(models.Model):
    """One change to data, policy, visibility or score. Written once, never changed.

    ``action`` is a noun and a verb (``submission.hide``), ``target`` what it was done to, in words
    that stay readable when the row is gone; ``before`` and ``after`` hold the fields that changed.
    """

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    actor = models.CharField(max_length=160, help_text="The user's name then, or the command.")
    benchmark = models.ForeignKey(
        Benchmark, null=True, blank=True, on_delete=models.SET_NULL, related_name="audit_entries"
    )
    action = models.CharField(max_length=60, db_index=True)
    target = models.CharField(max_length=300)
    target_id = models.CharField(max_length=60, blank=True, db_index=True)
    before = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    after = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.action} {self.target}"

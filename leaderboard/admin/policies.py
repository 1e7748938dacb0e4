"""Policies and news of benchmarks, and the trail of what was changed."""

from __future__ import annotations

from django.contrib import admin

from leaderboard.admin.base import Admin, ComputedAdmin
from leaderboard.models import Announcement, AuditEntry, QuotaPolicy


@admin.register(QuotaPolicy)
class QuotaPolicyAdmin(Admin[QuotaPolicy]):
    """How much may be submitted."""

    search_fields = ["benchmark__slug", "benchmark__name"]
    list_display = ["benchmark", "limit", "window", "hours", "per", "at_once"]
    list_select_related = ["benchmark"]


@admin.register(Announcement)
class AnnouncementAdmin(Admin[Announcement]):
    """News of a benchmark."""

    list_display = ["title", "benchmark", "posted_at"]
    list_select_related = ["benchmark"]
    list_filter = ["benchmark"]
    search_fields = ["title", "text"]
    autocomplete_fields = ["user"]


@admin.register(AuditEntry)
class AuditEntryAdmin(ComputedAdmin[AuditEntry]):
    """Who changed what; nobody changes that."""

    list_display = ["at", "actor", "action", "target", "benchmark"]
    list_select_related = ["benchmark"]
    list_filter = ["action", "benchmark"]
    search_fields = ["actor", "action", "target", "target_id", "reason"]
    date_hierarchy = "at"

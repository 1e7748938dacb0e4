"""Batches of curators, to look at."""

from __future__ import annotations

from django.contrib import admin

from leaderboard.admin.base import ComputedAdmin
from leaderboard.models import Batch


@admin.register(Batch)
class BatchAdmin(ComputedAdmin[Batch]):
    """Something asked for many submissions at once."""

    list_display = ["kind", "release", "track", "user", "total", "done", "created_at"]
    list_filter = ["kind", "benchmark"]
    list_select_related = ["release__benchmark", "track__release__benchmark", "user"]
    search_fields = ["user__username", "release__version"]

"""Maps of clips, which workers make."""

from __future__ import annotations

from django.contrib import admin

from leaderboard.admin.base import ComputedAdmin
from leaderboard.models import ClipMap


@admin.register(ClipMap)
class ClipMapAdmin(ComputedAdmin[ClipMap]):
    """A release's clips on a plane, as one judge reads their references."""

    list_display = ["track", "judge", "share"]
    search_fields = ["judge", "track__name", "track__release__benchmark__name"]
    list_select_related = ["track__release__benchmark"]

"""Caption pairs, which come with a release's pair tests."""

from __future__ import annotations

from django.contrib import admin

from leaderboard.admin.base import ComputedAdmin, FrozenOncePublished
from leaderboard.models import CaptionPair, Release


@admin.register(CaptionPair)
class CaptionPairAdmin(FrozenOncePublished[CaptionPair], ComputedAdmin[CaptionPair]):
    """A true and a false caption of a clip. Answers are aligned to positions: it stays."""

    list_display = ["key", "test_name", "release", "positive", "negative"]
    list_filter = ["release__benchmark", "test_name"]
    list_select_related = ["release__benchmark"]
    search_fields = ["key", "positive", "negative"]
    ordering = ["release", "position"]

    def release_of(self, row: CaptionPair) -> Release:
        """Its own."""
        return row.release

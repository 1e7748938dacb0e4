"""Caption pairs, which come with a release's pair tests."""

from __future__ import annotations

from django.contrib import admin

from leaderboard.admin.base import ComputedAdmin
from leaderboard.models import CaptionPair


@admin.register(CaptionPair)
class CaptionPairAdmin(ComputedAdmin[CaptionPair]):
    """A true and a false caption of a clip. Answers are aligned to positions: it stays."""

    list_display = ["key", "test_name", "release", "positive", "negative"]
    list_filter = ["release__benchmark", "test_name"]
    list_select_related = ["release__benchmark"]
    search_fields = ["key", "positive", "negative"]
    ordering = ["release", "position"]

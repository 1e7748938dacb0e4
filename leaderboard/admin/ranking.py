"""Rankings, which are never edited: a new one follows from new scores."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from leaderboard.admin.base import ComputedAdmin
from leaderboard.models import Ranking
from leaderboard.models.ranking import HEAVY


@admin.register(Ranking)
class RankingAdmin(ComputedAdmin[Ranking]):
    """A table computed once and kept."""

    list_display = ["track", "provenance", "computed_at", "fingerprint"]
    list_filter = ["provenance", "track__release__benchmark", "computed_at"]
    list_select_related = ["track__release__benchmark"]
    search_fields = ["fingerprint", "track__name", "track__slug"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ranking]:
        """Without the tables, which only the page of one row shows."""
        return super().get_queryset(request).defer(*HEAVY)

"""Evidence: what a run saw on a clip."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from leaderboard.admin.base import ComputedAdmin
from leaderboard.models import Evidence


@admin.register(Evidence)
class EvidenceAdmin(ComputedAdmin[Evidence]):
    """Sentence matches of one run on one clip."""

    list_display = ["clip", "system", "judge"]
    list_filter = ["run__judge", "run__track__release__benchmark"]
    list_select_related = ["clip", "run__submission__system"]
    search_fields = ["clip__key", "run__submission__system__name"]
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Evidence]:
        """Without the data, which only the page of one row shows."""
        return super().get_queryset(request).defer("data")

    @admin.display(ordering="run__submission__system__name")
    def system(self, evidence: Evidence) -> str:
        """Whose description it is about."""
        return evidence.run.submission.system.name

    @admin.display(ordering="run__judge")
    def judge(self, evidence: Evidence) -> str:
        """Who saw it."""
        return evidence.run.judge

"""Score vectors: the means in a list; the values are in the exports."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from leaderboard.admin.base import ComputedAdmin
from leaderboard.models import ScoreVector


@admin.register(ScoreVector)
class ScoreVectorAdmin(ComputedAdmin[ScoreVector]):
    """One metric of one run."""

    list_display = ["system", "judge", "metric", "mean", "clips"]
    list_filter = ["metric", "run__judge", "run__track__release__benchmark"]
    list_select_related = ["run__submission__system"]
    search_fields = ["run__submission__system__name", "run__judge", "metric"]
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ScoreVector]:
        """Without the arrays, which no page here shows."""
        return super().get_queryset(request).defer("data")

    @admin.display(ordering="run__submission__system__name")
    def system(self, vector: ScoreVector) -> str:
        """Whose scores they are."""
        return vector.run.submission.system.name

    @admin.display(ordering="run__judge")
    def judge(self, vector: ScoreVector) -> str:
        """Who gave them."""
        return vector.run.judge

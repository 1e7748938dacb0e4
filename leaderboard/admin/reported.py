"""Reported results: numbers typed in from a paper."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from leaderboard.admin.base import Admin
from leaderboard.models import ReportedResult
from leaderboard.pipeline.rank import rank_reported


@admin.register(ReportedResult)
class ReportedResultAdmin(Admin[ReportedResult]):
    """The published mean of one metric of one judge for one system.

    A change is ranked at once, without a worker: means of systems are a small table.
    """

    list_display = ["system", "judge", "metric", "part", "mean", "track", "source"]
    list_filter = ["track__release__benchmark", "judge", "metric", "part"]
    list_select_related = ["system", "track__release__benchmark"]
    search_fields = ["system__name", "system__slug", "source"]
    autocomplete_fields = ["system", "track"]

    def save_model(
        self, request: HttpRequest, obj: ReportedResult, form: Any, change: bool
    ) -> None:
        """Store, then rank; where it was moved to another track, that one's old place too."""
        before = {form.initial["track"]} if change and "track" in form.initial else set()
        super().save_model(request, obj, form, change)
        _rank_on_commit({obj.track_id, *before})

    def delete_model(self, request: HttpRequest, obj: ReportedResult) -> None:
        """Delete, then rank."""
        super().delete_model(request, obj)
        _rank_on_commit({obj.track_id})

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ReportedResult]) -> None:
        """Delete, then rank."""
        tracks = set(queryset.order_by().values_list("track", flat=True))
        super().delete_queryset(request, queryset)
        _rank_on_commit(tracks)


def _rank_on_commit(tracks: Iterable[int]) -> None:
    for track in tracks:
        transaction.on_commit(partial(rank_reported, track))

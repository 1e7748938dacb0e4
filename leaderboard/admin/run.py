"""Runs: what was scored, what waits, what failed and why."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator

from leaderboard import audit, tasks
from leaderboard.admin.base import ComputedAdmin
from leaderboard.http import signed_in
from leaderboard.models import Run
from leaderboard.pipeline import dispatch


@admin.register(Run)
class RunAdmin(ComputedAdmin[Run]):
    """One judge on one submission. What has no score can be tried again."""

    list_display = ["system", "judge", "state", "progress", "attempts", "why", "track", "sent"]
    list_filter = ["state", "judge", "track__release__benchmark"]
    list_select_related = ["submission__system", "track__release__benchmark"]
    search_fields = ["submission__system__name", "submission__id", "judge", "error", "worker"]
    ordering = ["-queued_at", "-pk"]
    actions = ["retry"]

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """Whoever may change runs may have them tried again."""
        return request.user.has_perm("leaderboard.change_run")

    @admin.action(
        description="Try failed, incomplete and cancelled runs again", permissions=["retry"]
    )
    def retry(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        """Queue those of the chosen runs that may be, and say how many were left alone."""
        runs = list(queryset)
        again = [run for run in runs if dispatch.retry(run)]
        for run in again:
            audit.record(
                actor=signed_in(request),
                action="run.retry",
                target=run,
                benchmark=run.track.release.benchmark,
                before={},
                after={"state": run.state},
            )
        tasks.send_runs(again)
        if again:
            self.message_user(request, f"Queued again: {len(again)}.", messages.SUCCESS)
        if len(again) < len(runs):
            left = len(runs) - len(again)
            self.message_user(
                request,
                f"Left alone, for they are open or done: {left}.",
                messages.WARNING,
            )

    @admin.display(ordering="submission__system__name")
    def system(self, run: Run) -> str:
        """Whose descriptions are scored."""
        return run.submission.system.name

    @admin.display
    def progress(self, run: Run) -> str:
        """How far it is."""
        return f"{run.percent} %"

    @admin.display(description="error", ordering="error")
    def why(self, run: Run) -> str:
        """The beginning of what went wrong; the run's page has all of it."""
        return Truncator(run.error).chars(100)

    @admin.display(ordering="queued_at")
    def sent(self, run: Run) -> str:
        """When it was queued."""
        return f"{run.queued_at:%Y-%m-%d %H:%M}"

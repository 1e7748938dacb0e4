"""Submissions and their descriptions, which come through the intake only."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from leaderboard.admin.base import Admin, ComputedAdmin, Inline
from leaderboard.models import Description, Run, Submission


class RunInline(Inline[Run, Submission]):
    """What became of it with each judge."""

    model = Run
    extra = 0
    fields = ["track", "judge", "state", "attempts", "error"]
    readonly_fields = ["track", "judge", "state", "attempts", "error"]
    can_delete = False
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        """With what the name of a track is made of."""
        return super().get_queryset(request).select_related("track__release__benchmark")

    def has_add_permission(self, request: HttpRequest, obj: Submission | None = None) -> bool:
        """Runs are made by the pipeline."""
        return False


SEEN_BY = ("visibility", "named_from", "standing", "standing_reason", "withdrawn_at")


@admin.register(Submission)
class SubmissionAdmin(Admin[Submission]):
    """One upload. Who sent it can be changed; what was uploaded cannot.

    Who sees it is changed where the change is told, written down and followed by the boards: on
    its own page and on the benchmark's page of moderation.
    """

    list_display = ["system", "release", "user", "visibility", "format", "size", "created_at"]
    list_filter = ["release__benchmark", "visibility", "format", "created_at"]
    list_select_related = ["system", "release__benchmark", "user"]
    search_fields = ["id", "system__name", "system__slug", "user__username", "original_name"]
    autocomplete_fields = ["user"]
    fields = [
        "release",
        "system",
        "user",
        *SEEN_BY,
        "changed_at",
        "note",
        "original_name",
        "file",
        "format",
        "size",
        "sha256",
        "warnings",
        "created_at",
    ]
    readonly_fields = [
        "release",
        "system",
        *SEEN_BY,
        "changed_at",
        "original_name",
        "file",
        "format",
        "size",
        "sha256",
        "warnings",
        "created_at",
    ]
    inlines = [RunInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Uploads are checked by the intake, on the site or over the API."""
        return False

    @admin.display(description="change who sees it")
    def changed_at(self, submission: Submission) -> SafeString:
        """The pages where that is done."""
        own, of_all = submission.get_absolute_url(), submission.release.benchmark.slug
        return format_html(
            '<a href="{}">Its page</a>, <a href="{}">moderation of the benchmark</a>',
            own,
            reverse("curate-moderation", args=[of_all]),
        )


@admin.register(Description)
class DescriptionAdmin(ComputedAdmin[Description]):
    """A text exactly as it was uploaded."""

    list_display = ["clip", "system", "submission_id", "beginning"]
    list_filter = ["submission__release__benchmark"]
    list_select_related = ["clip", "submission__system"]
    search_fields = ["clip__key", "submission__system__name", "text"]
    ordering = ["-pk"]

    @admin.display(ordering="submission__system__name")
    def system(self, description: Description) -> str:
        """Whose text it is."""
        return description.submission.system.name

    @admin.display(description="text")
    def beginning(self, description: Description) -> str:
        """Its first words."""
        return description.text.strip()[:80]

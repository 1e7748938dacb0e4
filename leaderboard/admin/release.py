"""Releases, with their tracks."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from leaderboard.admin.base import Admin, Inline
from leaderboard.models import Clip, Release, Track


class TrackInline(Inline[Track, Release]):
    """Its ranked tables."""

    model = Track
    extra = 0
    fields = ["slug", "name", "position", "scores_uploads"]
    show_change_link = True


@admin.register(Release)
class ReleaseAdmin(Admin[Release]):
    """A frozen version of a benchmark's data; its clips are linked, for they may be thousands."""

    list_display = ["__str__", "version", "clips", "published_at"]
    list_filter = ["benchmark", ("published_at", admin.EmptyFieldListFilter)]
    list_select_related = ["benchmark"]
    search_fields = ["version", "benchmark__name", "benchmark__slug"]
    autocomplete_fields = ["benchmark"]
    inlines = [TrackInline]

    def get_readonly_fields(self, request: HttpRequest, obj: Release | None = None) -> list[str]:
        """What is published stays so, under its version."""
        fixed = ["benchmark", "version", "published_at", "corrects"]
        return fixed if obj is not None and obj.is_frozen else []

    def get_queryset(self, request: HttpRequest) -> QuerySet[Release]:
        """With the number of clips of each."""
        counts = (
            Clip.objects.filter(release=OuterRef("pk"))
            .order_by()
            .values("release")
            .annotate(n=Count("pk"))
        )
        releases: QuerySet[Release] = super().get_queryset(request)
        return releases.annotate(clip_count=Subquery(counts.values("n")))

    @admin.display(description="clips", ordering="clip_count")
    def clips(self, release: Release) -> str:
        """How many, as a link to their list."""
        address = reverse("admin:leaderboard_clip_changelist")
        count = getattr(release, "clip_count", None) or 0
        return format_html('<a href="{}?release__id__exact={}">{}</a>', address, release.pk, count)

"""Benchmarks, with their releases."""

from django.contrib import admin
from django.http import HttpRequest

from leaderboard.admin.base import HTTPS_URLS, Admin, Inline
from leaderboard.models import Benchmark, Release


class ReleaseInline(Inline[Release, Benchmark]):
    """The versions of its data."""

    model = Release
    extra = 0
    fields = ["version", "published_at"]
    readonly_fields = ["version", "published_at"]
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: Benchmark | None = None) -> bool:
        """On a page of their own, or by bringing data in."""
        return False


@admin.register(Benchmark)
class BenchmarkAdmin(Admin[Benchmark]):
    """A named task, its licence and its citation."""

    list_display = ["name", "slug", "licence", "created_at"]
    search_fields = ["name", "slug", "summary"]
    prepopulated_fields = {"slug": ["name"]}
    formfield_overrides = HTTPS_URLS
    inlines = [ReleaseInline]

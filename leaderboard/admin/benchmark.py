"""Benchmarks, with their releases."""

from django.contrib import admin

from leaderboard.admin.base import HTTPS_URLS, Admin, Inline
from leaderboard.models import Benchmark, Release


class ReleaseInline(Inline[Release, Benchmark]):
    """The versions of its data."""

    model = Release
    extra = 0
    fields = ["version", "published_at"]
    show_change_link = True


@admin.register(Benchmark)
class BenchmarkAdmin(Admin[Benchmark]):
    """A named task, its licence and its citation."""

    list_display = ["name", "slug", "licence", "created_at"]
    search_fields = ["name", "slug", "summary"]
    prepopulated_fields = {"slug": ["name"]}
    formfield_overrides = HTTPS_URLS
    inlines = [ReleaseInline]

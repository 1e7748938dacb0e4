"""Clips and references."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from leaderboard.admin.base import HTTPS_URLS, Admin, TallInline
from leaderboard.models import Clip, Reference


class ReferenceInline(TallInline[Reference, Clip]):
    """The texts that describe it."""

    model = Reference
    extra = 0


@admin.register(Clip)
class ClipAdmin(Admin[Clip]):
    """One video; where it stands is fixed once its release is published."""

    list_display = ["key", "release", "position", "title", "category", "duration", "excluded"]
    list_filter = ["release__benchmark", "excluded", "category"]
    list_select_related = ["release__benchmark"]
    search_fields = ["key", "title"]
    autocomplete_fields = ["release"]
    inlines = [ReferenceInline]
    formfield_overrides = HTTPS_URLS

    def get_readonly_fields(self, request: HttpRequest, obj: Clip | None = None) -> list[str]:
        """Score vectors are aligned to positions, uploads to keys: both stay."""
        frozen = obj is not None and obj.release.published_at is not None
        return ["release", "key", "position"] if frozen else []


@admin.register(Reference)
class ReferenceAdmin(Admin[Reference]):
    """A text that describes a clip."""

    list_display = ["clip", "release", "language", "kind", "position", "beginning"]
    list_filter = ["clip__release__benchmark", "language", "kind"]
    list_select_related = ["clip__release__benchmark"]
    search_fields = ["clip__key", "text"]
    autocomplete_fields = ["clip"]

    @admin.display(ordering="clip__release")
    def release(self, reference: Reference) -> str:
        """Whose clip it describes."""
        return str(reference.clip.release)

    @admin.display(description="text")
    def beginning(self, reference: Reference) -> str:
        """Its first words."""
        return f"{reference.text.strip()[:80]}"

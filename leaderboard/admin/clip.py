"""Clips and references."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import ForeignKey
from django.http import HttpRequest

from leaderboard.admin.base import HTTPS_URLS, FrozenOncePublished, TallInline
from leaderboard.models import Clip, Reference, Release


def _is_frozen(clip: Clip | None) -> bool:
    """Scores follow from the clips and references of a published release: they stay."""
    return clip is not None and clip.release.is_frozen


class ReferenceInline(TallInline[Reference, Clip]):
    """The texts that describe it."""

    model = Reference
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Clip | None = None) -> bool:
        """Not once it is frozen."""
        return not _is_frozen(obj) and super().has_add_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Clip | None = None) -> bool:
        """Not once it is frozen."""
        return not _is_frozen(obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Clip | None = None) -> bool:
        """Not once it is frozen."""
        return not _is_frozen(obj) and super().has_delete_permission(request, obj)


@admin.register(Clip)
class ClipAdmin(FrozenOncePublished[Clip]):
    """One video."""

    list_display = ["key", "release", "position", "title", "category", "duration", "excluded"]
    list_filter = ["release__benchmark", "excluded", "category"]
    list_select_related = ["release__benchmark"]
    search_fields = ["key", "title"]
    autocomplete_fields = ["release"]
    inlines = [ReferenceInline]
    formfield_overrides = HTTPS_URLS

    def release_of(self, row: Clip) -> Release:
        """Its own."""
        return row.release

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> Any:
        """A new clip goes into a release that is not published yet."""
        if db_field.name == "release":
            kwargs["queryset"] = Release.objects.filter(published_at=None)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


@admin.register(Reference)
class ReferenceAdmin(FrozenOncePublished[Reference]):
    """A text that describes a clip; a new one is entered on the page of its clip."""

    list_display = ["clip", "release", "language", "kind", "position", "beginning"]
    list_filter = ["clip__release__benchmark", "language", "kind"]
    list_select_related = ["clip__release__benchmark"]
    search_fields = ["clip__key", "text"]
    autocomplete_fields = ["clip"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only beside its clip, which may be frozen."""
        return False

    def release_of(self, row: Reference) -> Release:
        """That of its clip."""
        return row.clip.release

    @admin.display(ordering="clip__release")
    def release(self, reference: Reference) -> str:
        """Whose clip it describes."""
        return str(reference.clip.release)

    @admin.display(description="text")
    def beginning(self, reference: Reference) -> str:
        """Its first words."""
        return f"{reference.text.strip()[:80]}"

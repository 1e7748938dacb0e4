"""What several admin pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.contrib import admin
from django.db import models
from django.forms import ModelForm
from django.http import HttpRequest

from leaderboard.admin.audited import Audited
from leaderboard.models import Release

M = TypeVar("M", bound=models.Model)
# An address that is typed without a scheme is taken as https.
HTTPS_URLS: dict[type[models.Field[Any, Any]], dict[str, Any]] = {
    models.URLField: {"assume_scheme": "https"}
}

if TYPE_CHECKING:
    Admin = admin.ModelAdmin
    Inline = admin.TabularInline
    TallInline = admin.StackedInline
    Form = ModelForm
else:
    # The type checker knows which model each is for; Django's own classes take no such argument
    # when the program runs.

    class _Typed:
        def __class_getitem__(cls, model: object) -> type:
            return cls

    class Admin(_Typed, Audited, admin.ModelAdmin):
        """``Admin[Clip]``: a page for each clip; what is changed there is written down."""

    class Inline(_Typed, admin.TabularInline):
        """``Inline[Track, Release]``: a release's tracks, a line each."""

    class TallInline(_Typed, admin.StackedInline):
        """The same, for long fields."""

    class Form(_Typed, ModelForm):
        """``Form[Track]``: a form of a track."""


class FrozenOncePublished(Admin[M]):
    """Data of a release: scores follow from it, so nothing is changed or deleted once published."""

    def release_of(self, row: Any) -> Release:
        """Whose data the row is."""
        raise NotImplementedError

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Not once it is published: a correction is a release of its own."""
        return self._may_change(obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Neither."""
        return self._may_change(obj) and super().has_delete_permission(request, obj)

    def _may_change(self, obj: Any) -> bool:
        return obj is None or not self.release_of(obj).is_frozen


class ComputedAdmin(Admin[M]):
    """Rows that the site makes: to be read and, with what they belong to, deleted."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never: they follow from other rows."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: they would no longer follow."""
        return False

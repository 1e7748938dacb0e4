"""Systems, with the history of their cards."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from simple_history.admin import SimpleHistoryAdmin

from leaderboard.admin.audited import Audited
from leaderboard.admin.base import HTTPS_URLS
from leaderboard.models import System


@admin.register(System)
class SystemAdmin(Audited, SimpleHistoryAdmin):  # type: ignore[misc] # the package has no types
    """The model under test."""

    list_display = ["name", "slug", "organisation", "parameters", "family", "owner", "created_at"]
    list_filter = ["open_weights", "family", ("owner", admin.EmptyFieldListFilter)]
    list_select_related = ["owner"]
    search_fields = ["name", "slug", "organisation", "owner__username"]
    autocomplete_fields = ["owner"]
    prepopulated_fields = {"slug": ["name"]}
    formfield_overrides = HTTPS_URLS

    def history_view(self, request: HttpRequest, object_id: str, *args: Any) -> HttpResponse:
        """404 for what can be no key, as Django's own pages of the admin answer."""
        return _or_404(super().history_view, request, object_id, *args)

    def history_form_view(self, request: HttpRequest, object_id: str, *args: Any) -> HttpResponse:
        """The same of one version."""
        return _or_404(super().history_form_view, request, object_id, *args)


def _or_404(view: Any, request: HttpRequest, object_id: str, *args: Any) -> HttpResponse:
    try:
        System._meta.pk.to_python(unquote(object_id))
    except ValidationError as error:
        raise Http404("Not a key.") from error
    answer: HttpResponse = view(request, object_id, *args)
    return answer

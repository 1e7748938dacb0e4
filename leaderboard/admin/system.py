"""Systems, with the history of their cards."""

from django.contrib import admin
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

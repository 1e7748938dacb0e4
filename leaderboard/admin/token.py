"""API tokens: the secret is shown once, when the token is made."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest

from leaderboard.admin.base import Admin
from leaderboard.models import ApiToken


@admin.register(ApiToken)
class ApiTokenAdmin(Admin[ApiToken]):
    """A named token of one user; only its hash is kept, and that is not shown either."""

    list_display = ["name", "user", "created_at", "last_used_at"]
    list_select_related = ["user"]
    search_fields = ["name", "user__username"]
    autocomplete_fields = ["user"]
    fields = ["user", "name", "created_at", "last_used_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: ApiToken | None = None) -> list[str]:
        """A token never changes hands."""
        made = ["created_at", "last_used_at"]
        return [*made, "user"] if obj else made

    def save_model(self, request: HttpRequest, obj: ApiToken, form: Any, change: bool) -> None:
        """Make a new token by the one function that does, and show its secret."""
        if change:
            super().save_model(request, obj, form, change)
            return
        token, secret = ApiToken.objects.issue(user=obj.user, name=obj.name)
        obj.pk, obj.digest, obj.created_at = token.pk, token.digest, token.created_at
        self.message_user(
            request,
            f"The token is {secret}. Copy it now: it is not shown again.",
            messages.WARNING,
        )

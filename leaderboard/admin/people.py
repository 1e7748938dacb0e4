"""People: profiles, teams and what the site has told them."""

from __future__ import annotations

import allauth.account.admin
import allauth.mfa.admin
import allauth.socialaccount.admin  # noqa: F401 - these three register what is audited below
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse

from leaderboard.admin.audited import Audited
from leaderboard.admin.base import Admin, ComputedAdmin, Inline
from leaderboard.http import signed_in
from leaderboard.models import Invitation, Membership, Notice, Profile, Team
from leaderboard.people import accounts

OF_OTHERS = (Group, EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken)
admin.site.unregister(User)
for model in OF_OTHERS:
    plain = type(admin.site.get_model_admin(model))
    admin.site.unregister(model)
    admin.site.register(model, type(plain.__name__, (Audited, plain), {}))


@admin.register(User)
class AccountAdmin(Audited, UserAdmin):  # type: ignore[type-arg] # no argument when it runs
    """Django's, but an account ends here as it does by its owner's own hand, and all is audited."""

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002 - Django's name
        form_url: str = "",
    ) -> HttpResponse:
        """That it was set anew, never what to. 404 for what can be no key."""
        try:
            User._meta.pk.to_python(id)
        except ValidationError as error:
            raise Http404("Not a key.") from error
        with transaction.atomic():
            before = User.objects.filter(pk=id).values_list("password", flat=True).first()
            answer: HttpResponse = super().user_change_password(request, id, form_url)
            user = User.objects.filter(pk=id).exclude(password=before or "").first()
            if user is not None:
                self.write_down(request, user, "password", {}, {"password": "set anew"})
        return answer

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Private things go, public results stay under "former member"."""
        try:
            accounts.delete_account(user=obj, actor=signed_in(request))
        except accounts.HandOverFirst as forbidden:
            self.message_user(request, f"{obj} was not deleted. {forbidden}", messages.ERROR)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """One by one."""
        for user in queryset:
            self.delete_model(request, user)


@admin.register(Profile)
class ProfileAdmin(Admin[Profile]):
    """What an account says of its person."""

    list_display = ["user", "display_name", "affiliation", "banned_at"]
    list_select_related = ["user"]
    search_fields = ["user__username", "display_name", "affiliation"]
    autocomplete_fields = ["user"]


class MembershipInline(Inline[Membership, Team]):
    """Who is in a team."""

    model = Membership
    extra = 0
    autocomplete_fields = ["user"]


class InvitationInline(Inline[Invitation, Team]):
    """Who was asked by mail."""

    model = Invitation
    extra = 0


@admin.register(Team)
class TeamAdmin(Admin[Team]):
    """People who share systems, submissions and quota."""

    list_display = ["name", "affiliation", "created_at"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    inlines = [MembershipInline, InvitationInline]


@admin.register(Notice)
class NoticeAdmin(ComputedAdmin[Notice]):
    """What one person was told."""

    list_display = ["text", "user", "created_at", "read_at", "mailed_at"]
    list_select_related = ["user"]
    search_fields = ["text", "user__username"]

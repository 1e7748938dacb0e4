"""People: profiles, teams and what the site has told them."""

from __future__ import annotations

from django.contrib import admin

from leaderboard.admin.base import Admin, ComputedAdmin, Inline
from leaderboard.models import Invitation, Membership, Notice, Profile, Team


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

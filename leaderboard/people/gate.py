"""What is asked of every request by somebody who is signed in."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone

from leaderboard.models import Profile

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser

# Where somebody without a second factor may go: the pages that lead to one, and out.
OPEN_TO_ALL = ("account_", "mfa_")
NEEDED = "The staff of this site sign in with a second factor: set up an authenticator app first."


def zone_of(user: AbstractBaseUser | AnonymousUser) -> tzinfo:
    """The user's time zone; UTC also where this machine's data has lost it since."""
    if not user.is_authenticated:
        return UTC
    profiles = Profile.objects.filter(user=user.pk)
    name = profiles.values_list("time_zone", flat=True).first()
    try:
        return zoneinfo.ZoneInfo(name) if name else UTC
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return UTC


class TimeZoneMiddleware:
    """Times on pages are those of the viewer's time zone; UTC for whoever has named none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The page, with its times in that zone."""
        with timezone.override(zone_of(request.user)):
            return self.get_response(request)


class StaffFactorMiddleware:
    """Staff without a second factor see nothing but the pages that set one up.

    Staff see what is private on every page, so that no page is left out: what a later one shows is
    kept without its author having to think of it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The page."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        """None, or the way to the page that sets a second factor up."""
        if not needs_factor(request):
            return None
        if request.path.startswith("/api/"):
            return JsonResponse({"error": NEEDED, "problems": []}, status=403)
        messages.warning(request, NEEDED)
        return redirect("mfa_activate_totp")


def needs_factor(request: HttpRequest) -> bool:
    """True for staff who have none, on a page for which they need one."""
    match = request.resolver_match
    if match and not match.namespaces and (match.url_name or "").startswith(OPEN_TO_ALL):
        return False
    return lacks_factor(request.user)


def lacks_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """True for staff who have set up none, where this site's staff need one."""
    if not settings.STAFF_NEEDS_TOTP or not getattr(user, "is_staff", False):
        return False
    totp = Authenticator.objects.filter(user=user.pk, type=Authenticator.Type.TOTP)
    return not totp.exists()

"""From which machines accounts are used, so that curators see who shares one; no address is kept.

An address is stored as an HMAC under a key of this site's own and cannot be read again without it.
Kept for ``MACHINE_DAYS`` days after it was last used; with 0 nothing is noted at all.
"""

from __future__ import annotations

import ipaddress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.utils import timezone
from django.utils.crypto import salted_hmac

from leaderboard.models import Sighting

if TYPE_CHECKING:
    from django.http import HttpRequest

SALT = "leaderboard.people.sightings"
SITE_PREFIX = 64
"""Bits of an IPv6 address that name the line; the rest a machine changes every day."""
# The first that is found counts: Edge and Opera call themselves Chrome, and Chrome Safari.
BROWSERS = {
    "cliprank": "cliprank",
    "python-": "a script",
    "curl/": "a script",
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iOS",
    "iPad": "iOS",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


def note(request: HttpRequest, user: User) -> None:
    """Write down that ``user`` is at this machine today; nothing where no address is known."""
    network = _network(request)
    if not settings.MACHINE_DAYS or not network:
        return
    today = timezone.now().date()
    row = {
        "user": user,
        "digest": salted_hmac(SALT, network, algorithm="sha256").hexdigest(),
        "browser": browser_of(request.headers.get("User-Agent", "")),
    }
    seen, new = Sighting.objects.get_or_create(**row, defaults=_days(today))
    if not new and seen.last_on != today:
        Sighting.objects.filter(pk=seen.pk).update(last_on=today)


def note_login(sender: Any, request: HttpRequest | None, user: User, **_: Any) -> None:
    """``note``, when somebody has signed in."""
    if request is not None:
        note(request, user)


def forget_old(now: datetime) -> int:
    """Delete what was last seen more than ``MACHINE_DAYS`` days ago; how many rows that were."""
    oldest = now.date() - timedelta(days=settings.MACHINE_DAYS)
    return Sighting.objects.filter(last_on__lt=oldest).delete()[0]


def browser_of(agent: str) -> str:
    """Which browser on which system, without versions: ``Firefox, Linux``; empty when unknown."""
    named = (
        next((said for mark, said in names.items() if mark in agent), "")
        for names in (BROWSERS, SYSTEMS)
    )
    return ", ".join(filter(None, named))


def _network(request: HttpRequest) -> str:
    """The client's address as the trusted proxies tell it; of IPv6 the line's part."""
    try:
        address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    except (PermissionDenied, ImproperlyConfigured, ValueError):
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, SITE_PREFIX), strict=False))


def _days(today: Any) -> dict[str, Any]:
    return {"first_on": today, "last_on": today}

"""How often somebody may ask, counted in the cache that all processes of the site share.

Logging in and all that belongs to accounts has limits of django-allauth's own, in the same cache.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from leaderboard.rates import Rate

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser

WORDS = {"api": "API_RATE", "upload": "UPLOAD_RATE"}
"""What is counted, and the setting that limits it."""


class TooOften(Exception):  # noqa: N818 - named as the fault is spoken of
    """Asked more often than the site allows; ``seconds`` to wait."""

    def __init__(self, what: str, rate: Rate, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(
            f"Too many requests: the limit ({what}) is {rate.amount} in {rate.seconds} seconds. "
            f"Try again in {seconds} seconds."
        )


def spend(request: HttpRequest, what: str, user: AbstractBaseUser | AnonymousUser | None) -> None:
    """Count a request; TooOften when there were more than the setting allows.

    They are counted by account, whichever token or browser it uses, and without one by address:
    that of the visitor, behind as many proxies as ``TRUSTED_PROXIES`` says; of IPv6 the network.
    """
    rate = Rate.of(getattr(settings, WORDS[what]))
    if rate is None:
        return
    known = user is not None and user.is_authenticated
    who = f"user-{user.pk}" if user is not None and known else f"address-{get_ip(request)}"
    now = time.time()
    window = int(now // rate.seconds)
    key = f"rate:{what}:{rate.seconds}:{who}:{window}"
    cache.add(key, 0, rate.seconds)
    try:
        count = cache.incr(key)
    except ValueError:  # the cache has just dropped it to make room
        return
    if count > rate.amount:
        raise TooOften(what, rate, math.ceil((window + 1) * rate.seconds - now))

"""Rates as settings write them: ``600/m``, at most so many in a second, minute, hour or day."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured

WRITTEN = re.compile(r"([1-9]\d{0,8})/([1-9]\d{0,4})?([smhd])")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``amount`` in ``seconds``."""

    amount: int
    seconds: int

    @classmethod
    def of(cls, written: str) -> Rate | None:
        """``30/m`` or ``5/10m``; None, which is no limit, of an empty text."""
        if not written:
            return None
        found = WRITTEN.fullmatch(written)
        if found is None:
            message = f"{written!r} is no rate: write 600/m, 30/10m or 5/h; empty: no limit."
            raise ImproperlyConfigured(message)
        return cls(int(found[1]), int(found[2] or 1) * SECONDS[found[3]])


def check(*written: str) -> None:
    """ImproperlyConfigured at the first that is no rate."""
    for one in written:
        Rate.of(one)


def wrong_passwords(rate: str) -> str | None:
    """As django-allauth writes it: from one address, and for one account from anywhere."""
    return f"{rate}/ip,5/5m/key" if rate else None

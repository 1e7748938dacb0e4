"""What every page knows of accounts on this site."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def account(request: HttpRequest) -> dict[str, Any]:
    """Whether accounts can be made, and which sign-in services there are."""
    return {
        "signup_open": settings.SIGNUP_OPEN,
        "sends_mail": settings.MAIL_CONFIGURED,
        "login_providers": settings.SIGN_IN_SERVICES,
        "machine_days": settings.MACHINE_DAYS,
    }

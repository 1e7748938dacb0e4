"""What browsers are told that pages may do: load nothing inline, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

PERMISSIONS = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
"""Of a browser's powers, which are off; full screen is not, for videos."""


def content(*, forms: Iterable[str], media: Iterable[str]) -> dict[str, Any]:
    """``CONTENT_SECURITY_POLICY``: forms may lead to sign-in services, media may lie elsewhere."""
    return {
        "DIRECTIVES": {
            "default-src": ["'self'"],
            "img-src": ["'self'", "data:"],
            "media-src": ["'self'", *media],
            "frame-ancestors": ["'none'"],
            # A browser follows the redirect of a form only to where forms may lead.
            "form-action": ["'self'", *forms],
            "base-uri": ["'self'"],
            "object-src": ["'none'"],
        }
    }

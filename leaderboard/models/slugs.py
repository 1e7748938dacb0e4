"""Short names for addresses."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.text import slugify


def free_slug(rows: models.QuerySet[Any], name: str, *, otherwise: str) -> str:
    """The slug of ``name``; with -2, -3, ... behind it where one of ``rows`` has that one.

    ``otherwise`` is taken for a name that makes no slug, such as one in another script.
    """
    base = slugify(name)[:120] or otherwise
    taken = set(rows.filter(slug__startswith=base).values_list("slug", flat=True))
    candidates = (f"{base}-{n}" if n > 1 else base for n in range(1, len(taken) + 2))
    return next(slug for slug in candidates if slug not in taken)

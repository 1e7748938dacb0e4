"""Parts of pages that are rendered once for all who ask for the same."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from leaderboard import tables
from leaderboard.views.asked import Asked

# What changes a part is in its key; the rest, as the catalogue's titles, is seen after so long.
SECONDS = 600
LEVEL = 1  # of compression: a page of a thousand rows is a megabyte of nearly the same


@dataclass(frozen=True, slots=True)
class Part:
    """HTML that was rendered by us, and whether it has charts that ask for a script."""

    html: SafeString
    charts: bool


def table_part(request: HttpRequest, asked: Asked, context: dict[str, Any]) -> Part:
    """The table with all that stands around it, from the cache where it has been made before."""
    ranking, track = asked.ranking, asked.track
    own = tables.own_in(track.release, request.user) if request.user.is_authenticated else {}
    key = (
        ranking and ranking.pk,
        ranking and ranking.fingerprint,
        tables.stamp(track.release),
        (track.slug, track.name, track.judges, track.settings, track.primary_metric),
        (track.release.version, track.release.benchmark.slug, track.release.benchmark.name),
        [other.name for other in context["tracks"]],
        asked.choice,
        ranking and tables.computed_apart(ranking, asked.choice),
        asked.query,
        asked.references,
        context["waiting"],
        sorted(own.items()),
        tables.systems_stamp(),
    )

    def made() -> tuple[str, bool]:
        whole = context | asked.table(own)
        charts = bool(whole["breakdown"] or whole["families"])
        return render_to_string("ranking/_whole.html", whole, request), charts

    html, charts = _kept(repr(key), made)
    return Part(mark_safe(html), charts)  # noqa: S308 - rendered by a template


def _kept(key: str, make: Callable[[], tuple[str, bool]]) -> tuple[str, bool]:
    name = f"table-part:{hashlib.sha256(key.encode()).hexdigest()}"
    found = cache.get(name)
    if found is not None:
        packed, charts = found
        return zlib.decompress(packed).decode(), charts
    html, charts = make()
    cache.set(name, (zlib.compress(html.encode(), LEVEL), charts), SECONDS)
    return html, charts

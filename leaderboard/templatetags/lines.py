"""Clips of a comparison, and systems to choose: written in one go, there may be a thousand."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from leaderboard.models import Track
from leaderboard.tables.compare import Asked
from leaderboard.tables.compared import Comparison, Line

register = template.Library()

NO_CLIP = "no-clip"


@register.simple_tag
def clip_lines(comparison: Comparison, track: Track) -> SafeString:
    """A ``<tr>`` for each clip: its name, which leads to its page with all systems chosen, and
    what each system reaches on it.
    """
    release = track.release
    chosen = [("system", system.slug) for system in comparison.systems]
    query = escape(urlencode([("track", track.slug), *chosen]))
    address = reverse("clip", args=[release.benchmark.slug, release.version, NO_CLIP])
    before, after = address.rsplit(NO_CLIP, 1)
    rows = (_line(line, before, f"{after}?{query}") for line in comparison.lines)
    return mark_safe("".join(rows))  # noqa: S308 - escaped


@register.simple_tag
def system_boxes(asked: Asked) -> SafeString:
    """A checkbox for every system that can be compared."""
    boxes = (
        f'<label><input type="checkbox" name="system" value="{escape(slug)}"'
        f"{' checked' if chosen else ''}> <span>{_rank(rank)}{escape(name)}</span></label>"
        for slug, name, rank, chosen in asked.choices
    )
    return mark_safe("".join(boxes))  # noqa: S308 - escaped


def _rank(rank: int | None) -> str:
    return "" if rank is None else f'<span class="muted num">{rank}.</span> '


def _line(line: Line, before: str, after: str) -> str:
    cells = "".join(f'<td class="num">{value:.4f}</td>' for value in line.values)
    # Quoted as ``reverse`` does it: a key may hold slashes and spaces.
    link = f'<a href="{before}{escape(quote(line.key, safe="/"))}{after}">{escape(line.name)}</a>'
    return f'<tr><th scope="row" class="first">{link}</th>{cells}</tr>'

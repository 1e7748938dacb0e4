"""Markdown that people of the site write, as HTML that is safe to show.

HTML in it is shown as it was typed. What comes out is cleaned once more against a short list of
elements, so that a fault of the one library alone opens nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = {
    *("a", "blockquote", "br", "code", "del", "em", "hr", "li", "ol", "p", "pre", "s", "strong"),
    *("h3", "h4", "h5", "h6", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
HIGHEST = 3
"""The level of the highest heading of a text: those of the page stand above it."""

_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_parser.disable("image")


def html_of(text: str) -> SafeString:
    """``text`` as HTML; links lead to web and mail addresses only, and vouch for nothing."""
    tokens = _parser.parse(text)
    _lower([token for token in tokens if token.type in {"heading_open", "heading_close"}])
    raw = _parser.renderer.render(tokens, _parser.options, {})
    clean = nh3.clean(
        raw,
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="nofollow noopener noreferrer",
    )
    return mark_safe(clean)  # noqa: S308 - cleaned in the line above


def _lower(headings: Sequence[Token]) -> None:
    first = min((int(token.tag[1]) for token in headings), default=0)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) - first + HIGHEST)}"

"""Texts whose sentences are links to their nearest on the other side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from leaderboard.tables.entries import Entry
from leaderboard.tables.reading import Span

register = template.Library()


@register.simple_tag
def sentences(spans: Sequence[Span]) -> SafeString:
    """The text, character for character, with a link around each sentence that has a partner."""
    return format_html_join("", "{}", ((_written(span),) for span in spans))


def _written(span: Span) -> str:
    if not span.key:
        return span.text
    css = f"sentence near{span.step}" + (" alone" if span.alone else "")
    if not span.partners:
        return format_html('<span class="{}" id="{}">{}</span>', css, span.key, span.text)
    own = "nearest to no sentence over there; its own nearest has " if span.alone else ""
    return format_html(
        '<a class="{}" id="{}" href="#{}" data-partners="{}" title="{}">{}</a>',
        css,
        span.key,
        span.partners[0],
        " ".join(span.partners),
        f"{own}cosine {span.cosine or 0:.2f}",
        span.text,
    )


@register.simple_tag
def system_choices(choices: Sequence[tuple[Entry, bool]]) -> SafeString:
    """A box for each system to tick; one call, because there may be a thousand of them."""
    boxes = (
        f'<label><input type="checkbox" name="system" value="{escape(entry.slug)}"'
        f"{' checked' if shown else ''}> {escape(entry.name)}</label>"
        for entry, shown in choices
    )
    return mark_safe("\n".join(boxes))  # noqa: S308 - escaped

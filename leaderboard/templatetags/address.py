"""What a form keeps of the address that it stands at."""

from __future__ import annotations

from django import template
from django.http import QueryDict
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from leaderboard.tables import Board

register = template.Library()


@register.simple_tag(takes_context=True)
def hidden_fields(context: template.Context, *but: str) -> SafeString:
    """Hidden inputs for everything that the address asks for, except the form's own fields.

    The page's number is dropped too: what follows another choice begins at the first.
    """
    asked: QueryDict = context["request"].GET
    left_out = {*but, "page"}
    pairs = ((name, v) for name in asked if name not in left_out for v in asked.getlist(name))
    return format_html_join("", '<input type="hidden" name="{}" value="{}">', pairs)


@register.simple_tag(takes_context=True)
def hidden_pins(context: template.Context, board: Board) -> SafeString:
    """Hidden inputs for systems that are pinned and stand on another page of the table."""
    shown = {row.system for row in board.rows}
    pinned = (name for name in context["request"].GET.getlist("system") if name not in shown)
    return format_html_join(
        "", '<input type="hidden" name="system" value="{}">', ((name,) for name in pinned)
    )

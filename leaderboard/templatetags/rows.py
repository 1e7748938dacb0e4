"""The rows of a ranking's table, written in one go: there may be a thousand of them.

A template that is asked for every cell takes half a second for such a table; this takes a tenth.
"""

from __future__ import annotations

from uuid import UUID

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from leaderboard.tables import Board, Row
from leaderboard.templatetags.board import points, rank_interval, score_cells

register = template.Library()

NOBODY = UUID(int=0)
UNRANKED = ' class="unranked"'


@register.simple_tag
def board_rows(board: Board) -> SafeString:
    """A ``<tr>`` for each system: place, name, interval, Borda, scores."""
    address = reverse("submission", args=[NOBODY])
    return mark_safe("".join(_row(board, row, address) for row in board.rows))  # noqa: S308 - escaped


def _row(board: Board, row: Row, address: str) -> str:
    unranked = row.rank is None
    interval = f"<td>{rank_interval(row, board.places)}</td>" if board.has_intervals else ""
    borda = "" if board.is_of_pairs else f'<td class="num">{points(row.borda)}</td>'
    return (
        f"<tr{' class=unranked' if unranked else ''}>"
        f'<td class="place">{"–" if unranked else row.rank}</td>'
        f'<th scope="row" class="system">{_name(row, address)}{_own(row)}{_remark(row)}</th>'
        f"{interval}{borda}{score_cells(board.columns, row.values)}</tr>"
    )


def _name(row: Row, address: str) -> str:
    if not row.submission:
        return escape(row.name)
    href = address.replace(str(NOBODY), escape(row.submission))
    return f'<a href="{href}">{escape(row.name)}</a>'


def _own(row: Row) -> str:
    """A mark on the reader's own rows; behind a pseudonym with the name that only they read."""
    if not row.own:
        return ""
    said = "yours" if row.own == row.name else f"yours: {row.own}"
    return f' <span class="badge own">{escape(said)}</span>'


def _remark(row: Row) -> str:
    """Why a system has no place, else whose it is, how large, and how much it says."""
    if row.withdrawn:
        said = "withdrawn, without a place"
    elif row.rank is None and row.missing:
        said = f"unranked: no score by {', '.join(row.missing)}"
    elif row.card is None:
        return ""
    elif row.card.reference:
        said = "for comparison, without a place"
    else:
        words = f"{row.words:g} words" if row.words is not None else ""
        said = " · ".join(filter(None, (row.card.organisation, row.card.parameters, words)))
    return f"<small>{escape(said)}</small>" if said else ""

"""The rows of a ranking's table, written in one go: there may be a thousand of them.

A template that is asked for every cell takes half a second for such a table; this takes a tenth.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django import template
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from leaderboard.tables import Board, Row
from leaderboard.templatetags.board import icon, points, range_to, rank_interval, score_cells

register = template.Library()

NOBODY = UUID(int=0)
NO_SYSTEM = "no-system"


@dataclass(frozen=True, slots=True)
class Written:
    """What all rows share: the addresses that names lead to, and who is pinned already."""

    board: Board
    system: str
    submission: str
    summary: str
    more: str
    pinned: Collection[str]


@register.simple_tag(takes_context=True)
def board_rows(context: template.Context, board: Board) -> SafeString:
    """A ``<tr>`` for each system: place, name, facts, interval, Borda, scores."""
    track = board.ranking.track
    place = [track.release.benchmark.slug, track.release.version, track.slug, NO_SYSTEM]
    written = Written(
        board=board,
        system=reverse("system", args=[NO_SYSTEM]),
        submission=reverse("submission", args=[NOBODY]),
        summary=reverse("summary", args=place) + _kept_query(context["request"].GET),
        more=icon("down"),
        pinned=frozenset(context["request"].GET.getlist("system")),
    )
    return mark_safe("".join(_row(written, row) for row in board.rows))  # noqa: S308 - escaped


def _kept_query(asked: QueryDict) -> str:
    """What the summary must know of the address, ready for an attribute."""
    kept = asked.copy()
    for name in ("page", "rows", "sort", "system", "column", "metric"):
        kept.pop(name, None)
    return escape(f"?{kept.urlencode()}") if kept else ""


def _row(written: Written, row: Row) -> str:
    board = written.board
    unranked = row.rank is None
    facts = "".join(f"<td>{escape(_fact(row, key))}</td>" for key, _ in board.facts)
    borda = f'<td class="num">{points(row.borda)}</td>' if board.shows_borda else ""
    return (
        f"<tr{' class=unranked' if unranked else ''}>"
        f'<td class="place">{_pin(written, row)}{"–" if unranked else row.rank}</td>'
        f'<th scope="row" class="system">{_name(written, row)}{_own(row)}{_remark(row)}</th>'
        f"{facts}{_interval(board, row)}{borda}{score_cells(board.columns, row.values)}</tr>"
    )


def _pin(written: Written, row: Row) -> str:
    checked = " checked" if row.system in written.pinned else ""
    return (
        f'<input type="checkbox" name="system" value="{escape(row.system)}" form="compare"'
        f' aria-label="Pin {escape(row.name)}"{checked}>'
    )


def _name(written: Written, row: Row) -> str:
    """The name leads to the system's page; a pseudonym, which has none, to the submission."""
    name: str = escape(row.name)
    if row.card is not None:
        name = f'<a href="{written.system.replace(NO_SYSTEM, escape(row.system))}">{name}</a>'
    elif row.submission:
        href = written.submission.replace(str(NOBODY), escape(row.submission))
        name = f'<a href="{href}">{name}</a>'
    more = written.summary.replace(NO_SYSTEM, escape(row.system))
    said = f'aria-label="Summary of {escape(row.name)}"'
    return f'<a class="more" href="{more}" {said}>{written.more}</a>{name}'


def _interval(board: Board, row: Row) -> str:
    """The drawing, and for paper the same in words."""
    if not board.shows_interval:
        return ""
    ends = (row.set_low, row.set_high) if board.has_sets else (row.rank_low, row.rank_high)
    words = f'<span class="on-paper">{range_to(*ends)}</span>' if row.rank is not None else ""
    return f"<td>{rank_interval(row, board.places)}{words}</td>"


def _fact(row: Row, key: str) -> str:
    value = getattr(row.card, key, None)
    return f"{value}" if value else "–"


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
    elif row.reference:
        said = "for comparison, without a place"
    elif row.card is None:
        return ""
    else:
        words = f"{row.words:g} words" if row.words is not None else ""
        said = " · ".join(filter(None, (row.card.organisation, row.card.parameters, words)))
    return f"<small>{escape(said)}</small>" if said else ""

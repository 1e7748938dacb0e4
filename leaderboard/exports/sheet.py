"""The shown table laid out in columns: what CSV, Markdown and LaTeX are written from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from leaderboard.exports.parts import part_sheet
from leaderboard.exports.shown import Shown
from leaderboard.tables import Board, Row
from leaderboard.tables import Column as Scores
from scoring.ranking.render import Cell, Column, Sheet


def sheet(shown: Shown) -> Sheet:
    """The columns that the reader sees, in order; slugs and run signatures for programs."""
    if shown.part is not None:
        return part_sheet(shown, shown.part)
    board, rows = shown.board, shown.board.rows
    groups = {column.key: group.title for group in board.groups for column in group.columns}
    several = len(board.shown) > 1
    columns = (
        Column("rank", "Rank", tuple(row.rank for row in rows)),
        _text("system", "System", (row.name for row in rows)),
        *(_text(key, title, (fact(row, key) for row in rows)) for key, title in board.facts),
        *(_interval(board) if board.shows_interval else ()),
        *((_borda(board),) if board.shows_borda else ()),
        *(
            _scores(column, (row.values[at] for row in rows), groups[column.key] if several else "")
            for at, column in enumerate(board.columns)
        ),
    )
    made = [shown.signatures.get(row.system, {}) for row in rows]
    judges = [group.key for group in board.groups if group.columns[0].judge]
    extra = (
        _text("slug", "Slug", (row.system for row in rows)),
        _text("missing", "Missing", ("; ".join(row.missing) for row in rows)),
        *(_text(f"{judge}.signature", "", (of.get(judge) for of in made)) for judge in judges),
    )
    return Sheet(columns, shown.ranking.signature, shown.notes, extra)


def fact(row: Row, key: str) -> str | None:
    """One of the columns of systems' facts, as text."""
    value: Any = getattr(row.card, key, None)
    return str(value) if value else None


def _interval(board: Board) -> tuple[Column, Column]:
    """Both ends of the interval that is drawn."""
    if board.has_sets:
        ends = [(row.set_low, row.set_high) for row in board.rows]
    else:
        ends = [(row.rank_low, row.rank_high) for row in board.rows]
    return (
        Column("rank_low", "Rank low (95%)", tuple(low for low, _ in ends)),
        Column("rank_high", "Rank high (95%)", tuple(high for _, high in ends)),
    )


def _text(key: str, title: str, values: Iterable[str | None]) -> Column:
    return Column(key, title, tuple(values), text=True)


def _borda(board: Board) -> Column:
    return Column("borda", "Borda", tuple(row.borda for row in board.rows), best=True)


def _scores(column: Scores, values: Iterable[Cell], group: str) -> Column:
    return Column(
        key=f"{column.judge or 'mean'}.{column.metric}",
        title=column.title,
        values=tuple(values),
        best=True,
        score=True,
        lowest=column.kind == "rate",
        group=group,
    )

"""Ranked tables as CSV, Markdown and LaTeX: the same columns and digits wherever they appear.

``sheet`` lays a table out, the other functions write it. Nothing is computed here.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

Cell = str | int | float | None

DIGITS = 4
"""Decimals of a score where people read it; CSV and JSON hold full precision."""

_METRICS = {
    "hm_cf": "HM-CF",
    "coarse": "Coarse",
    "fine_precision": "Fine P",
    "fine_recall": "Fine R",
    "fine_f1": "Fine F1",
}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    # After a line's end or a rule a bracket would be read as its option.
    "[": "{[}",
    "]": "{]}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&])")


@dataclass(frozen=True, slots=True)
class Column:
    """``key`` heads the column in CSV, ``title`` elsewhere. ``best`` says that the highest value
    of the column (the ``lowest``, for rates of errors) is set in bold, ``score`` that readers see
    ``DIGITS`` decimals, ``text`` that it holds words. Neighbours of one ``group`` share a head.
    """

    key: str
    title: str
    values: tuple[Cell, ...]
    best: bool = False
    score: bool = False
    lowest: bool = False
    text: bool = False
    group: str = ""

    @property
    def right(self) -> bool:
        """True for a column of numbers, which are set to the right."""
        return self.key != "system" and not self.text

    @property
    def whole_title(self) -> str:
        """The title with its group's, where there is no second line for that."""
        return f"{self.group}: {self.title}" if self.group else self.title

    def shown(self, value: float) -> str:
        """A number as readers see it: scores to four decimals, points whole or to the half."""
        if self.score:
            return f"{value:.{DIGITS}f}"
        return f"{value:.0f}" if float(value).is_integer() else f"{value:.1f}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A ranked table laid out in columns, with the signature that makes its numbers again.

    ``notes`` are (key, text) of what else a reader must know: where it stands, of which day.
    ``extra`` are columns for programs only.
    """

    columns: tuple[Column, ...]
    signature: str
    notes: tuple[tuple[str, str], ...] = ()
    extra: tuple[Column, ...] = ()

    @property
    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """The cells, row by row, those for programs last."""
        return zip(*(column.values for column in (*self.columns, *self.extra)), strict=True)


def sheet(table: Mapping[str, Any], *, titles: Mapping[str, str] | None = None) -> Sheet:
    """Lay out ``table``, which is ``RankTable.to_json()`` or has its keys.

    Columns: rank, system (a row's ``name``, where it has one), Borda, both ends of the 95% rank
    interval, the mean of every metric over judges (the primary first), each judge's own primary.
    ``titles`` names judges and metrics for readers.
    """
    rows: Sequence[Mapping[str, Any]] = table["rows"]
    primary = table["primary"]
    named = _METRICS | dict(titles or {})
    metrics = sorted(table["metrics"], key=lambda metric: metric != primary)

    def mean(metric: str) -> Column:
        values = tuple(row["mean"].get(metric) for row in rows)
        title = f"Mean {named.get(metric, metric)}"
        return Column(f"mean.{metric}", title, values, best=True, score=True)

    def judged(judge: str) -> Column:
        values = tuple(row["judges"].get(judge, {}).get(primary) for row in rows)
        title = named.get(judge, judge)
        return Column(f"{judge}.{primary}", title, values, best=True, score=True)

    columns = (
        Column("rank", "Rank", tuple(row["rank"] for row in rows)),
        Column("system", "System", tuple(row.get("name") or row["system"] for row in rows)),
        Column("borda", "Borda", tuple(row["borda"] for row in rows), best=True),
        Column("rank_low", "Rank low (95%)", tuple(row["rank_low"] for row in rows)),
        Column("rank_high", "Rank high (95%)", tuple(row["rank_high"] for row in rows)),
        *map(mean, metrics),
        *map(judged, table["judges"]),
    )
    return Sheet(columns, table["signature"])


def to_csv(page: Sheet) -> str:
    """RFC 4180 text, one row a system, full precision; the last columns repeat the signature and
    the notes.

    Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers,
    negative ones too, stay numbers, and what is not defined is an empty cell.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    about = (("signature", page.signature), *page.notes)
    heads = [*(column.key for column in (*page.columns, *page.extra)), *(key for key, _ in about)]
    writer.writerow(map(safe_cell, heads))
    for row in page.rows:
        writer.writerow(map(safe_cell, (*row, *(text for _, text in about))))
    return out.getvalue()


def safe_cell(value: Cell) -> Cell:
    """``value`` as a spreadsheet may open it: text that starts like a formula is made plain."""
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    seen = next((sign for sign in value if not _unseen(sign)), "")
    starts = seen in {"=", "+", "-", "@", "＝", "＋", "－", "＠"}
    return f"'{value}" if starts or value[:1] in {"\t", "\r", "\n"} else value


def _unseen(sign: str) -> bool:
    """True for spaces and for marks that a program may skip, as the byte order mark."""
    return sign.isspace() or unicodedata.category(sign) in {"Cc", "Cf"}


def to_markdown(page: Sheet) -> str:
    """A pipe table with the best of each column in bold; the signature and the notes below it."""
    shown = _readable(page)
    lines = [
        _piped(_markdown(column.whole_title) for column in shown),
        _piped("---:" if column.right else ":---" for column in shown),
    ]
    cells = [_written(column, _markdown, "**{}**", "–") for column in shown]
    lines += [_piped(row) for row in zip(*cells, strict=True)]
    lines += [""] if page.notes else []
    lines += [f"- {_markdown(key)}: {_markdown(text)}" for key, text in page.notes]
    return "\n".join([*lines, "", f"Signature: `{_one_line(page.signature.replace('`', ''))}`", ""])


def to_latex(page: Sheet) -> str:
    """A booktabs ``tabular`` with the best of each column in bold; the signature and the notes
    stand above it as comments.
    """
    shown = _readable(page)
    cells = [_written(column, latex_text, r"\textbf{{{}}}", "--") for column in shown]
    spec = "".join("r" if column.right else "l" for column in shown)
    return "\n".join(
        [
            *(f"% {_one_line(f'{key}: {text}')}" for key, text in page.notes),
            f"% {_one_line(page.signature)}",
            f"\\begin{{tabular}}{{{spec}}}",
            r"\toprule",
            *_latex_groups(shown),
            _ended(latex_text(column.title) for column in shown),
            r"\midrule",
            *(_ended(row) for row in zip(*cells, strict=True)),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _latex_groups(columns: Sequence[Column]) -> list[str]:
    """The heads of groups with a rule under each; nothing where there are none."""
    if not any(column.group for column in columns):
        return []
    heads, rules, at = [], [], 1
    for group, members in groupby(columns, key=lambda column: column.group):
        width = len(list(members))
        if group:
            heads.append(f"\\multicolumn{{{width}}}{{c}}{{{latex_text(group)}}}")
            rules.append(f"\\cmidrule(lr){{{at}-{at + width - 1}}}")
        else:
            heads += [""] * width
        at += width
    return [_ended(heads), "".join(rules)]


def text_rows(page: Sheet) -> tuple[tuple[str, ...], list[tuple[str, ...]], tuple[bool, ...]]:
    """Titles, rows of plain text and which columns are set to the right, for a terminal.

    A terminal is narrow: of the means only the primary metric's is kept, which comes first.
    """
    columns = _readable(page)
    means = [column for column in columns if column.key.startswith("mean.")]
    shown = [column for column in columns if column not in means[1:]]
    cells = [_written(column, _one_line, "{}", "–") for column in shown]
    titles = tuple(column.title for column in shown)
    return titles, list(zip(*cells, strict=True)), tuple(column.right for column in shown)


def latex_text(text: str) -> str:
    """``text`` with every character that LaTeX would act on made plain."""
    return "".join(_LATEX.get(character, character) for character in _one_line(text))


def _readable(page: Sheet) -> list[Column]:
    """The columns for people: both ends of the rank interval in one cell, or none if all empty."""
    by_key = {column.key: column for column in page.columns}
    ends = [by_key[key].values if key in by_key else () for key in ("rank_low", "rank_high")]
    joined = tuple(
        None if a is None else f"{a}" if a == b else f"{a}–{b}" for a, b in zip(*ends, strict=True)
    )
    interval = Column("interval", "95% rank", joined)
    columns: list[Column] = []
    for column in page.columns:
        if column.key == "rank_low" and any(joined):
            columns.append(interval)
        elif column.key not in {"rank_low", "rank_high"}:
            columns.append(column)
    return columns


def _written(
    column: Column, escape: Callable[[str], str], bold: str, nothing: str
) -> Iterator[str]:
    """The cells of a column as text; the best are found by what is shown, so twins share it."""
    shown = [
        nothing
        if value is None
        else escape(value)
        if isinstance(value, str)
        else column.shown(value)
        for value in column.values
    ]
    numbers = [value for value in column.values if isinstance(value, int | float)]
    end = min if column.lowest else max
    best = column.shown(end(numbers)) if column.best and numbers else None
    return (bold.format(text) if text == best else text for text in shown)


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _ended(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"

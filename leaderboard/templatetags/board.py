"""What repeats in tables: numbers, score cells, rank intervals, icons."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from leaderboard.charts import RankInterval, step
from leaderboard.intake.names import shortened
from leaderboard.tables import Column, Row, by_baseline
from scoring.text import is_blank

register = template.Library()
register.filter(by_baseline)

NOTHING = mark_safe('<span aria-hidden="true">–</span><span class="visually-hidden">none</span>')


@register.filter
def short_name(name: str) -> str:
    """A file's name in at most 60 characters: its beginning and its end, where the suffix is."""
    return shortened(name, 60, tail=20)


@register.filter
def score(value: float | None) -> str:
    """Four decimals; a dash where there is no value."""
    return NOTHING if value is None else f"{value:.4f}"


@register.filter
def signed(value: float | None) -> str:
    """A difference with its sign, four decimals; one that rounds to nothing has none."""
    if value is None:
        return NOTHING
    said = f"{value:+.4f}".replace("-", "\N{MINUS SIGN}")
    return said if said.strip("+\N{MINUS SIGN}0.") else "0.0000"


@register.filter
def p_value(value: float | None) -> str:
    """Three decimals, and no smaller than that."""
    if value is None:
        return NOTHING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


@register.filter
def points(value: float | None) -> str:
    """Borda points: whole or half ones."""
    return NOTHING if value is None else f"{value:,.10g}"


@register.filter
def percent(value: float | None) -> str:
    """A share in whole percent; what is almost none or almost all says so."""
    if value is None:
        return NOTHING
    if 0 < value < 0.01:
        return "< 1%"
    return "> 99%" if 0.99 < value < 1 else f"{value:.0%}"


@register.filter
def tenths(value: float | None) -> str:
    """A share in percent with one decimal, as accuracies are printed."""
    return NOTHING if value is None else f"{100 * value:.1f}%"


@register.filter
def share_value(value: float) -> str:
    """A number for a script to draw."""
    return f"{value:.6g}"


@register.filter
def seconds(value: float | None) -> str:
    """A duration as minutes and seconds, 95.5 as 1:36."""
    if value is None:
        return NOTHING
    minutes, rest = divmod(round(value), 60)
    return f"{minutes}:{rest:02}"


@register.filter
def megabytes(size: int) -> str:
    """A file's size in decimal units, as limits are given: 20000000 as 20 MB."""
    for unit, name in ((1_000_000, "MB"), (1_000, "kB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size} bytes"


@register.filter
def blank(text: str) -> bool:
    """True for a text that scores 0 because nothing can be seen of it."""
    return is_blank(text)


@register.simple_tag
def score_cells(columns: Sequence[Column], values: Sequence[float | None]) -> SafeString:
    """The cells of a row: the number, a dot where it lies in its column, bold if the best.

    Values come from the same tables as the columns. One call for a row, because a table may
    have thousands of rows.
    """
    pairs = zip(columns, values, strict=True)
    return mark_safe("".join(_cell(column, value) for column, value in pairs))  # noqa: S308 - numbers


def _cell(column: Column, value: float | None) -> str:
    at = step(value, column.low, column.high)
    if value is None or at is None:
        return f'<td class="num none">{NOTHING}</td>'
    best = " best" if value == column.best else ""
    return f'<td class="num dot at{at}{best}">{value:.4f}</td>'


@register.simple_tag
def matrix_cells(values: Sequence[float | None], shares: bool) -> SafeString:
    """A row of a matrix: what is read, and in ``data-value`` what is drawn."""
    return mark_safe("".join(_matrix_cell(value, shares) for value in values))  # noqa: S308 - numbers


def _matrix_cell(value: float | None, shares: bool) -> str:
    if value is None:
        return f'<td class="num none">{NOTHING}</td>'
    said = percent(value).replace("<", "&lt;").replace(">", "&gt;") if shares else f"{value:.3f}"
    return f'<td class="num" data-value="{value:.6g}">{said}</td>'


@register.filter
def range_to(low: int | None, high: int | None) -> str:
    """An interval of ranks, "2" when both ends are 2."""
    if low is None or high is None:
        return NOTHING
    return str(low) if low == high else f"{low} to {high}"


@register.simple_tag
def rank_interval(row: Row, places: int) -> SafeString:
    """A row's rank and its interval as a drawing; a dash for what is unranked."""
    if row.rank is None:
        return NOTHING
    if row.mean_rank is not None:
        return RankInterval(row.mean_rank, row.set_low, row.set_high, places, by_mean=True).svg()
    return RankInterval(row.rank, row.rank_low, row.rank_high, places).svg()


@register.simple_tag
def icon(name: str) -> SafeString:
    """A drawing from the icon sheet, always beside words."""
    sheet = static("img/icons.svg")
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', sheet, name
    )


@register.inclusion_tag("components/sort_head.html", takes_context=True)
def sort_head(
    context: template.Context,
    key: str,
    title: str,
    kind: str = "score",
    css: str = "",
    rowspan: int = 1,
) -> dict[str, object]:
    """A table's head cell with a link that sorts: scores from the highest, texts from A.

    Reads ``sort`` of the context (a ``tables.Sort``).
    """
    sort = context["sort"]
    current = sort.key == key
    first_down = kind == "score"
    wanted = not sort.descending if current else first_down
    return {
        "request": context["request"],
        "key": f"-{key}" if wanted else key,
        "title": title,
        "css": css,
        "rowspan": rowspan,
        "direction": ("descending" if sort.descending else "ascending") if current else "",
    }

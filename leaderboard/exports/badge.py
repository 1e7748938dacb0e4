"""A badge for a model's own page: one line of SVG, no style and no script inside."""

from __future__ import annotations

import unicodedata

from django.utils.html import escape

from leaderboard.models import Ranking
from leaderboard.tables.heads import Heads

HEIGHT = 20
MARGIN = 8
# Widths of Verdana at 11 pixels, near enough; the text is fitted to what is reckoned here.
NARROW, USUAL, BROAD = 4.2, 6.8, 10.5
LONGEST = 60
LEFT, RIGHT = "#3a4449", "#0c6468"


def badge(ranking: Ranking, system: str) -> str | None:
    """``MyModel | rank 3 of 17 on CLIP-CC``; None for a system that the ranking does not have."""
    heads = Heads([ranking])
    row = next(iter(heads.rows(systems=[system])[ranking.pk]), None)
    if row is None:
        return None
    places = heads.of(ranking).places
    benchmark = ranking.track.release.benchmark.name
    place = "listed" if row["rank"] is None else f"rank {row['rank']} of {places}"
    reported = " (reported)" if ranking.provenance == "reported" else ""
    return _drawn(_short(row["name"]), _short(f"{place} on {benchmark}{reported}"))


def _drawn(name: str, place: str) -> str:
    first, second = _width(name), _width(place)
    left, right = first + 2 * MARGIN, second + 2 * MARGIN
    said = escape(f"{name}: {place}")
    text = 'y="14" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right:.0f}" height="{HEIGHT}"'
        f' viewBox="0 0 {left + right:.0f} {HEIGHT}" role="img" aria-label="{said}">'
        f"<title>{said}</title>"
        f'<rect width="{left + right:.0f}" height="{HEIGHT}" rx="3" fill="{RIGHT}"/>'
        f'<path d="M3 0h{left - 3:.0f}v{HEIGHT}h-{left - 3:.0f}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z"'
        f' fill="{LEFT}"/>'
        f'<text x="{MARGIN}" {text} textLength="{first:.0f}">{escape(name)}</text>'
        f'<text x="{left + MARGIN:.0f}" {text} textLength="{second:.0f}">{escape(place)}</text>'
        "</svg>\n"
    )


def _short(text: str) -> str:
    """In one line, without signs that XML forbids, cut where it gets too long for a badge."""
    plain = "".join(sign for sign in text if unicodedata.category(sign)[0] != "C" or sign == "\t")
    line = " ".join(plain.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _width(text: str) -> float:
    return sum(
        BROAD
        if unicodedata.east_asian_width(sign) in "WF" or sign in "mwMW%@"
        else NARROW
        if sign in "iljtfrI.,:;|!'()[] "
        else USUAL
        for sign in text
    )

"""Geometry of the small drawings: numbers in, SVG out, no style and no script inside."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

WIDTH = 120
HEIGHT = 16
MARGIN = 6
STEPS = 20


@dataclass(frozen=True, slots=True)
class RankInterval:
    """Where a rank and its interval lie on a scale of ``places`` ranks; x in SVG units.

    ``by_mean``: a rank by mean score with its simultaneous confidence set, else the place by Borda
    with its percentile interval.
    """

    rank: int
    low: int | None
    high: int | None
    places: int
    by_mean: bool = False

    def x(self, rank: int) -> float:
        """Rank 1 stands left, the last rank right; a lone system stands in the middle."""
        share = (rank - 1) / (self.places - 1) if self.places > 1 else 0.5
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)

    @property
    def words(self) -> str:
        """The text alternative, which says all that the drawing shows."""
        rank = f"rank by mean {self.rank}" if self.by_mean else f"rank {self.rank}"
        if self.low is None or self.high is None:
            return f"{rank}, no interval"
        kind = "95% simultaneous confidence set" if self.by_mean else "95% interval"
        return f"{rank}, {kind} {self.low} to {self.high}"

    def svg(self) -> SafeString:
        """A hairline for all places, a bar for the interval, a dot for the rank."""
        middle = HEIGHT // 2
        bar = ""
        if self.low is not None and self.high is not None:
            # A bar of one place still has a width that can be seen.
            left, right = self.x(self.low) - 3, self.x(self.high) + 3
            bar = (
                f'<rect class="bar" x="{left:.1f}" y="{middle - 3}" width="{right - left:.1f}"'
                ' height="6" rx="3"/>'
            )
        # Numbers and fixed words only: there is nothing to escape, and a table has many of these.
        return mark_safe(  # noqa: S308
            f'<svg class="rank-interval" role="img" aria-label="{self.words}"'
            f' width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
            f'<line class="track" x1="{MARGIN}" y1="{middle}" x2="{WIDTH - MARGIN}" y2="{middle}"/>'
            f'{bar}<circle class="dot" cx="{self.x(self.rank)}" cy="{middle}" r="3.5"/></svg>'
        )


def step(value: float | None, low: float | None, high: float | None) -> int | None:
    """Where ``value`` lies between ``low`` and ``high`` in 0..20, for a CSS class; None if nowhere.

    A column whose values are all equal puts them in the middle.
    """
    if value is None or low is None or high is None:
        return None
    if high <= low:
        return STEPS // 2
    return round(STEPS * min(1.0, max(0.0, (value - low) / (high - low))))

"""A submission's report as long as its release is under embargo."""

from __future__ import annotations

from dataclasses import replace

from leaderboard.tables.submissions import Report, TrackLine

PLACED = frozenset({"ranked", "newer", "ranking"})
"""States that say something about the board."""


def under_embargo(report: Report, *, scores: bool) -> Report:
    """The report without places; without ``scores``, which are others', nothing of it is left."""
    if not scores:
        return replace(report, tracks=(), final=True)
    return replace(report, tracks=tuple(map(_without_place, report.tracks)))


def _without_place(line: TrackLine) -> TrackLine:
    if line.state not in PLACED:
        return line
    return replace(line, state="embargo", row=None, places=0)

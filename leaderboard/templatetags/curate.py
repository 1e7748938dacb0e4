"""Small questions of the curators' pages, and whether the header leads there."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from leaderboard import access
from leaderboard.models import Batch

register = template.Library()


@register.filter
def curates_something(user: access.Viewer) -> bool:
    """True for staff and for whoever curates a benchmark; one query for everybody else."""
    return access.may_add_benchmarks(user)


@register.filter
def any_open(batches: Iterable[Batch]) -> bool:
    """Whether one of them is under way."""
    return any(batch.finished_at is None for batch in batches)

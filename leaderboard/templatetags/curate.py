"""Whether the header leads to the curators' workspace."""

from __future__ import annotations

from django import template

from leaderboard import access

register = template.Library()


@register.filter
def curates_something(user: access.Viewer) -> bool:
    """True for staff and for whoever curates a benchmark; one query for everybody else."""
    return access.may_add_benchmarks(user)

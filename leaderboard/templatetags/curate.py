"""Small questions of the curators' pages, and whether the header leads there."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from leaderboard import access
from leaderboard.models import Batch, Track
from leaderboard.tables import labels

register = template.Library()


@register.filter
def curates_something(user: access.Viewer) -> bool:
    """True for staff and for whoever curates a benchmark; one query for everybody else."""
    return access.may_add_benchmarks(user)


@register.filter
def judge_titles(names: Iterable[str]) -> str:
    """Judges as people read of them, one after another."""
    return ", ".join(map(labels.judge_title, names))


register.filter("judge_title", labels.judge_title)


@register.filter
def protocol_title(name: str) -> str:
    """``ngram`` -> Shared words."""
    return str(Track.Protocol(name).label)


@register.filter
def any_open(batches: Iterable[Batch]) -> bool:
    """Whether one of them is under way."""
    return any(batch.finished_at is None for batch in batches)

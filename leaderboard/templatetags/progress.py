"""Durations in words, and how much somebody has not read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template

from leaderboard.models import Notice, Run
from scoring.diagnostics import FlagKind

register = template.Library()

STEPS = ((1, "second"), (60, "minute"), (3600, "hour"), (86400, "day"))


@register.filter
def about(seconds: float) -> str:
    """A duration in the largest unit of which there are at least 1.5: 100 as 2 minutes."""
    size, unit = next(
        ((size, unit) for size, unit in reversed(STEPS) if seconds >= 1.5 * size), STEPS[0]
    )
    number = max(1, round(seconds / size))
    return f"{number} {unit}{'' if number == 1 else 's'}"


@register.filter
def ago(moment: datetime | None, now: datetime) -> str:
    """How long before ``now`` it was: 3 seconds ago."""
    if moment is None:
        return "unknown"
    seconds = (now - moment).total_seconds()
    return "just now" if seconds < 1.5 else f"{about(seconds)} ago"


@register.filter
def took(run: Run) -> str:
    """How long the last attempt of a run took."""
    if run.started_at is None or run.finished_at is None:
        return "unknown"
    return about((run.finished_at - run.started_at).total_seconds())


@register.filter
def of_submission(flags: Mapping[str, Sequence[FlagKind]], submission: str) -> Sequence[FlagKind]:
    """The flags that a clip's description has in a submission."""
    return flags.get(submission, ())


@register.simple_tag
def unread_notices(user: Any) -> int:
    """How many notices ``user`` has not seen."""
    return Notice.objects.filter(user=user).unread().count()

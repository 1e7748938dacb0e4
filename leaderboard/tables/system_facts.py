"""What a table shows of the systems themselves, beside their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Max

from leaderboard.models import Submission, System

# The unit of "7B" and of "500M", in billions.
UNITS = {"k": 1e-6, "m": 1e-3, "b": 1.0, "t": 1e3}
_SIZE = re.compile(
    r"(?:(\d{1,4})\s*[x×]\s*)?(\d{1,6}(?:\.\d{1,6})?)\s*([kmbt])(?![a-z])", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """One system as its owner describes it. ``submitted``: the day of the upload that counts."""

    name: str
    organisation: str = ""
    family: str = ""
    parameters: str = ""
    open_weights: bool | None = None
    reference: bool = False
    submitted: date | None = None

    @property
    def billions(self) -> float | None:
        """The parameters as a number, in billions; None where they are not given as one."""
        return billions(self.parameters)

    @property
    def day(self) -> int | None:
        """``submitted`` as a number that grows with every day."""
        return self.submitted.toordinal() if self.submitted else None

    @property
    def weights(self) -> str:
        """``open``, ``closed``, or empty where nobody has said."""
        return "" if self.open_weights is None else "open" if self.open_weights else "closed"


def billions(text: str) -> float | None:
    """The first size in ``text``, in billions: 7B is 7, 500M is 0.5, 8x7B is 56 (all experts)."""
    found = _SIZE.search(text)
    if found is None:
        return None
    experts, size, unit = found.groups()
    return int(experts or 1) * float(size) * UNITS[unit.lower()]


def systems_stamp() -> int:
    """A number that grows with every change to any system."""
    newest = System.history.aggregate(newest=Max("history_id"))["newest"]
    return int(newest or 0)


def facts_of(rows: Iterable[Mapping[str, Any]], *, dated: bool = True) -> dict[str, SystemFacts]:
    """Slug to facts, for rows of a ranking; two queries at most, one without ``dated``.

    A row that stands for no system of this site, as an anonymous one does, has none.
    """
    shown = list(rows)
    submissions = {row["system"]: row.get("submission") for row in shown} if dated else {}
    days = dict(
        Submission.objects.filter(pk__in=[pk for pk in submissions.values() if pk])
        .order_by()
        .values_list("pk", "created_at")
        if any(submissions.values())
        else ()
    )
    submitted = {str(pk): moment.date() for pk, moment in days.items()}
    systems = System.objects.filter(slug__in=[row["system"] for row in shown]).order_by()
    fields = ("name", "organisation", "family", "parameters", "open_weights", "reference")
    return {
        slug: SystemFacts(**facts, submitted=submitted.get(str(submissions.get(slug))))
        for slug, facts in ((found.pop("slug"), found) for found in systems.values("slug", *fields))
    }

"""The audit trail as it is searched, shown and written to files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date

from leaderboard.models import AuditEntry

COLUMNS = ("at", "actor", "benchmark", "action", "target", "target_id", "before", "after", "reason")
SHORT = 200
"""Characters of a value that a page shows; files have all of it."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for: words, an action, and days, the last one included."""

    words: str = ""
    action: str = ""
    since: date | None = None
    until: date | None = None

    @classmethod
    def parse(cls, query: Mapping[str, str]) -> Search:
        """From an address; what is no date leaves nothing out."""
        return cls(
            words=query.get("q", "").strip(),
            action=query.get("action", "").strip(),
            since=_day(query.get("since", "")),
            until=_day(query.get("until", "")),
        )

    def of(self, entries: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        """The entries that fit, the newest first; every word must be in one of the texts."""
        found = entries
        for word in self.words.split():
            texts = ("actor", "action", "target", "target_id", "reason")
            found = found.filter(_any(texts, word))
        if self.action:
            found = found.filter(action=self.action)
        if self.since:
            found = found.filter(at__gte=_begin(self.since))
        if self.until:
            found = found.filter(at__lt=_begin(self.until + timedelta(days=1)))
        return found.order_by("-at", "-pk")


@dataclass(frozen=True, slots=True)
class Change:
    """A field, and its value before and after; None for what was not there."""

    field: str
    before: str | None
    after: str | None


def changes_of(entry: AuditEntry) -> list[Change]:
    """What an entry says was changed, field by field."""
    names = dict.fromkeys([*entry.before, *entry.after])
    return [Change(name, _short(entry.before, name), _short(entry.after, name)) for name in names]


def actions_in(entries: QuerySet[AuditEntry]) -> Sequence[str]:
    """The actions that there are, in alphabetical order."""
    return sorted(set(entries.order_by().values_list("action", flat=True).distinct()))


def as_dicts(entries: QuerySet[AuditEntry]) -> Iterator[dict[str, Any]]:
    """Each entry under ``COLUMNS``, ready for JSON, read as they are asked for."""
    for entry in entries.iterator(chunk_size=500):
        row = {name: getattr(entry, name) for name in COLUMNS}
        benchmark = entry.benchmark.slug if entry.benchmark else None
        yield row | {"at": entry.at.isoformat(), "benchmark": benchmark}


def _any(names: Sequence[str], word: str) -> Q:
    found = Q()
    for name in names:
        found |= Q(**{f"{name}__icontains": word})
    return found


def _day(text: str) -> date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None


def _begin(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


def _short(values: Mapping[str, Any], name: str) -> str | None:
    if name not in values:
        return None
    value = values[name]
    said = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    said = "none" if value is None or not said else said
    return said if len(said) <= SHORT else f"{said[:SHORT]}…"

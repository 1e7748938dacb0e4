"""Accounts that were used from one machine: the same network address, known by its hash only.

An institute or a household has one address, too: this says where to look, and proves nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Exists, OuterRef

from leaderboard import access, access_curated
from leaderboard.models import Benchmark, Sighting

AT_MOST = 50
"""Machines that are listed, those used last first."""


@dataclass(frozen=True, slots=True)
class AccountThere:
    """An account at a machine; ``submissions`` are those to the benchmark that the viewer sees."""

    username: str
    submissions: int
    browsers: tuple[str, ...]
    last_on: date


@dataclass(frozen=True, slots=True)
class SharedMachine:
    """One address that several accounts came from, between two days."""

    accounts: tuple[AccountThere, ...]
    first_on: date
    last_on: date

    @property
    def submissions(self) -> int:
        """Of all its accounts."""
        return sum(one.submissions for one in self.accounts)

    @property
    def same_browser(self) -> bool:
        """Whether two of the accounts were used with the same kind of browser, too."""
        kinds = [kind for one in self.accounts for kind in one.browsers if kind]
        return len(kinds) != len(set(kinds))


def shared_machines(viewer: access.Viewer, benchmark: Benchmark) -> tuple[SharedMachine, ...]:
    """Of accounts with a submission to the benchmark that ``viewer`` may see, newest first."""
    seen = access_curated.moderated(viewer, benchmark).filter(user__isnull=False).order_by()
    counts = dict(seen.values_list("user").annotate(count=Count("pk")))
    of_senders = Sighting.objects.filter(user__in=counts)
    others = of_senders.filter(digest=OuterRef("digest")).exclude(user=OuterRef("user"))
    shared = of_senders.filter(Exists(others)).select_related("user")
    groups: dict[str, list[Sighting]] = defaultdict(list)
    for one in shared.order_by("user__username", "-last_on"):
        groups[one.digest].append(one)
    machines = (_machine(rows, counts) for rows in groups.values())
    return tuple(sorted(machines, key=lambda one: one.last_on, reverse=True)[:AT_MOST])


def _machine(rows: Iterable[Sighting], counts: dict[int, int]) -> SharedMachine:
    rows = list(rows)
    by_user: dict[int, list[Sighting]] = defaultdict(list)
    for row in rows:
        by_user[row.user_id].append(row)
    accounts = tuple(
        AccountThere(
            username=theirs[0].user.get_username(),
            submissions=counts[user],
            browsers=tuple(dict.fromkeys(row.browser for row in theirs if row.browser)),
            last_on=max(row.last_on for row in theirs),
        )
        for user, theirs in by_user.items()
    )
    first = min(row.first_on for row in rows)
    return SharedMachine(accounts, first, max(row.last_on for row in rows))

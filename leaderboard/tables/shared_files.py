"""Accounts that share files: the same bytes, or texts that are near copies.

A file that two accounts have both sent is evidence that anybody can check; of machines see
``shared_machines``.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from django.db.models import Count, QuerySet

from leaderboard import access, access_curated
from leaderboard.models import Benchmark, Submission

COPIES = "copy-of-submission"
"""The flag of the intake that counts near copies of other submissions."""


@dataclass(frozen=True, slots=True)
class Shared:
    """Submissions of different accounts; ``clips`` is how many texts are alike, where counted."""

    kind: Literal["same file", "alike texts"]
    submissions: tuple[Submission, ...]
    clips: int | None = None

    @property
    def accounts(self) -> tuple[str, ...]:
        """Whose they are, in alphabetical order."""
        names = {one.user.get_username() for one in self.submissions if one.user is not None}
        return tuple(sorted(names))


def shared_files(viewer: access.Viewer, benchmark: Benchmark) -> tuple[Shared, ...]:
    """Among what ``viewer`` may see of the benchmark: same files first, then near copies."""
    seen = access_curated.moderated(viewer, benchmark).filter(user__isnull=False)
    return (*_same_files(seen), *_alike(seen))


def _same_files(seen: QuerySet[Submission]) -> list[Shared]:
    rows = seen.order_by().values("sha256")
    several = rows.annotate(accounts=Count("user", distinct=True)).filter(accounts__gt=1)
    groups: dict[str, list[Submission]] = defaultdict(list)
    hashes = [row["sha256"] for row in several]
    for one in seen.filter(sha256__in=hashes).order_by("created_at"):
        groups[one.sha256].append(one)
    return [Shared("same file", tuple(group)) for group in groups.values()]


def _alike(seen: QuerySet[Submission]) -> list[Shared]:
    """Pairs that the intake noted when the later of the two came in."""
    noted = {
        pk: flag["others"]
        for pk, stored in seen.exclude(diagnostics={}).values_list("pk", "diagnostics")
        for flag in stored.get("flags", ())
        if flag["code"] == COPIES and flag.get("others")
    }
    ids = {str(pk) for pk in noted} | {other for others in noted.values() for other in others}
    rows = {str(one.pk): one for one in seen.filter(pk__in=ids)}
    found = []
    for pk, others in noted.items():
        for other, clips in others.items():
            pair = (rows.get(other), rows.get(str(pk)))
            if pair[0] and pair[1] and pair[0].user_id != pair[1].user_id:
                found.append(Shared("alike texts", (pair[0], pair[1]), clips))
    return sorted(found, key=lambda one: -(one.clips or 0))

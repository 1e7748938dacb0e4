"""Whether what a ranking shows may still be shown, from two small queries."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping
from datetime import datetime
from typing import TypeVar

from django.db.models import Count, Q
from django.utils import timezone

from leaderboard.models import Release, Submission
from leaderboard.models.submission import nameless

Key = TypeVar("Key", bound=Hashable)
_READ = ("release_id", "created_at", "pk", "visibility", "standing", "withdrawn_at", "named_from")


def stamp(release: Release, as_of: datetime | None = None) -> str:
    """See ``stamps``."""
    return stamps({"": (release, as_of)})[""]


def stamps(wanted: Mapping[Key, tuple[Release, datetime | None]]) -> dict[Key, str]:
    """For each key a hash that changes with whatever becomes of its release's submissions that were
    there at a moment (None: of all): hidden, held, private, nameless, named, withdrawn, removed.

    Two queries, however many keys. A ranking shows submissions from before it alone, so that with
    its own moment others that come in do not change the hash.
    """
    releases = {release.pk: release for release, _ in wanted.values()}
    of_them = Submission.objects.filter(release__in=releases).order_by()
    plain = Q(visibility=Submission.Visibility.PUBLIC, standing=Submission.Standing.CLEAR)
    others = list(of_them.exclude(plain & Q(withdrawn_at=None)).order_by("pk").values_list(*_READ))
    numbers = of_them.aggregate(
        **{f"n{at}": Count("pk", filter=_until(*one)) for at, one in enumerate(wanted.values())}
    )
    now = timezone.now()
    found = {}
    for at, (key, (release, as_of)) in enumerate(wanted.items()):
        said = [
            (str(pk), visibility, standing, withdrawn is None, nameless(visibility, named, now))
            for of, created, pk, visibility, standing, withdrawn, named in others
            if of == release.pk and (as_of is None or created <= as_of)
        ]
        whole = (numbers[f"n{at}"], release.benchmark.shows_withdrawn, said)
        found[key] = hashlib.sha256(repr(whole).encode()).hexdigest()
    return found


def _until(release: Release, as_of: datetime | None) -> Q:
    of_it = Q(release=release.pk)
    return of_it if as_of is None else of_it & Q(created_at__lte=as_of)

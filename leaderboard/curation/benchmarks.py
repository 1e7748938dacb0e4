"""The card of a benchmark, its policies, and who curates it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User as Account
from django.core.exceptions import ValidationError
from django.db import transaction

from leaderboard import audit
from leaderboard.models import Benchmark
from scoring.diagnostics.flags import FLAGS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

CARD = (
    "name",
    "summary",
    "description",
    "licence",
    "licence_url",
    "homepage",
    "citation",
    "rules",
    "faq",
)
POLICIES = (
    "holds_first",
    "shows_withdrawn",
    "unpublish_days",
    "forbids_proper_nouns",
    "blocking_flags",
)
TAKEN_ADDRESSES = frozenset({"new", "people", "audit"})


def create_benchmark(*, slug: str, values: Mapping[str, Any], actor: User) -> Benchmark:
    """A benchmark without releases, which nobody but its curators sees; ``actor`` becomes one.

    Raises ValidationError, with the faults of each field.
    """
    benchmark = Benchmark(slug=slug, **values)
    if slug in TAKEN_ADDRESSES:
        raise ValidationError({"slug": "This address is the site's own; choose another one."})
    with transaction.atomic():
        _check(benchmark)
        benchmark.save(force_insert=True)
        benchmark.curators.add(actor)
        audit.record(
            actor=actor,
            action="benchmark.create",
            target=benchmark,
            benchmark=benchmark,
            before={},
            after={"slug": slug, **_plain(benchmark, values)},
        )
    return benchmark


def edit_card(
    *, benchmark: Benchmark, values: Mapping[str, Any], actor: User, reason: str = ""
) -> Benchmark:
    """Change fields of ``CARD`` and ``POLICIES``; what stays the same is not written.

    Raises ValidationError, with the faults of each field.
    """
    with transaction.atomic():
        row = Benchmark.objects.select_for_update().get(pk=benchmark.pk)
        changed = [name for name in values if getattr(row, name) != values[name]]
        before = _plain(row, changed)
        for name in changed:
            setattr(row, name, values[name])
        _check(row)
        if changed:
            row.save(update_fields=changed)
            audit.record(
                actor=actor,
                action="benchmark.edit",
                target=row,
                benchmark=row,
                before=before,
                after=_plain(row, changed),
                reason=reason,
            )
    return row


def set_curators(*, benchmark: Benchmark, usernames: Iterable[str], actor: User) -> list[str]:
    """Make these accounts, and no others, the curators; their names in alphabetical order.

    Raises ValidationError when a name has no account.
    """
    wanted = {name.strip() for name in usernames} - {""}
    with transaction.atomic():
        people = list(Account.objects.filter(username__in=wanted))
        unknown = sorted(wanted - {person.get_username() for person in people})
        if unknown:
            raise ValidationError({"curators": f"There is no account {', '.join(unknown)}."})
        before = sorted(benchmark.curators.values_list("username", flat=True))
        after = sorted(wanted)
        if before != after:
            benchmark.curators.set(people)
            audit.record(
                actor=actor,
                action="benchmark.curators",
                target=benchmark,
                benchmark=benchmark,
                before={"curators": before},
                after={"curators": after},
            )
    return after


def _check(benchmark: Benchmark) -> None:
    unknown = sorted(set(benchmark.blocking_flags) - set(FLAGS))
    if unknown:
        message = f"There is no flag {', '.join(unknown)}; there are {', '.join(FLAGS)}."
        raise ValidationError({"blocking_flags": message})
    benchmark.full_clean()


def _plain(row: Benchmark, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}

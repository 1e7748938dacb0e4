"""How much may be submitted to a benchmark, as its curators say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import transaction

from leaderboard import audit
from leaderboard.models import Benchmark, QuotaPolicy

if TYPE_CHECKING:
    from django.contrib.auth.models import User

FIELDS = ("limit", "window", "hours", "per", "at_once")


def policy_of(benchmark: Benchmark) -> QuotaPolicy:
    """The benchmark's; one that is not stored and limits nothing where it has none."""
    found = QuotaPolicy.objects.filter(benchmark=benchmark).first()
    return found or QuotaPolicy(benchmark=benchmark)


def set_policy(*, benchmark: Benchmark, values: Mapping[str, Any], actor: User) -> QuotaPolicy:
    """Change fields of ``FIELDS``; what was sent already counts by the new rule at once.

    Raises ValidationError, with the faults of each field.
    """
    with transaction.atomic():
        Benchmark.objects.select_for_update().get(pk=benchmark.pk)
        policy = policy_of(benchmark)
        changed = [name for name in values if getattr(policy, name) != values[name]]
        before = {name: getattr(policy, name) for name in changed}
        for name in changed:
            setattr(policy, name, values[name])
        policy.full_clean()
        if changed:
            policy.save()
            audit.record(
                actor=actor,
                action="benchmark.quota",
                target=benchmark,
                benchmark=benchmark,
                before=before,
                after={name: values[name] for name in changed},
            )
    return policy

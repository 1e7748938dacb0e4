"""Numbers of papers, typed in by curators with a link to where they stand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import IntegrityError, transaction

from leaderboard import access_systems, audit
from leaderboard.models import ReportedResult, System, Track
from leaderboard.pipeline.bridge import METRICS
from leaderboard.pipeline.rank import rank_reported

if TYPE_CHECKING:
    from django.contrib.auth.models import User

VALUES = ("judge", "metric", "part", "mean", "std", "clips", "source")
TAKEN = "This system has a number of this judge, metric and part already: change that one."
_web_address = URLValidator(schemes=("http", "https"), message="Give the address of its source.")


def add_result(
    *, track: Track, system: str, values: Mapping[str, Any], actor: User
) -> ReportedResult:
    """A number of a paper for the system called ``system``, which is made where there is none.

    The reported table follows at once. Raises ValidationError with the faults of each field.
    """
    with transaction.atomic():
        row = ReportedResult(track=track, system=_system(system, actor), **values)
        _check(row)
        _store(row)
        after = {"system": row.system.slug, **{name: getattr(row, name) for name in VALUES}}
        _record(actor, "reported.add", row, {}, after)
    return row


def edit_result(
    *, result: ReportedResult, values: Mapping[str, Any], actor: User
) -> ReportedResult:
    """Change some of ``VALUES``; the reported table follows at once.

    Raises ValidationError with the faults of each field.
    """
    with transaction.atomic():
        rows = ReportedResult.objects.select_for_update(of=("self",))
        row = rows.select_related("system", "track__release__benchmark").get(pk=result.pk)
        changed = [name for name in VALUES if name in values and getattr(row, name) != values[name]]
        before = {name: getattr(row, name) for name in changed}
        for name in changed:
            setattr(row, name, values[name])
        _check(row)
        if changed:
            _store(row)
            after = {name: getattr(row, name) for name in changed}
            _record(actor, "reported.edit", row, before, after)
    return row


def remove_result(*, result: ReportedResult, actor: User, reason: str = "") -> None:
    """Take a number away; the reported table follows at once."""
    with transaction.atomic():
        before = {name: getattr(result, name) for name in VALUES}
        _record(
            actor,
            "reported.remove",
            result,
            {"system": result.system.slug, **before},
            {},
            reason=reason,
        )
        result.delete()


def _system(name: str, actor: User) -> System:
    """The one of that slug or name that the curator may know, else a new one without an owner."""
    wanted = name.strip()
    if not wanted or len(wanted) > 120:
        raise ValidationError({"system": "Name the system, in at most 120 characters."})
    known = access_systems.systems(actor)
    found = known.filter(slug=wanted).first() or known.filter(name__iexact=wanted).first()
    return found or System.objects.create(name=wanted, slug=System.objects.free_slug(wanted))


def _check(row: ReportedResult) -> None:
    faults: dict[str, str] = {}
    metrics = METRICS[row.track.protocol]
    is_length = row.metric == ReportedResult.LENGTH
    if row.metric not in metrics and not is_length:
        faults["metric"] = (
            f"This track has {', '.join(metrics)}; {ReportedResult.LENGTH} is a length."
        )
    if not math.isfinite(row.mean) or (not is_length and not -1 <= row.mean <= 1):
        faults["mean"] = "A score lies between -1 and 1: write 45.3% as 0.453."
    if row.std is not None and not (math.isfinite(row.std) and row.std >= 0):
        faults["std"] = "A deviation is 0 or more."
    if row.clips is not None and row.clips < 1:
        faults["clips"] = "A mean is over at least one clip."
    try:
        _web_address(row.source)
    except ValidationError as unfit:
        faults["source"] = unfit.messages[0]
    if faults:
        raise ValidationError(faults)
    row.clean_fields(exclude=["track", "system"])


def _store(row: ReportedResult) -> None:
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise ValidationError({"judge": TAKEN}) from error


def _record(
    actor: User,
    action: str,
    row: ReportedResult,
    before: dict[str, Any],
    after: dict[str, Any],
    reason: str = "",
) -> None:
    audit.record(
        actor=actor,
        action=action,
        target=row,
        benchmark=row.track.release.benchmark,
        before=before,
        after=after,
        reason=reason,
    )
    transaction.on_commit(partial(rank_reported, row.track_id))

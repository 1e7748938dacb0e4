"""Further tracks of a release: another protocol, other references, another metric."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max

from leaderboard import audit
from leaderboard.models import Release, Track
from leaderboard.pipeline import options
from leaderboard.pipeline.bridge import METRICS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

TAKEN_ADDRESSES = frozenset({"clips"})
_OLDER = re.compile(r".*-v\d+")


def add_track(*, release: Release, values: Mapping[str, Any], actor: User) -> Track:
    """A track of ``values`` (slug, name, summary, protocol, settings, judges, primary_metric).

    It holds no data of the release, so it can be added after publication; what it lacks is queued
    by ``panels.queue_lacking``. Raises ValidationError, with the faults of each field.
    """
    track = Track(release=release, **values)
    faults = dict(_faults(track))
    if faults:
        raise ValidationError(faults)
    with transaction.atomic():
        last = release.tracks.aggregate(last=Max("position"))["last"]
        track.position = 0 if last is None else last + 1
        track.full_clean()
        track.save(force_insert=True)
        audit.record(
            actor=actor,
            action="track.add",
            target=track,
            benchmark=release.benchmark,
            before={},
            after=dict(values),
        )
    return track


def _faults(track: Track) -> Iterator[tuple[str, str]]:
    if track.slug in TAKEN_ADDRESSES or _OLDER.fullmatch(track.slug):
        yield "slug", "This address is the site's own; choose another one."
    if track.protocol not in METRICS:
        yield "protocol", f"There is no such protocol; there are {', '.join(METRICS)}."
        return
    wrong = options.faults(track.protocol, track.settings)
    if wrong:
        yield "settings", " ".join(wrong)
    known = options.judges_for(track.protocol)
    strangers = [name for name in track.judges if name not in known]
    if strangers or not track.judges:
        yield "judges", f"Choose judges of this protocol: {', '.join(known)}."
    metrics = METRICS[track.protocol]
    if track.primary_metric not in metrics:
        yield "primary_metric", f"This protocol has {', '.join(metrics)}."

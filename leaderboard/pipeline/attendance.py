"""Which judges have a worker: noted by the workers themselves, whether there is work or not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta

from django.conf import settings

from leaderboard.celery import queue_of
from leaderboard.models import Attendance, Track
from leaderboard.pipeline import chat_judges, options
from leaderboard.pipeline.judges import RULES
from scoring.judges import catalogue

SWEEPS_MISSED = 4
"""So many sweeps without a word, and a judge's workers are taken to be gone."""


def note(queues: Collection[str], *, now: datetime) -> None:
    """A worker that takes these queues is there: write it down for the judges that it serves.

    It serves a judge when it takes the judge's queue and has what it needs: those of open tracks,
    and those that a track may be given, so that who chooses judges sees what they would wait for.
    """
    here, known = installed(), {*_wanted(), *_choosable()}
    served = {judge for judge, queue in known if queue in queues and here.get(judge, True)}
    Attendance.objects.bulk_create(
        [Attendance(judge=judge, heard_at=now) for judge in sorted(served)],
        update_conflicts=True,
        unique_fields=["judge"],
        update_fields=["heard_at"],
    )


def unattended(*, now: datetime) -> list[str]:
    """Judges of open tracks of published releases that no worker has been heard of for lately."""
    return sorted({judge for judge, _ in _wanted(published=True)} - _heard(now))


def silent(judges: Iterable[str], *, now: datetime) -> list[str]:
    """Those of these judges, in their order, that no worker has been heard of for lately."""
    heard = _heard(now)
    return [judge for judge in judges if judge not in heard]


def installed() -> dict[str, bool]:
    """Whether what a judge of the catalogues needs is on this machine; rules need nothing."""
    known = {entry.name: entry.installed for entry in catalogue.entries()}
    return known | {entry.name: entry.installed for entry in chat_judges.chat_entries()}


def _heard(now: datetime) -> set[str]:
    since = now - timedelta(seconds=SWEEPS_MISSED * settings.SWEEP_SECONDS)
    return set(Attendance.objects.filter(heard_at__gte=since).values_list("judge", flat=True))


def _wanted(*, published: bool = False) -> Iterator[tuple[str, str]]:
    """(judge, queue) of open tracks, those of drafts too unless ``published``."""
    tracks = Track.objects.open().order_by()
    if published:
        tracks = tracks.filter(release__published_at__isnull=False)
    for protocol, panel in tracks.values_list("protocol", "judges"):
        yield from ((judge, _queue(protocol, judge)) for judge in panel)


def _choosable() -> Iterator[tuple[str, str]]:
    """(judge, queue) of whatever a track of some protocol may be judged by."""
    for protocol in Track.Protocol:
        yield from ((judge, _queue(protocol, judge)) for judge in options.judges_for(protocol))


def _queue(protocol: str, judge: str) -> str:
    anywhere = judge in RULES or protocol == Track.Protocol.PAIRS
    return str(settings.CELERY_TASK_DEFAULT_QUEUE) if anywhere else queue_of(judge)

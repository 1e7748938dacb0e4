"""The judges of a track: another panel is another version of the track."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction

from leaderboard import audit, tasks
from leaderboard.curation.batches import begin
from leaderboard.curation.costs import Cost, cost_of
from leaderboard.curation.refusals import Refused
from leaderboard.models import Batch, Kind, Run, Submission, Track
from leaderboard.pipeline import dispatch, options

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class Lacking:
    """Visible submissions that lack runs on a track, and what these would cost."""

    submissions: tuple[Submission, ...]
    cost: Cost


def change_panel(*, track: Track, judges: Sequence[str], actor: User, reason: str = "") -> Track:
    """Give a track these judges; the track that has its address from now on.

    Where nothing has been scored or reported yet the track itself changes. Else it stays as it is,
    with its rankings, under ``<slug>-v<version>`` and a name that says so, takes no more uploads,
    and a new version takes its place. Raises ValidationError when the panel is empty, as before,
    or not of the protocol.
    """
    panel = list(dict.fromkeys(judges))
    _check(track, panel)
    with transaction.atomic():
        row = (
            Track.objects.select_for_update().select_related("release__benchmark").get(pk=track.pk)
        )
        before = {"judges": row.judges, "version": row.version}
        if _has_numbers(row):
            row = _next_version(row, panel)
        else:
            row.judges, row.scores_uploads = panel, True
            row.save(update_fields=["judges", "scores_uploads"])
        audit.record(
            actor=actor,
            action="track.judges",
            target=row,
            benchmark=row.release.benchmark,
            before=before,
            after={"judges": panel, "version": row.version},
            reason=reason,
        )
    return row


def take_uploads(*, track: Track, takes: bool, actor: User, reason: str = "") -> Track:
    """Have a track score uploads, or no more; what was scored stays, and so does its ranking.

    Raises Refused for an older version, or for a panel that cannot judge here.
    """
    with transaction.atomic():
        row = (
            Track.objects.select_for_update().select_related("release__benchmark").get(pk=track.pk)
        )
        if takes and Track.objects.filter(replaces=row).exists():
            raise Refused("older-version", "This is an older version of the track; it stays as is.")
        strangers = set(row.judges) - set(options.judges_for(row.protocol))
        if takes and (strangers or not row.judges):
            raise Refused(
                "no-judges", "Its judges cannot judge here: choose others, that opens it."
            )
        if row.scores_uploads != takes:
            row.scores_uploads = takes
            row.save(update_fields=["scores_uploads"])
            audit.record(
                actor=actor,
                action="track.open" if takes else "track.close",
                target=row,
                benchmark=row.release.benchmark,
                before={"scores_uploads": not takes},
                after={"scores_uploads": takes},
                reason=reason,
            )
    return row


def lacking(track: Track) -> Lacking:
    """What has to be scored before the track ranks everybody that its release shows."""
    there = set(Run.objects.filter(track=track).values_list("submission_id", "judge"))
    found, runs = [], []
    for one in _visible(track):
        missing = [
            (at, judge)
            for at, judge in dispatch.wanted_runs(one)
            if at.pk == track.pk and (one.pk, judge) not in there
        ]
        if missing:
            found.append(one)
            runs += missing
    return Lacking(tuple(found), cost_of(runs))


def queue_lacking(*, track: Track, actor: User) -> Batch:
    """Have these runs made, to wait until nothing else does. Refused while this is under way."""
    with transaction.atomic():
        found = lacking(track)
        todo = [one.pk for one in found.submissions]
        return begin(
            Batch.Kind.LACKING,
            todo,
            release=track.release,
            track=track,
            actor=actor,
            after={"runs": found.cost.runs, "submissions": len(todo)},
        )


def queue_runs(batch: Batch, one: Submission) -> int:
    """The runs that one submission lacks; how many there are."""
    with transaction.atomic():
        before = one.runs.count()
        tasks.send_runs(dispatch.create_runs(one, low_priority=True))
        return one.runs.count() - before


def _check(track: Track, panel: list[str]) -> None:
    known = options.judges_for(track.protocol)
    strangers = [name for name in panel if name not in known]
    if not panel:
        fault = "Choose at least one judge."
    elif strangers:
        fault = f"{', '.join(strangers)} cannot judge here; {', '.join(known)} can."
    elif panel == track.judges and track.scores_uploads:
        fault = "These are its judges already."
    elif Track.objects.filter(replaces=track).exists():
        fault = "This is an older version of the track; change the newest one."
    else:
        return
    raise ValidationError({"judges": fault})


def _has_numbers(track: Track) -> bool:
    return track.runs.exists() or track.reported.exists() or track.rankings.exists()


def _next_version(old: Track, panel: list[str]) -> Track:
    slug, position = old.slug, old.position
    kept = {
        name: getattr(old, name)
        for name in (
            "release",
            "name",
            "summary",
            "protocol",
            "settings",
            "primary_metric",
            "bootstrap_replicates",
            "bootstrap_seed",
        )
    }
    old.slug, old.scores_uploads = _older(slug, f"-v{old.version}", 50), False
    old.name = _older(old.name, f" (version {old.version})", 120)
    old.save(update_fields=["slug", "name", "scores_uploads"])
    new = Track.objects.create(
        slug=slug, position=position, judges=panel, version=old.version + 1, replaces=old, **kept
    )
    # Who sent descriptions for this one track means its present version.
    old.submissions.filter(kind=Kind.DESCRIPTIONS).update(track=new)
    return new


def _older(text: str, suffix: str, most: int) -> str:
    return text[: most - len(suffix)] + suffix


def _visible(track: Track) -> list[Submission]:
    shown = track.release.submissions.on_the_board().filter(
        kind__in=track.takes,
        standing=Submission.Standing.CLEAR,
        withdrawn_at__isnull=True,
        cancelled_at__isnull=True,
    )
    return list(shown.exclude(kind=Kind.JUDGEMENTS).select_related("system"))

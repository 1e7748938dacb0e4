"""A submission as the interface answers with it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.db.models import Prefetch
from django.utils import timezone

from leaderboard import access
from leaderboard.models import Run, ScoreVector, Submission
from leaderboard.tables import Diagnostics, Waiting, diagnostics, remarks, scores_of, waiting


def shown_submission(viewer: access.Viewer, submission: Submission) -> dict[str, Any]:
    """What ``viewer`` may know of it: while it is anonymous nothing that tells whose it is."""
    runs = submission.runs.select_related("track").prefetch_related(
        Prefetch("vectors", ScoreVector.objects.defer("data"))
    )
    names = access.names(viewer, submission)
    if not access.shows_scores_of(viewer, submission):
        runs = runs.none()
    ordered = list(runs.order_by("track__position", "track__slug", "pk"))
    waits = waiting(ordered, now=timezone.now())
    shown = [_run(run, waits.get(run.pk)) for run in ordered]
    found = diagnostics(viewer, submission)
    return {
        "id": submission.pk,
        "benchmark": submission.release.benchmark.slug,
        "release": submission.release.version,
        "system": names.slug,
        "system_name": names.name,
        "team": "" if names.hidden or not submission.team else submission.team.slug,
        "visibility": submission.visibility,
        "named_from": submission.named_from,
        "published_at": submission.published_at,
        "withdrawn_at": submission.withdrawn_at,
        "standing": submission.standing,
        "note": "" if names.hidden else submission.note,
        "created_at": submission.created_at,
        "kind": submission.kind,
        "judged_by": submission.judged_by,
        "language": submission.language,
        "file_name": "" if names.hidden else submission.original_name,
        "format": submission.format,
        "size": submission.size,
        "sha256": submission.sha256,
        "cancelled_at": submission.cancelled_at,
        "warnings": submission.warnings,
        "diagnostics": _diagnostics(found) if found else None,
        "final": all(run["state"] in Run.FINAL for run in shown),
        "runs": shown,
    }


def _diagnostics(found: Diagnostics) -> dict[str, Any]:
    flags = [
        {
            "code": flag.kind.code,
            "title": flag.kind.title,
            "meaning": flag.kind.meaning,
            "severity": flag.kind.severity,
            "count": flag.count,
            "clips": list(flag.clips),
            "examples": [asdict(example) for example in flag.examples],
            "others": [
                {"submission": other.submission.pk, "system": other.name, "clips": other.clips}
                for other in flag.others
            ],
        }
        for flag in found.flags
    ]
    return {"flags": flags, "lengths": found.lengths}


def _run(run: Run, waits: Waiting | None) -> dict[str, Any]:
    copied = (
        "judge state attempts done total percent queued_at started_at heartbeat_at"
        " finished_at error_code error"
        " signature counts summary"
    )
    said = remarks(run)
    return {name: getattr(run, name) for name in copied.split()} | {
        "track": run.track.slug,
        "queue_place": waits.place if waits else None,
        "seconds_left": waits.seconds if waits else None,
        "log": [{"at": at, "sentence": sentence} for at, sentence in run.log],
        "scores": scores_of(run),
        "baseline": said.baseline,
        "failures": said.failures,
        "usage": said.usage,
        "spread": said.spread,
    }

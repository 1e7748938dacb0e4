"""A submission as the interface answers with it."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch

from leaderboard import access
from leaderboard.models import Run, ScoreVector, Submission
from leaderboard.tables import remarks


def shown_submission(viewer: access.Viewer, submission: Submission) -> dict[str, Any]:
    """What ``viewer`` may know of it: while it is anonymous nothing that tells whose it is."""
    runs = submission.runs.select_related("track").prefetch_related(
        Prefetch("vectors", ScoreVector.objects.defer("data"))
    )
    names = access.names(viewer, submission)
    shown = [_run(run) for run in runs.order_by("track__position", "track__slug", "pk")]
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
        "warnings": submission.warnings,
        "final": all(run["state"] in Run.FINAL for run in shown),
        "runs": shown,
    }


def _run(run: Run) -> dict[str, Any]:
    copied = (
        "judge state attempts done total percent queued_at started_at finished_at error_code error"
        " signature counts summary"
    )
    said = remarks(run)
    return {name: getattr(run, name) for name in copied.split()} | {
        "track": run.track.slug,
        "scores": {vector.metric: vector.mean for vector in run.vectors.all()},
        "baseline": said.baseline,
        "failures": said.failures,
        "usage": said.usage,
        "spread": said.spread,
    }

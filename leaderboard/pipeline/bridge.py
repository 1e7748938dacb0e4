"""Rows to the scoring library's types and back: the only file that knows both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType

import numpy as np

from leaderboard.models import (
    Description,
    Evidence,
    Reference,
    Release,
    Run,
    ScoreVector,
    Submission,
    Track,
)
from scoring.protocols import semantic
from scoring.types import FloatArray, JudgeResult, References
from scoring.types import Reference as ReferenceText

PROTOCOLS: Mapping[str, ModuleType] = {Track.Protocol.SEMANTIC: semantic}


def metrics_of(track: Track) -> tuple[str, ...]:
    """The names of the metrics that a track's protocol computes."""
    metrics: tuple[str, ...] = PROTOCOLS[track.protocol].METRICS
    return metrics


def references_of(release: Release) -> References:
    """Clip key to its references, over the scored clips in the release's order."""
    references: dict[str, list[ReferenceText]] = {
        key: [] for key in release.clips.scored().values_list("key", flat=True)
    }
    rows = Reference.objects.filter(clip__release=release, clip__excluded=False)
    for key, text, language, kind in rows.order_by("clip__position", "position").values_list(
        "clip__key", "text", "language", "kind"
    ):
        references[key].append(ReferenceText(text=text, language=language, kind=kind))
    return references


def descriptions_of(submission: Submission) -> dict[str, str]:
    """Clip key to the submission's text."""
    rows = Description.objects.filter(submission=submission, clip__excluded=False)
    return dict(rows.values_list("clip__key", "text"))


def score_vectors(run: Run, result: JudgeResult) -> list[ScoreVector]:
    """One row per metric that has values; a clip that was not scored is NaN at its position."""
    positions = dict(run.submission.release.clips.values_list("key", "position"))
    columns = [positions[key] for key in result.clips]
    rows = []
    for metric, values in result.metrics.items():
        if metric in result.undefined:
            continue
        vector = np.full(max(positions.values()) + 1, np.nan, dtype="<f8")
        vector[columns] = values
        rows.append(
            ScoreVector(
                run=run,
                metric=metric,
                data=vector.tobytes(),
                clips=len(columns),
                mean=float(np.mean(values)),
            )
        )
    return rows


def evidence_rows(run: Run, result: JudgeResult) -> Iterator[Evidence]:
    """One row per clip that the protocol shows something for."""
    clips = dict(run.submission.release.clips.values_list("key", "pk"))
    for key, data in result.evidence.items():
        yield Evidence(run=run, clip_id=clips[key], data=data)


def score_arrays(track: Track, entries: Sequence[Mapping[str, int]]) -> dict[str, FloatArray]:
    """Metric to values, shape (entries, judges, scored clips); NaN where a judge is missing.

    ``entries`` maps, for each entry, a judge to the id of its finished run. A run that lacks a
    value on any clip scored now counts as missing: means are over the same clips for everybody.
    """
    columns = list(track.release.clips.scored().values_list("position", flat=True))
    places = {
        run_id: (row, track.judges.index(judge))
        for row, entry in enumerate(entries)
        for judge, run_id in entry.items()
    }
    shape = (len(entries), len(track.judges), len(columns))
    arrays = {metric: np.full(shape, np.nan) for metric in metrics_of(track)}
    vectors = ScoreVector.objects.filter(run__in=places, metric__in=arrays)
    for vector in vectors.iterator(chunk_size=200):
        row, judge = places[vector.run_id]
        values = vector.values
        if columns[-1] < len(values) and np.isfinite(values[columns]).all():
            arrays[vector.metric][row, judge] = values[columns]
    return arrays


def reported_arrays(
    track: Track, rows: Sequence[tuple[str, str, str, float]], systems: Sequence[str]
) -> dict[str, FloatArray]:
    """Metric to reported means, shape (systems, judges), NaN where nothing is reported.

    ``rows`` are (system slug, judge, metric, mean).
    """
    arrays: dict[str, FloatArray] = {}
    shape = (len(systems), len(track.judges))
    for system, judge, metric, mean in rows:
        if judge in track.judges:
            array = arrays.setdefault(metric, np.full(shape, np.nan))
            array[systems.index(system), track.judges.index(judge)] = mean
    return arrays

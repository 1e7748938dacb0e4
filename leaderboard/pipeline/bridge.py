"""Rows to the scoring library's types and back: it and its siblings alone know both.

``bridge_keypoints`` and ``bridge_pairs`` do the same for what those protocols have of their own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet
from numpy.typing import NDArray

from leaderboard.models import (
    Clip,
    Description,
    Evidence,
    Keypoint,
    Reference,
    Release,
    Run,
    ScoreVector,
    Submission,
    Track,
)
from leaderboard.pipeline import bridge_keypoints
from leaderboard.pipeline.chat_judges import without_key
from leaderboard.pipeline.scored import Scored
from scoring.protocols import GAPPED, embedding_match, facts, keypoints, ngram, pair_table, semantic
from scoring.types import FloatArray, JudgeResult, References
from scoring.types import Reference as ReferenceText

METRICS: Mapping[str, tuple[str, ...]] = {
    Track.Protocol.SEMANTIC: semantic.METRICS,
    Track.Protocol.FACTS: facts.METRICS,
    Track.Protocol.NGRAM: ngram.METRICS,
    Track.Protocol.EMBEDDING_MATCH: embedding_match.METRICS,
    Track.Protocol.KEYPOINTS: keypoints.METRICS,
    Track.Protocol.PAIRS: pair_table.METRICS,
}


ENGLISH_ONLY = frozenset({"meteor"})
"""Metrics that no other language has."""


def metrics_of(track: Track) -> tuple[str, ...]:
    """The names of the metrics that a track's protocol computes in its language."""
    missing = ENGLISH_ONLY if track.language not in {"", "en"} else frozenset()
    return tuple(metric for metric in METRICS[track.protocol] if metric not in missing)


def references_of(track: Track) -> References:
    """Clip key to the references that the track reads, over the scored clips in their order."""
    references: dict[str, list[ReferenceText]] = {
        key: [] for key in track.release.clips.scored().values_list("key", flat=True)
    }
    rows = Reference.objects.read_by(track).filter(clip__excluded=False)
    for key, text, language, kind in rows.values_list("clip__key", "text", "language", "kind"):
        references[key].append(ReferenceText(text=text, language=language, kind=kind))
    return references


def all_references_of(release: Release, language: str) -> References:
    """Clip key to all references in a language, over the scored clips that have any."""
    references: dict[str, list[ReferenceText]] = {}
    rows = Reference.objects.filter(
        clip__release=release, clip__excluded=False, language=language
    ).order_by("clip__position", "pk")
    for key, text, kind in rows.values_list("clip__key", "text", "kind"):
        references.setdefault(key, []).append(ReferenceText(text, language, kind))
    return references


def descriptions_of(submission: Submission) -> dict[str, str]:
    """Clip key to the submission's text."""
    rows = Description.objects.filter(submission=submission, clip__excluded=False)
    return dict(rows.values_list("clip__key", "text"))


def scored(run: Run, result: JudgeResult, *, summary: Mapping[str, Any] | None = None) -> Scored:
    """A judge's result as rows."""
    return Scored(
        signature=result.signature,
        vectors=score_vectors(run, result),
        evidence=list(evidence_rows(run, result)),
        counts=result.counts,
        summary=summary or {},
        failures=result.failures,
    )


def score_vectors(run: Run, result: JudgeResult) -> list[ScoreVector]:
    """One row per metric that has values; a clip that was not scored is NaN at its position."""
    means = result.mean()
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
                clips=int(np.isfinite(values).sum()),
                mean=None if np.isnan(means[metric]) else means[metric],
            )
        )
    return rows


def evidence_rows(run: Run, result: JudgeResult) -> Iterator[Evidence]:
    """One row per clip that the protocol shows something for."""
    clips = dict(run.submission.release.clips.values_list("key", "pk"))
    for key, data in result.evidence.items():
        if key in result.failures:
            # It holds what a server said, which may be about the key that it was shown.
            data = json.loads(without_key(run.judge, json.dumps(data)))  # noqa: PLW2901
        yield Evidence(run=run, clip_id=clips[key], data=data)


def previous_of(run: Run) -> JudgeResult | None:
    """What an earlier, incomplete try of the run has left; None when there is nothing."""
    if not run.failures:
        return None
    evidence = dict(run.evidence.values_list("clip__key", "data"))
    clips = run.submission.release.clips.filter(key__in=evidence)
    positions = dict(clips.values_list("key", "position"))
    columns = list(positions.values())
    return JudgeResult(
        judge=run.judge,
        signature=run.signature,
        clips=tuple(positions),
        metrics={vector.metric: vector.values[columns] for vector in run.vectors.all()},
        evidence=evidence,
        failures=run.failures,
    )


def counted_clips(track: Track) -> QuerySet[Clip]:
    """The clips that count on the track: scored ones, of keypoints those that have some."""
    clips = track.release.clips.scored()
    if track.protocol == Track.Protocol.KEYPOINTS:
        name = bridge_keypoints.annotation_name(track)
        clips = clips.filter(Exists(Keypoint.objects.filter(clip=OuterRef("pk"), annotation=name)))
    return clips


def counted(track: Track) -> NDArray[np.int64]:
    """Positions of the clips that count on the track."""
    return np.array(counted_clips(track).values_list("position", flat=True), np.int64)


def scored_positions(track: Track) -> NDArray[np.int64]:
    """Positions of the clips that are not excluded."""
    return np.array(track.release.clips.scored().values_list("position", flat=True), np.int64)


def score_arrays(
    track: Track,
    entries: Sequence[Mapping[str, int]],
    *,
    judges: Sequence[str] = (),
    wanted: NDArray[np.bool_] | None = None,
) -> dict[str, FloatArray]:
    """Metric to values, shape (entries, judges, scored clips); NaN where a judge is missing.

    ``entries`` maps, for each entry, a judge to the id of its finished run. Clips that do not count
    on the track (``counted``) are NaN for all, and metrics with gaps (``GAPPED``) keep theirs. Only
    ``judges`` of the track's, and of the scored clips the ``wanted`` ones, where they are given.
    """
    columns = scored_positions(track)
    kept = np.ones(len(columns), bool) if wanted is None else wanted
    shown = judges or track.judges
    shape = (len(entries), len(shown), int(kept.sum()))
    arrays = {metric: np.full(shape, np.nan) for metric in metrics_of(track)}
    theirs = [{judge: run for judge, run in e.items() if judge in shown} for e in entries]
    at = {track.judges.index(judge): n for n, judge in enumerate(shown)}
    for row, judge, metric, values in scores_by_run(track, theirs, columns, tuple(arrays)):
        arrays[metric][row, at[judge]] = values[kept]
    return arrays


def scores_by_run(
    track: Track,
    entries: Sequence[Mapping[str, int]],
    columns: NDArray[np.int64],
    metrics: Sequence[str],
) -> Iterator[tuple[int, int, str, FloatArray]]:
    """(entry, judge, metric, values at ``columns``, the scored positions), vector by vector.

    A run that lacks a value on any clip that counts now is missing: means are over the same clips
    for everybody.
    """
    needed = counted(track)
    places = {
        run_id: (row, track.judges.index(judge))
        for row, entry in enumerate(entries)
        for judge, run_id in entry.items()
    }
    # In no order: to sort vectors by their runs a database moves all their bytes.
    vectors = ScoreVector.objects.filter(run__in=places, metric__in=metrics).order_by()
    for run, metric, data in vectors.values_list("run_id", "metric", "data").iterator(200):
        row, judge = places[run]
        values = np.frombuffer(data, dtype="<f8")
        if len(columns) == 0 or columns[-1] >= len(values):
            continue
        if metric in GAPPED or np.isfinite(values[needed]).all():
            yield row, judge, metric, values[columns]


def reported_arrays(
    track: Track, rows: Sequence[tuple[str, str, str, float]], systems: Sequence[str]
) -> dict[str, FloatArray]:
    """Metric to reported means, shape (systems, judges), NaN where nothing is reported.

    ``rows`` are (system slug, judge, metric, mean).
    """
    shape = (len(systems), len(track.judges))
    arrays: dict[str, FloatArray] = {track.primary_metric: np.full(shape, np.nan)}
    for system, judge, metric, mean in rows:
        if judge in track.judges:
            array = arrays.setdefault(metric, np.full(shape, np.nan))
            array[systems.index(system), track.judges.index(judge)] = mean
    return arrays


def means_of(track: Track, runs: Iterable[int]) -> dict[int, dict[str, float]]:
    """Run id to the mean of each metric over the clips that count and have it."""
    columns = counted(track)
    means: dict[int, dict[str, float]] = {run: {} for run in runs}
    for vector in ScoreVector.objects.filter(run__in=means):
        values = vector.values[columns[columns < len(vector.values)]]
        if np.isfinite(values).any():
            means[vector.run_id][vector.metric] = float(np.nanmean(values))
    return means

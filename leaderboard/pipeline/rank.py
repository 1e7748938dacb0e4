"""The table of a track, from the runs that are done or from what papers report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from leaderboard.models import Provenance, Ranking, ReportedResult, Run, System, Track
from leaderboard.pipeline import bridge
from scoring.ranking import RankTable, rank_means, rank_scores

TRIES = 5


@dataclass(frozen=True, slots=True)
class Entry:
    """A system on the board: its name and the finished runs of the submission that counts."""

    slug: str
    name: str
    submission: str
    runs: dict[str, int] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)


def rank_track(track_id: int) -> Ranking | None:
    """The verified ranking that follows from the finished runs; stored only when it is new.

    None when nothing was ever ranked and there is nothing to rank.
    """
    return _up_to_date(track_id, Provenance.VERIFIED, _verified_inputs, _verified_table)


def rank_reported(track_id: int) -> Ranking | None:
    """The ranking of the reported results; the same rules, kept apart."""
    return _up_to_date(track_id, Provenance.REPORTED, _reported_inputs, _reported_table)


def stale_tracks() -> list[int]:
    """Open tracks whose newest verified ranking does not follow from the runs as they are."""
    return [
        track.pk
        for track in Track.objects.open().select_related("release")
        if _is_stale(track, _verified_inputs(track)[0], Provenance.VERIFIED)
    ]


def entries_of(track: Track) -> list[Entry]:
    """One entry per system, in the order of slugs.

    Of a system counts its newest public submission whose runs on the track are all final and of
    which at least one is done. While a newer one is being scored the older one stays; a judge
    that failed on the newest is missing there, and the entry is then unranked.
    """
    runs = (
        Run.objects.filter(track=track, judge__in=track.judges)
        .filter(submission__in=track.release.submissions.on_the_board())
        .order_by("submission__system__slug", "-submission__created_at", "-submission_id")
        .values_list(
            "submission__system__slug",
            "submission__system__name",
            "submission_id",
            "judge",
            "pk",
            "state",
            "signature",
        )
    )
    found: dict[str, Entry] = {}
    by_submission: dict[Any, list[tuple[Any, ...]]] = {}
    for row in runs:
        by_submission.setdefault(row[2], []).append(row)
    for submission, rows in by_submission.items():
        slug, name = rows[0][:2]
        done = {row[3]: row for row in rows if row[5] == Run.State.DONE}
        if slug in found or not done or any(row[5] not in Run.FINAL for row in rows):
            continue
        found[slug] = Entry(
            slug=slug,
            name=name,
            submission=str(submission),
            runs={judge: row[4] for judge, row in sorted(done.items())},
            signatures={judge: row[6] for judge, row in sorted(done.items())},
        )
    return list(found.values())


Inputs = tuple[dict[str, Any], Any]


def _up_to_date(
    track_id: int,
    provenance: Provenance,
    inputs_of: Callable[[Track], Inputs],
    table_of: Callable[[Track, Any], RankTable],
) -> Ranking | None:
    """Compute outside any transaction, store inside one that checks that nothing has changed.

    The track's row is locked meanwhile, so that of two workers none stores an older state over
    a newer one.
    """
    for _ in range(TRIES):
        track = Track.objects.select_related("release").get(pk=track_id)
        inputs, rows = inputs_of(track)
        if not _is_stale(track, inputs, provenance):
            break
        table = table_of(track, rows)
        with transaction.atomic():
            track = Track.objects.select_for_update().get(pk=track_id)
            if _fingerprint(inputs_of(track)[0]) == _fingerprint(inputs):
                _store(track, provenance, inputs, table)
                break
    return Ranking.objects.latest_of(track, provenance)


def _is_stale(track: Track, inputs: dict[str, Any], provenance: Provenance) -> bool:
    newest = Ranking.objects.latest_of(track, provenance)
    if newest is None:
        return bool(inputs["entries"])
    return newest.fingerprint != _fingerprint(inputs)


def _store(track: Track, provenance: Provenance, inputs: dict[str, Any], table: RankTable) -> None:
    if not _is_stale(track, inputs, provenance):
        return
    entries = {entry["system"]: entry for entry in inputs["entries"]}
    made = table.to_json()
    Ranking.objects.create(
        track=track,
        provenance=provenance,
        fingerprint=_fingerprint(inputs),
        signature=table.signature,
        inputs=inputs,
        rows=[
            row
            | {
                "name": entries[row["system"]]["name"],
                "submission": entries[row["system"]].get("submission"),
            }
            for row in made["rows"]
        ],
        agreement=made["agreement"],
    )


def _fingerprint(inputs: dict[str, Any]) -> str:
    """SHA-256 of everything that a ranking follows from."""
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def _verified_inputs(track: Track) -> Inputs:
    entries = entries_of(track)
    return {
        "protocol": track.protocol,
        "settings": track.settings,
        "judges": track.judges,
        "primary": track.primary_metric,
        "replicates": track.bootstrap_replicates,
        "seed": track.bootstrap_seed,
        "clips": list(track.release.clips.scored().values_list("key", flat=True)),
        "entries": [
            {
                "system": entry.slug,
                "name": entry.name,
                "submission": entry.submission,
                "runs": entry.runs,
                "signatures": entry.signatures,
            }
            for entry in entries
        ],
    }, entries


def _verified_table(track: Track, entries: list[Entry]) -> RankTable:
    return rank_scores(
        [entry.slug for entry in entries],
        track.judges,
        bridge.score_arrays(track, [entry.runs for entry in entries]),
        primary=track.primary_metric,
        replicates=track.bootstrap_replicates,
        seed=track.bootstrap_seed,
        signatures=[s for entry in entries for s in entry.signatures.values()],
    )


def _reported_inputs(track: Track) -> Inputs:
    rows = list(
        ReportedResult.objects.filter(track=track)
        .order_by("system__slug", "judge", "metric")
        .values_list("system__slug", "judge", "metric", "mean")
    )
    names = dict(
        System.objects.filter(reported__track=track).distinct().values_list("slug", "name")
    )
    values: dict[str, dict[str, dict[str, float]]] = {}
    for slug, judge, metric, mean in rows:
        values.setdefault(slug, {}).setdefault(judge, {})[metric] = mean
    return {
        "judges": track.judges,
        "primary": track.primary_metric,
        "entries": [
            {"system": slug, "name": names[slug], "reported": judges}
            for slug, judges in values.items()
        ],
    }, rows


def _reported_table(track: Track, rows: list[tuple[str, str, str, float]]) -> RankTable:
    systems = sorted({row[0] for row in rows})
    return rank_means(
        systems,
        track.judges,
        bridge.reported_arrays(track, rows, systems),
        primary=track.primary_metric,
    )

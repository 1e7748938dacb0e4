"""The table of a track, from the runs that are done or from what papers report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q

from leaderboard.models import Kind, Provenance, Ranking, Run, Track
from leaderboard.pipeline import (
    board_state,
    bridge,
    bridge_keypoints,
    digest,
    rank_pairs,
    reported,
)
from leaderboard.pipeline.clip_numbers import clip_numbers
from leaderboard.pipeline.entries import Entry, entries_of
from leaderboard.pipeline.rank_rows import BESIDE, Row, Table, ranked

TRIES = 5


def rank_track(track_id: int) -> Ranking | None:
    """The verified ranking that follows from the finished runs; stored only when it is new.

    None when nothing was ever ranked and there is nothing to rank. Runs of judgements made
    elsewhere lead to the reported ranking, which is brought up to date beside it.
    """
    if Run.objects.filter(track=track_id, submission__kind=Kind.JUDGEMENTS).exists():
        rank_reported(track_id)
    return _up_to_date(track_id, VERIFIED)


def rank_reported(track_id: int) -> Ranking | None:
    """The ranking of the reported results; the same rules, kept apart."""
    return _up_to_date(track_id, REPORTED)


def stale_tracks() -> list[int]:
    """Tracks that take uploads and whose ranking does not follow from the runs as they are.

    The inputs are read only where something has happened since they were last found to agree.
    """
    takes = Q(scores_uploads=True) | Q(protocol=Track.Protocol.KEYPOINTS)
    tracks = Track.objects.filter(takes).select_related("release__benchmark")
    return [track.pk for track in tracks if _is_behind(track)]


def _is_behind(track: Track) -> bool:
    state = board_state.state_of(track)
    if board_state.is_known(track, state):
        return False
    kinds = [VERIFIED, REPORTED] if Kind.JUDGEMENTS in track.takes else [VERIFIED]
    behind = any(_is_stale(track, kind) for kind in kinds)
    if not behind:
        board_state.note(track, state)
    return behind


Inputs = tuple[dict[str, Any], Any]


class Kept(NamedTuple):
    """Of a newest ranking: its key and fingerprint, and whether its digest is there."""

    pk: int
    fingerprint: str
    digest: int | None


def _up_to_date(track_id: int, kind: Rules) -> Ranking | None:
    """Compute outside any transaction, store inside one that checks that nothing has changed.

    The track's row is locked meanwhile, so that of two workers none stores an older state over
    a newer one. Of a board that changes faster than it is ranked, the last try is stored unless
    another worker has stored one: it is a table of the board as it was, and the next message
    brings what has come since.
    """
    for last in (*[False] * (TRIES - 1), True):
        track = Track.objects.select_related("release__benchmark").get(pk=track_id)
        newest, seen = _newest(track, kind.provenance), digest.Seen.now(track)
        inputs, rows = kind.inputs(track)
        if not _follows_otherwise(newest, inputs):
            if newest and newest.digest is None:
                _add_digest(track, kind, newest, seen, rows)
            break
        table = kind.table(track, rows)
        before = Ranking.objects.filter(pk=newest.pk).first() if newest else None
        with transaction.atomic():
            track = Track.objects.select_for_update().get(pk=track_id)
            overtaken = _newest(track, kind.provenance) != newest
            unchanged = _fingerprint(kind.inputs(track)[0]) == _fingerprint(inputs)
            if not overtaken and (unchanged or last):
                stored = _store(track, kind.provenance, inputs, table)
                digest.store(stored, table.numbers, seen, before)
                break
    return Ranking.objects.latest_of(track, kind.provenance)


def _add_digest(track: Track, kind: Rules, newest: Kept, seen: digest.Seen, rows: Any) -> None:
    """Give a ranking that follows from what is there the digest that it lacks."""
    stored = Ranking.objects.get(pk=newest.pk)
    older = Ranking.objects.filter(track=track, provenance=kind.provenance).exclude(pk=newest.pk)
    before = older.filter(computed_at__lte=stored.computed_at).order_by("-computed_at").first()
    numbers = kind.table(track, rows).numbers if kind.provenance == Provenance.VERIFIED else None
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        if _newest(track, kind.provenance) == newest:
            digest.store(stored, numbers, seen, before)


def _is_stale(track: Track, kind: Rules) -> bool:
    newest = _newest(track, kind.provenance)
    lacks_digest = newest is not None and newest.digest is None
    return lacks_digest or _follows_otherwise(newest, kind.inputs(track)[0])


def _follows_otherwise(newest: Kept | None, inputs: dict[str, Any]) -> bool:
    """Whether the inputs lead to another ranking than the newest, or to the first."""
    if newest is None:
        return bool(inputs["entries"])
    return newest.fingerprint != _fingerprint(inputs)


def _newest(track: Track, provenance: Provenance) -> Kept | None:
    """The newest ranking, without its rows, which may be many."""
    found = Ranking.objects.filter(track=track, provenance=provenance).order_by("-computed_at")
    newest = found.values_list("pk", "fingerprint", "digest").first()
    return Kept(*newest) if newest else None


def _store(track: Track, provenance: Provenance, inputs: dict[str, Any], table: Table) -> Ranking:
    entries = {entry["system"]: entry for entry in inputs["entries"]}
    return Ranking.objects.create(
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
            for row in table.rows
        ],
        agreement=table.agreement,
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
        "clips": list(bridge.counted_clips(track).values_list("key", flat=True)),
        "entries": [entry.to_json() for entry in entries],
    }, entries


def _verified_table(track: Track, entries: list[Entry]) -> Table:
    table = _table(track, [entry for entry in entries if not entry.mark])
    for mark in sorted({entry.mark for entry in entries} - {""}, key=BESIDE.index):
        marked = [entry for entry in entries if entry.mark == mark]
        table = table.beside(_table(track, marked).rows, mark)
    return table


def _table(track: Track, entries: list[Entry]) -> Table:
    signatures = [s for entry in entries for s in entry.signatures.values()]
    if track.protocol == Track.Protocol.PAIRS:
        runs = [(entry.slug, entry.runs) for entry in entries]
        return rank_pairs.verified(track, runs, signatures)
    systems = [entry.slug for entry in entries]
    arrays = bridge.score_arrays(track, [entry.runs for entry in entries])
    made = ranked(track, systems, track.judges, arrays, signatures)
    if track.protocol == Track.Protocol.KEYPOINTS:
        _add_breakdowns(track, made.rows, entries)
    found = clip_numbers(arrays, track.primary_metric, bridge.scored_positions(track))
    return replace(made, numbers=(systems, found) if found else None)


def _add_breakdowns(track: Track, rows: Sequence[Row], entries: list[Entry]) -> None:
    """Put each judge's numbers by duration, category and kind of keypoint into the rows."""
    runs = {entry.slug: entry.runs for entry in entries}
    found = bridge_keypoints.breakdowns(track, [run for of in runs.values() for run in of.values()])
    for row in rows:
        row["parts"] = {judge: found[run] for judge, run in runs[row["system"]].items()}


class Rules(NamedTuple):
    """Where a ranking's inputs and its table come from."""

    provenance: Provenance
    inputs: Callable[[Track], Inputs]
    table: Callable[[Track, Any], Table]


VERIFIED = Rules(Provenance.VERIFIED, _verified_inputs, _verified_table)
REPORTED = Rules(Provenance.REPORTED, reported.inputs, reported.table)

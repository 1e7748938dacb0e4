"""What pages read of a ranking in place of the whole of it: made with it, stored with it."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Avg
from django.db.models.functions import Length
from django.utils import timezone
from numpy.typing import NDArray

from leaderboard.models import Description, Digest, RankedRow, Ranking, Submission, Track
from leaderboard.pipeline import bridge, visible
from leaderboard.pipeline.clip_numbers import ALIKE, ClipNumbers
from leaderboard.pipeline.rank_rows import Row
from scoring.types import FloatArray

__all__ = ["ALIKE", "Packed", "Seen", "arrays", "arrivals", "lengths", "step", "store"]

TEXTS = ("systems", "names", "submissions")
BATCH = 500


@dataclass(frozen=True, slots=True)
class Seen:
    """What could be seen of a release's submissions before a ranking's inputs were read."""

    as_of: datetime
    stamp: str

    @classmethod
    def now(cls, track: Track) -> Seen:
        """Of a track's release."""
        moment = timezone.now()
        return cls(moment, visible.stamp(track.release, moment))


@dataclass(frozen=True, slots=True)
class Packed:
    """The arrays of a stored digest, each unpacked when it is asked for.

    One value a row of the ranking: ``systems``, ``names``, ``submissions`` ("" for none), ``ranks``
    (0 for none). Where the ranking is of clips, the fields of ``ClipNumbers`` besides, whose
    systems are the rows ``of``, with the mean ``lengths`` of their descriptions in characters, the
    moments ``came`` in seconds, and ``of_clips``, how many clips count on the track.
    """

    archive: Any

    @classmethod
    def of(cls, data: bytes | memoryview) -> Packed:
        """From ``Digest.arrays``."""
        return cls(np.load(io.BytesIO(data), allow_pickle=False))

    def __getitem__(self, name: str) -> NDArray[Any]:
        found: NDArray[Any] = self.archive[name]
        return found

    def texts(self, name: str) -> list[str]:
        """One of ``TEXTS``."""
        found: list[str] = json.loads(self.archive[name].tobytes())
        return found

    @property
    def clip_numbers(self) -> ClipNumbers | None:
        """None where the ranking is not of clips."""
        if "positions" not in self.archive:
            return None
        return ClipNumbers(**{name: self.archive[name] for name in ClipNumbers.__slots__})


def store(
    ranking: Ranking,
    numbers: tuple[Sequence[str], ClipNumbers] | None,
    seen: Seen,
    before: Ranking | None,
) -> None:
    """The digest of a ranking and its rows one by one, in the caller's transaction; those of older
    rankings go. ``numbers`` come with the systems that they are of; ``before`` is the ranking
    before, whole.
    """
    rows = ranking.rows
    Digest.objects.create(
        ranking=ranking,
        as_of=seen.as_of,
        stamp=seen.stamp,
        head=_head(rows),
        previous=before.pk if before else None,
        step=step(before, ranking) if before else None,
        arrays=arrays(ranking.track, rows, numbers, before=before),
    )
    same = {"ranking__track": ranking.track, "ranking__provenance": ranking.provenance}
    RankedRow.objects.filter(**same).delete()
    RankedRow.objects.bulk_create(
        (
            RankedRow(
                ranking=ranking,
                at=at,
                system=row["system"],
                submission=row.get("submission") or "",
                data=row,
            )
            for at, row in enumerate(rows)
        ),
        batch_size=BATCH,
    )


def arrays(
    track: Track,
    rows: Sequence[Row],
    numbers: tuple[Sequence[str], ClipNumbers] | None,
    *,
    before: Ranking | None,
    of_clips: int | None = None,
) -> bytes:
    """The compact arrays of a table, see ``Packed``; ``of_clips`` where not all clips are in it."""
    found: dict[str, Any] = _index(rows)
    if numbers is not None:
        found |= _of_clips(track, rows, *numbers, _known_lengths(track, before))
        found |= {"of_clips": np.array(of_clips or len(numbers[1].positions))}
    packed = io.BytesIO()
    np.savez_compressed(packed, **found)
    return packed.getvalue()


def _head(rows: Sequence[Row]) -> dict[str, Any]:
    """What a short table says of the whole one."""
    return {
        "systems": len(rows),
        "places": sum(row["rank"] is not None for row in rows),
        "has_intervals": any(row["rank_low"] is not None for row in rows),
        "metrics": sorted({metric for row in rows for metric in row["mean"]}),
        "judges": sorted({judge for row in rows for judge in row["judges"]}),
    }


def _index(rows: Sequence[Row]) -> dict[str, NDArray[Any]]:
    columns = {
        "systems": [row["system"] for row in rows],
        "names": [row["name"] for row in rows],
        "submissions": [row.get("submission") or "" for row in rows],
    }
    texts = {name: np.frombuffer(json.dumps(of).encode(), np.uint8) for name, of in columns.items()}
    return texts | {"ranks": np.array([row["rank"] or 0 for row in rows], np.float64)}


def _of_clips(
    track: Track,
    rows: Sequence[Row],
    systems: Sequence[str],
    numbers: ClipNumbers,
    known: Mapping[str, float],
) -> dict[str, NDArray[Any]]:
    at = {row["system"]: n for n, row in enumerate(rows)}
    of = np.array([at[system] for system in systems], np.int64)
    submissions = [rows[n]["submission"] for n in of]
    return numbers.arrays() | {
        "of": of,
        "scored": bridge.scored_positions(track),
        "lengths": lengths(submissions, known),
        "came": arrivals(track, submissions),
    }


def lengths(submissions: Sequence[str], known: Mapping[str, float]) -> FloatArray:
    """The mean number of characters of each one's descriptions of scored clips, NaN where it has
    none. What is ``known`` is not counted again: ten million texts are a minute's work.
    """
    missing = [UUID(key) for key in submissions if key not in known]
    rows = Description.objects.filter(submission__in=missing, clip__excluded=False).order_by()
    counted = rows.values_list("submission").annotate(mean=Avg(Length("text")))
    found = dict(known) | {str(pk): float(mean) for pk, mean in counted}
    return np.array([found.get(key, np.nan) for key in submissions])


def _known_lengths(track: Track, before: Ranking | None) -> Mapping[str, float]:
    """Those of the ranking before, if the same clips counted: a stored text never changes."""
    found = Digest.objects.filter(ranking=before).values_list("arrays", flat=True).first()
    packed = Packed.of(found) if before and found else None
    if packed is None or packed.clip_numbers is None:
        return {}
    if not np.array_equal(packed["scored"], bridge.scored_positions(track)):
        return {}
    submissions = packed.texts("submissions")
    pairs = zip(packed["of"], packed["lengths"].tolist(), strict=True)
    return {submissions[at]: length for at, length in pairs if np.isfinite(length)}


def arrivals(track: Track, submissions: Sequence[str]) -> FloatArray:
    """When each came, in seconds since 1970; NaN where it is gone."""
    own = Submission.objects.filter(release=track.release_id).order_by()
    moments = {str(pk): at.timestamp() for pk, at in own.values_list("pk", "created_at")}
    return np.array([moments.get(key, np.nan) for key in submissions])


def step(before: Ranking, after: Ranking) -> dict[str, Any]:
    """Both rankings without what is the same in both: all that is needed to say what changed."""
    old, new = (
        {entry["system"]: entry for entry in one.inputs["entries"]} for one in (before, after)
    )
    differ = {slug for slug in old.keys() | new.keys() if old.get(slug) != new.get(slug)}
    same_clips = before.inputs.get("clips") == after.inputs.get("clips")
    return {
        "before": _cut(before, differ, clips=not same_clips),
        "after": _cut(after, differ, clips=not same_clips),
    }


def _cut(ranking: Ranking, systems: set[str], *, clips: bool) -> dict[str, Any]:
    left_out = {"entries"} if clips else {"entries", "clips"}
    inputs = {key: value for key, value in ranking.inputs.items() if key not in left_out}
    entries = [e for e in ranking.inputs["entries"] if e["system"] in systems]
    kept = ("system", "name", "submission", "rank")
    rows = [{k: row.get(k) for k in kept} for row in ranking.rows if row["system"] in systems]
    return {"inputs": inputs | {"entries": entries}, "rows": rows}

"""The per-clip scores behind a table: long CSV, a row at a time, and NPZ.

Who is in it follows from the ranking's own entries, so that it names nobody whom the table does not
name; which numbers count is decided where the table is computed.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from leaderboard.exports.shown import Shown
from leaderboard.models import Clip, Provenance, Track
from leaderboard.pipeline import bridge
from leaderboard.tables import Choice
from scoring.ranking.render import safe_cell
from scoring.types import FloatArray

# So many systems are held at once while the rows are written.
CHUNK = 25
IN_MEMORY = 8_000_000  # bytes of an archive before it goes to disk


class Line:
    """What a csv writer writes, handed back instead of kept."""

    def write(self, text: str) -> str:
        """The text."""
        return text


@dataclass(frozen=True)
class ScoreMatrix:
    """Scores of one metric; ``wanted`` marks the scored clips that the choice leaves in."""

    shown: Shown
    metric: str
    judges: tuple[str, ...]
    systems: tuple[str, ...]
    clips: tuple[str, ...]
    entries: tuple[dict[str, int], ...] = field(repr=False)
    positions: NDArray[np.int64] = field(repr=False)
    wanted: NDArray[np.bool_] = field(repr=False)

    @property
    def name(self) -> str:
        """A file's name without its suffix."""
        return f"{self.shown.name}-{self.metric}"

    def csv_lines(self) -> Iterator[str]:
        """Head and rows ``system,judge,clip,value``; a clip without a value has no row."""
        writer = csv.writer(Line())
        yield writer.writerow(["system", "judge", "clip", "value"])
        for at in range(0, len(self.systems), CHUNK):
            for system, values in zip(
                self.systems[at : at + CHUNK], self._values(at, CHUNK), strict=True
            ):
                for judge, row in zip(self.judges, values, strict=True):
                    for clip, value in zip(self.clips, row.tolist(), strict=True):
                        if value == value:  # noqa: PLR0124 - not NaN
                            cells = map(safe_cell, (system, judge, clip, value))
                            yield writer.writerow(cells)

    def npz(self) -> IO[bytes]:
        """An open file at its start: ``values`` (systems, judges, clips), NaN where there is none,
        the names along its axes, and what it follows from. It loads without pickle.
        """
        parts = [self._values(at, CHUNK) for at in range(0, len(self.systems), CHUNK)]
        shape = (0, len(self.judges), len(self.clips))
        values = np.concatenate(parts) if parts else np.zeros(shape)
        about = dict(self.shown.notes) | {"signature": self.shown.ranking.signature}
        run_signatures = [
            [self.shown.signatures.get(system, {}).get(judge, "") for judge in self.judges]
            for system in self.systems
        ]
        # The answer's file is closed by the server when it has been sent.
        file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        arrays: dict[str, Any] = {
            "values": values,
            "systems": np.array(self.systems, dtype=np.str_),
            "judges": np.array(self.judges, dtype=np.str_),
            "clips": np.array(self.clips, dtype=np.str_),
            "run_signatures": np.array(run_signatures, dtype=np.str_),
            "metric": np.array(self.metric),
        }
        np.savez_compressed(file, **arrays | {key: np.array(text) for key, text in about.items()})
        file.seek(0)
        return file

    def _values(self, at: int, count: int) -> FloatArray:
        """(systems, judges, clips) of some systems."""
        track = self.shown.ranking.track
        entries = self.entries[at : at + count]
        shape = (len(entries), len(track.judges), len(self.wanted))
        values: FloatArray = np.full(shape, np.nan)
        vectors = bridge.scores_by_run(track, entries, self.positions, (self.metric,))
        for row, judge, _, found in vectors:
            values[row, judge] = found
        columns = [track.judges.index(judge) for judge in self.judges]
        return values[:, columns][:, :, np.flatnonzero(self.wanted)]


def score_matrix(shown: Shown, choice: Choice) -> ScoreMatrix | None:
    """Of the first metric that is shown, under the choice; None where there are no scores of clips:
    for reported means, and for pair tests.
    """
    ranking = shown.ranking
    track = ranking.track
    if ranking.provenance == Provenance.REPORTED or track.protocol == Track.Protocol.PAIRS:
        return None
    clips: list[Clip] = list(track.release.clips.scored())
    wanted = np.array([choice.includes(clip) for clip in clips], dtype=bool)
    order = {row.system: place for place, row in enumerate(shown.board.rows)}
    entries = [entry for entry in ranking.inputs["entries"] if entry["system"] in order]
    entries.sort(key=lambda entry: order[entry["system"]])
    return ScoreMatrix(
        shown=shown,
        metric=shown.board.metric,
        judges=choice.judges or tuple(track.judges),
        systems=tuple(entry["system"] for entry in entries),
        clips=tuple(clip.key for clip, counts in zip(clips, wanted, strict=True) if counts),
        entries=tuple(entry["runs"] for entry in entries),
        positions=np.array([clip.position for clip in clips], np.int64),
        wanted=wanted,
    )

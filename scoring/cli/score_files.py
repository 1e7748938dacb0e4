"""Files of scores as `cliprank score` writes them, put side by side so that they can be ranked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, StringConstraints, ValidationError

from scoring.formats.quoting import counted, name, names, quote
from scoring.types import FloatArray, ScoringError

_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class ScoreFileError(ScoringError):
    """A file of scores that cannot be used, or files that cannot share a table."""

    code = "score-file"


class JudgeScores(BaseModel):
    """What one judge gave one system: clip id -> metric -> value, null where the judge failed."""

    model_config = ConfigDict(strict=True, frozen=True)

    signature: _Name
    clips: dict[str, dict[str, FiniteFloat | None]] = Field(min_length=1)


class ScoreFile(BaseModel):
    """One system's scores by judge. Other keys of the file, such as the means, are not read."""

    model_config = ConfigDict(strict=True, frozen=True)

    system: _Name
    judges: dict[_Name, JudgeScores] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Panel:
    """Several systems on the same clips: what ``rank_scores`` takes, and remarks for the user."""

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    clips: tuple[str, ...]
    metrics: dict[str, FloatArray]
    signatures: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def read_scores(path: Path) -> ScoreFile:
    """Read one file.

    Raises:
        ScoreFileError: naming the file, the place and what is wrong there.
        OSError: the file cannot be opened.
    """
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    try:
        found = ScoreFile.model_validate_json(data)
        json.loads(data, object_pairs_hook=_no_repeats)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = " > ".join(name(str(part)) for part in first["loc"])
        what = f"{where}: {first['msg']}" if where else first["msg"]
        raise ScoreFileError(f"{path}: {what}. Expected what `cliprank score` writes.") from None
    except _RepeatedKeyError as error:
        raise ScoreFileError(f"{path}: the key {quote(str(error))} comes twice") from None
    return found


def side_by_side(
    files: Sequence[tuple[Path, ScoreFile]],
    *,
    primary: str,
    judges: Sequence[str] = (),
    allow_mixed: bool = False,
) -> Panel:
    """Arrange the files' scores as arrays over the same clips.

    Args:
        primary: the metric to rank by; every file must hold it. Others are kept where all do.
        judges: those that count, in this order; by default all, in order of appearance.
        allow_mixed: let numbers of different signatures share the table, with a remark.

    Raises:
        ScoreFileError: a system in two files, an unknown judge, clips that differ, a metric that
            is missing, or (unless allowed) a judge with two signatures.
    """
    _check_systems(files)
    known = list(dict.fromkeys(judge for _, file in files for judge in file.judges))
    unknown = [judge for judge in judges if judge not in known]
    if unknown:
        raise ScoreFileError(f"no file has scores by {names(unknown)}; there are {names(known)}")
    chosen = tuple(dict.fromkeys(judges)) or tuple(known)
    cells = [
        (path, v, j, file.judges[judge])
        for v, (path, file) in enumerate(files)
        for j, judge in enumerate(chosen)
        if judge in file.judges
    ]
    remarks = _signature_faults(files, chosen)
    if remarks and not allow_mixed:
        raise ScoreFileError(
            f"{remarks[0]}. Numbers of two signatures may not share a table: score again with one "
            "setup, or rank them anyway with --allow-mixed"
        )
    clips = _common_clips(cells, chosen)
    metrics = _common_metrics(cells, chosen, primary)
    arrays = {metric: np.full((len(files), len(chosen), len(clips)), np.nan) for metric in metrics}
    for _, v, j, scores in cells:
        for metric, array in arrays.items():
            array[v, j] = [scores.clips[clip][metric] for clip in clips]
    return Panel(
        systems=tuple(file.system for _, file in files),
        judges=chosen,
        clips=clips,
        metrics=arrays,
        signatures=tuple(sorted({scores.signature for *_, scores in cells})),
        remarks=tuple(remarks),
    )


_Cell = tuple[Path, int, int, JudgeScores]


def _check_systems(files: Sequence[tuple[Path, ScoreFile]]) -> None:
    """Each system comes once."""
    seen: dict[str, Path] = {}
    for path, file in files:
        if file.system in seen:
            raise ScoreFileError(
                f"{path}: system {quote(file.system)} comes twice, first in {seen[file.system]}; "
                'leave one file out or change its "system"'
            )
        seen[file.system] = path


def _signature_faults(files: Sequence[tuple[Path, ScoreFile]], judges: Sequence[str]) -> list[str]:
    """One line for each judge whose signature is not the same in all files."""
    faults = []
    for judge in judges:
        first: dict[str, Path] = {}
        for path, file in files:
            if judge in file.judges:
                first.setdefault(file.judges[judge].signature, path)
        if len(first) > 1:
            listed = " and ".join(f"{signature} in {path}" for signature, path in first.items())
            faults.append(f"judge {name(judge)} has {len(first)} signatures: {listed}")
    return faults


def _common_clips(cells: Sequence[_Cell], judges: Sequence[str]) -> tuple[str, ...]:
    """The clips that every file and judge scored, in the order of the first; all must agree."""
    if not cells:
        return ()
    first_path, _, first_judge, first = cells[0]
    wanted = first.clips.keys()
    for path, _, j, scores in cells[1:]:
        missing = [clip for clip in wanted if clip not in scores.clips]
        extra = [clip for clip in scores.clips if clip not in wanted]
        if missing or extra:
            lacks = f"lacks clip {name(missing[0])}" if missing else f"has clip {name(extra[0])}"
            other = "which is" if missing else "which is not"
            differing = counted(len(missing) + len(extra), "clip")
            raise ScoreFileError(
                f"{path}: judge {name(judges[j])} {lacks}, {other} in {first_path} (judge "
                f"{name(judges[first_judge])}); {differing} differ. Score all systems on the same "
                "clips"
            )
    return tuple(wanted)


def _common_metrics(cells: Sequence[_Cell], judges: Sequence[str], primary: str) -> list[str]:
    """The metrics that every file, judge and clip has, in the order of the first."""
    common: list[str] | None = None
    for path, _, j, scores in cells:
        for clip, values in scores.clips.items():
            if primary not in values:
                raise ScoreFileError(
                    f"{path}: judge {name(judges[j])}, clip {name(clip)} has no {name(primary)} "
                    f"to rank by; there are {names(values)}"
                )
            common = [
                metric for metric in (values if common is None else common) if metric in values
            ]
    return [primary] if common is None else common


class _RepeatedKeyError(Exception):
    """A JSON object names a key twice."""


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return made

"""The published tables of CapRiCorn-1K: two settings by duration, and two judges side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from django.utils.text import slugify
from pydantic import BaseModel, ConfigDict, Field, model_validator

from leaderboard.importers.published import replace_reported
from leaderboard.importers.rows import put_system
from leaderboard.importers.source import InvalidSource, read_json
from leaderboard.models import ReportedResult, System, Track

JUDGE = "gpt-4.1"
"""The judge of the paper's tables."""
SOURCES = {"audiovisual": "CapRiCorn-1K, table 2", "visual_only": "CapRiCorn-1K, table 3"}
ABLATION = "CapRiCorn-1K, table 4"
BINS = {
    "(0,2]min": "(0,120]",
    "(2,5]min": "(120,300]",
    "(5,8]min": "(300,480]",
    "(8,10]min": "(480,601]",
}
"""The paper's ranges of duration, and their names in seconds."""

Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]


class Numbers(BaseModel):
    """Accuracy, coverage and referential consistency, in percent."""

    model_config = ConfigDict(extra="forbid")

    acc: Percent
    cov: Percent
    ref: Percent

    def shares(self) -> dict[str, float]:
        """Metric to a share, without the noise that a division by 100 may add."""
        return {metric: round(value / 100, 6) for metric, value in self}


class Line(BaseModel):
    """One line of table 2 or 3."""

    model_config = ConfigDict(extra="forbid")

    model: Annotated[str, Field(min_length=1, max_length=80)]
    size: Annotated[str, Field(max_length=40)] | None
    overall: Numbers
    short: Annotated[Numbers, Field(alias="(0,2]min")]
    medium: Annotated[Numbers, Field(alias="(2,5]min")]
    long: Annotated[Numbers, Field(alias="(5,8]min")]
    longest: Annotated[Numbers, Field(alias="(8,10]min")]

    def parts(self) -> dict[str, Numbers]:
        """Part of the benchmark to its numbers; the whole is the empty part."""
        ranges = (self.short, self.medium, self.long, self.longest)
        named = zip(BINS.values(), ranges, strict=True)
        return {"": self.overall} | {f"duration:{name}": numbers for name, numbers in named}


class Ablation(BaseModel):
    """One line of table 4: the paper's judge and another one."""

    model_config = ConfigDict(extra="forbid")

    model: Annotated[str, Field(min_length=1, max_length=80)]
    panel: Annotated[Numbers, Field(alias=JUDGE)]
    other: Annotated[Numbers, Field(alias="qwen3-235b-a22b")]


OTHER_JUDGE = "qwen3-235b-a22b"


class Tables(BaseModel):
    """A whole results file."""

    source: Annotated[str, Field(min_length=1, max_length=300)]
    judge: str
    audiovisual: Annotated[list[Line], Field(min_length=1)]
    visual_only: Annotated[list[Line], Field(min_length=1)]
    judge_ablation: list[Ablation] = []

    @model_validator(mode="after")
    def _each_once(self) -> Tables:
        if self.judge.casefold() != JUDGE:
            raise ValueError(f"judge: the tables are of {JUDGE}, not {self.judge}")
        for table in ("audiovisual", "visual_only"):
            counts = Counter((line.model, line.size) for line in getattr(self, table))
            twice = [f"{model} {size}" for (model, size), count in counts.items() if count > 1]
            if twice:
                raise ValueError(f"{table}: {', '.join(twice)} stands there twice")
        return self

    def names(self) -> dict[tuple[str, str | None], str]:
        """(Model, size) to a name of its own: with the size where a model comes in several."""
        lines = {(line.model, line.size) for line in (*self.audiovisual, *self.visual_only)}
        counts = Counter(model for model, _ in lines)
        return {
            (model, size): f"{model} {size}" if size and counts[model] > 1 else model
            for model, size in lines
        }


def read_tables(path: Path) -> Tables:
    """A results file; InvalidSource when it is faulty."""
    return read_json(path, Tables)


def put_tables(tables: Tables, tracks: Mapping[str, Track]) -> list[ReportedResult]:
    """Make the tracks' reported results those of the file; all of them.

    ``tracks``: the two settings by their names in the file. Raises InvalidSource.
    """
    systems = _systems(tables)
    rows = [
        row
        for setting, source in SOURCES.items()
        for row in _table(getattr(tables, setting), tracks[setting], systems, source)
    ]
    rows += _ablation(tables, tracks["audiovisual"], systems)
    for track in tracks.values():
        for source in (*SOURCES.values(), ABLATION):
            its_rows = [r for r in rows if r.track_id == track.pk and r.source == source]
            replace_reported(track, its_rows, source=source)
    return rows


Systems = Mapping[tuple[str, str | None], System]


def _systems(tables: Tables) -> Systems:
    names = tables.names()
    slugs = {key: slugify(name.replace(".", "-")) for key, name in names.items()}
    twice = [slug for slug, count in Counter(slugs.values()).items() if count > 1]
    if twice or "" in slugs.values():
        raise InvalidSource([f"two systems would be called {slug or 'nothing'}" for slug in twice])
    return {
        key: put_system(
            slugs[key], name=name, card={"name": name, "family": key[0], "parameters": key[1] or ""}
        )
        for key, name in names.items()
    }


def _table(
    lines: Sequence[Line], track: Track, systems: Systems, source: str
) -> list[ReportedResult]:
    return [
        _row(track, systems[line.model, line.size], JUDGE, metric, share, part, source)
        for line in lines
        for part, numbers in line.parts().items()
        for metric, share in numbers.shares().items()
    ]


def _ablation(tables: Tables, track: Track, systems: Systems) -> list[ReportedResult]:
    """What the other judge gave; the panel's own numbers stand in table 2 already."""
    found = []
    for line in tables.judge_ablation:
        same = [
            one
            for one in tables.audiovisual
            if line.model in (one.model, f"{one.model}-{one.size}") and one.overall == line.panel
        ]
        if len(same) != 1:
            message = f"{line.model} has {JUDGE}'s numbers of {len(same)} systems of table 2"
            raise InvalidSource([f"judge_ablation: {message}; they must be those of one"])
        system = systems[same[0].model, same[0].size]
        for metric, share in line.other.shares().items():
            found.append(_row(track, system, OTHER_JUDGE, metric, share, "", ABLATION))
    return found


def _row(
    track: Track,
    system: System,
    judge: str,
    metric: str,
    mean: float,
    part: str,
    source: str,
) -> ReportedResult:
    return ReportedResult(
        track=track,
        system=system,
        judge=judge,
        metric=metric,
        part=part,
        mean=mean,
        source=source,
    )

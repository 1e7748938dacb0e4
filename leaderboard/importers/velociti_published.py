"""The published tables of VELOCITI: accuracy per test, and association within a video."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from django.utils.text import slugify
from pydantic import BaseModel, Field, model_validator

from leaderboard.importers.published import replace_reported
from leaderboard.importers.rows import put_system
from leaderboard.importers.source import InvalidSource, read_json
from leaderboard.models import ReportedResult, System, Track
from leaderboard.pipeline.pairs import EXACT
from scoring.protocols.pair_tests import TITLES, averaged

IVAT_SOURCE, ACCURACY_SOURCE = "VELOCITI, table 2", "VELOCITI, table 3"
REFERENCES = frozenset({"Random", "Human"})
"""Rows that show what chance and people reach."""
NAMES = {"PLLAVA": "PLLaVA"}
"""Spellings of one table to those of the other."""
PLACES: Mapping[str, tuple[str, str]] = {
    "average": ("", "classic"),
    **{test: (f"test:{test}", "classic") for test in averaged(TITLES)},
    "control_t2v": ("test:control_t2v", "classic"),
    "control_v2t": ("test:control_v2t", "classic"),
    "independent_t2v": ("test:ivat", "t2v_independent"),
    "independent_v2t": ("test:ivat", "v2t_independent"),
    "matching_t2v": ("test:ivat", "t2v_matching"),
    "matching_v2t": ("test:ivat", "v2t_matching"),
    "group": ("test:ivat", "group"),
}
"""A column of the tables: part of the benchmark and metric."""

Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)] | None
Name = Annotated[str, Field(min_length=1, max_length=80)]
Rows = Annotated[dict[Name, list[Percent]], Field(min_length=1)]


class Tables(BaseModel):
    """A whole results file; table 1, which counts the pairs, is not read."""

    source: str
    ivat_columns: list[str]
    ivat: Rows
    accuracy_columns: list[str]
    accuracy: Rows

    @model_validator(mode="after")
    def _fits(self) -> Tables:
        for name in ("ivat", "accuracy"):
            columns: list[str] = getattr(self, f"{name}_columns")
            unknown = [column for column in columns if column not in PLACES]
            if unknown:
                raise ValueError(f"{name}_columns: no place for {', '.join(unknown)}")
            if len(set(columns)) < len(columns):
                raise ValueError(f"{name}_columns: a column stands there twice")
            for system, values in getattr(self, name).items():
                if len(values) != len(columns):
                    raise ValueError(
                        f"{name}.{system}: {len(values)} numbers for {len(columns)} columns"
                    )
        return self


def read_tables(path: Path) -> Tables:
    """A results file; InvalidSource when it is faulty."""
    return read_json(path, Tables)


def put_tables(tables: Tables, track: Track) -> list[ReportedResult]:
    """Make the track's reported results those of the file; all of them."""
    systems = _systems([*tables.accuracy, *tables.ivat])
    found = []
    for source, columns, rows in (
        (IVAT_SOURCE, tables.ivat_columns, tables.ivat),
        (ACCURACY_SOURCE, tables.accuracy_columns, tables.accuracy),
    ):
        its_rows = [
            _row(track, systems[NAMES.get(name, name)], column, value, source)
            for name, values in rows.items()
            for column, value in zip(columns, values, strict=True)
            if value is not None
        ]
        replace_reported(track, its_rows, source=source)
        found += its_rows
    return found


def _systems(names: Sequence[str]) -> dict[str, System]:
    wanted = dict.fromkeys(NAMES.get(name, name) for name in names)
    slugs = {name: slugify(name.replace("/", "-").replace(".", "-")) for name in wanted}
    if len(set(slugs.values())) < len(slugs) or "" in slugs.values():
        raise InvalidSource(["accuracy, ivat: two systems have names that are too much alike"])
    return {
        name: put_system(slug, name=name, card={"name": name, "reference": name in REFERENCES})
        for name, slug in slugs.items()
    }


def _row(track: Track, system: System, column: str, value: float, source: str) -> ReportedResult:
    part, metric = PLACES[column]
    return ReportedResult(
        track=track,
        system=system,
        judge=EXACT,
        metric=metric,
        part=part,
        mean=round(value / 100, 6),
        source=source,
    )

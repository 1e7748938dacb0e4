"""The published table 2 of FM-V2T: systems, their prompts and lengths, and what they reached."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from django.utils.text import slugify
from pydantic import BaseModel, ConfigDict, Field, model_validator

from leaderboard.importers.fm_v2t_tracks import (
    EN_LONG,
    EN_LONG_COSINES,
    EN_LONG_NGRAM,
    EN_SHORT,
    ENCODER,
    FACT_MODEL,
)
from leaderboard.importers.published import Statistic, replace_reported
from leaderboard.importers.rows import put_system
from leaderboard.importers.source import read_json
from leaderboard.models import ReportedResult, System, Track
from scoring.protocols import ngram

SOURCE = "FM-V2T, table 2"
OF_WORDS = ("meteor", "bleu_1", "bleu_2", "rouge_l")
PLACES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Ref": {
        "llm_facts_f1": (EN_LONG, FACT_MODEL),
        "cos_par": (EN_LONG_COSINES, ENCODER),
        "cos_sent": (EN_LONG_COSINES, ENCODER),
        **dict.fromkeys(OF_WORDS, (EN_LONG_NGRAM, ngram.JUDGE)),
    },
    "ShortRefs": dict.fromkeys(OF_WORDS, (EN_SHORT, ngram.JUDGE)),
}
"""Which references a row was measured against, and metric -> the track and judge it belongs to."""


class Length(BaseModel):
    """Words of a description, mean over clips and deviation."""

    mean: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    std: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Line(BaseModel):
    """One line of table 2; a metric that the paper leaves out is None."""

    model_config = ConfigDict(extra="forbid")

    model: Annotated[str, Field(min_length=1, max_length=60)]
    reference: Literal["Ref", "ShortRefs"]
    prompt: Annotated[str, Field(min_length=1, max_length=40)]
    words: Length
    llm_facts_f1: Statistic | None
    meteor: Statistic | None
    bleu_1: Statistic | None
    bleu_2: Statistic | None
    rouge_l: Statistic | None
    cos_par: Statistic | None
    cos_sent: Statistic | None

    @property
    def slug(self) -> str:
        """Of the system: a model asked with another prompt is another system."""
        return slugify(f"{self.model}-{self.prompt}")

    def metrics(self) -> dict[str, Statistic]:
        """Metric to statistic, of those that are given."""
        return {name: value for name, value in self if isinstance(value, Statistic)}

    @model_validator(mode="after")
    def _has_its_places(self) -> Line:
        homeless = sorted(self.metrics().keys() - PLACES[self.reference].keys())
        if homeless:
            raise ValueError(
                f"no track holds {', '.join(homeless)} against the references {self.reference}"
            )
        return self


class Tables(BaseModel):
    """The results file, as far as tracks can hold it: tables 3 and 4 are of one example clip."""

    table2: Annotated[list[Line], Field(min_length=1)]

    @model_validator(mode="after")
    def _each_once(self) -> Tables:
        seen: dict[tuple[str, str], int] = {}
        for place, line in enumerate(self.table2, 1):
            before = seen.setdefault((line.slug, line.reference), place)
            if before != place:
                raise ValueError(
                    f"table2, entry {place}: {line.model} with prompt {line.prompt} against "
                    f"{line.reference} stands in entry {before} already"
                )
        return self


def read_tables(path: Path) -> Tables:
    """A results file; InvalidSource when it is faulty."""
    return read_json(path, Tables)


def put_table_2(tracks: Mapping[str, Track], tables: Tables) -> list[ReportedResult]:
    """Make the tracks' reported results of table 2 those of the file; all of them."""
    rows: dict[str, list[ReportedResult]] = {}
    words = ReportedResult.LENGTH
    for line in tables.table2:
        system = _system(line)
        places = PLACES[line.reference]
        for metric, statistic in line.metrics().items():
            track, judge = places[metric]
            row = _row(tracks[track], system, judge, metric, statistic)
            rows.setdefault(track, []).append(row)
        for track in {places[metric][0] for metric in line.metrics()}:
            rows[track].append(_row(tracks[track], system, words, words, line.words))
    for slug, its_rows in rows.items():
        replace_reported(tracks[slug], its_rows, source=SOURCE)
    return [row for its_rows in rows.values() for row in its_rows]


def _system(line: Line) -> System:
    card = {
        "name": f"{line.model}, {line.prompt}",
        "family": line.model,
        "note": f"Asked with the paper's prompt {line.prompt}; {line.words.mean:g} words on average"
        f" (deviation {line.words.std:g}).",
    }
    return put_system(line.slug, name=card["name"], card=card)


def _row(
    track: Track, system: System, judge: str, metric: str, value: Statistic | Length
) -> ReportedResult:
    return ReportedResult(
        track=track,
        system=system,
        judge=judge,
        metric=metric,
        mean=value.mean,
        std=value.std,
        source=SOURCE,
    )

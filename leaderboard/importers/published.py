"""Published results files: the means that a paper reports for each system and judge."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from leaderboard import audit
from leaderboard.importers.source import InvalidSource, read_json
from leaderboard.models import ReportedResult, System, Track
from scoring.judges import catalogue
from scoring.judges.base import UnknownJudge

Mean = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
Deviation = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Statistic(BaseModel):
    """Mean over clips of one metric, and its deviation where the paper gives one."""

    mean: Mean
    std: Deviation | None = None


class JudgeResults(BaseModel):
    """What one judge gives one system; a metric that the paper leaves out is None."""

    model_config = ConfigDict(extra="forbid")

    clips: Annotated[int, Field(ge=1)] | None = None
    hm_cf: Statistic
    coarse: Statistic | None = None
    fine_precision: Statistic | None = None
    fine_recall: Statistic | None = None
    fine_f1: Statistic | None = None

    def metrics(self) -> dict[str, Statistic]:
        """Metric to statistic, of those that are given."""
        return {name: value for name, value in self if isinstance(value, Statistic)}


class PublishedSystem(BaseModel):
    """A system's card and results as the paper has them."""

    display: Annotated[str, Field(min_length=1, max_length=120)]
    params: Annotated[str, Field(max_length=40)] = ""
    family: Annotated[str, Field(max_length=80)] = ""
    max_frames: Annotated[int, Field(ge=1)] | None = None
    judges: dict[str, JudgeResults]

    def card(self) -> dict[str, object]:
        """The fields of ``System`` that it fills."""
        return {
            "name": self.display,
            "parameters": self.params,
            "family": self.family,
            "frames": self.max_frames,
        }


class Published(BaseModel):
    """A whole results file. Judges are keyed by a name or an alias of the catalogue."""

    source: Annotated[str, Field(min_length=1, max_length=300)]
    systems: Annotated[dict[str, PublishedSystem], Field(min_length=1)]

    @model_validator(mode="after")
    def _with_catalogue_names(self) -> Published:
        for slug, system in self.systems.items():
            found: dict[str, JudgeResults] = {}
            for name, results in system.judges.items():
                try:
                    judge = catalogue.entry(name).name
                except UnknownJudge as error:
                    raise ValueError(f"systems.{slug}.judges: {error}") from error
                if judge in found:
                    raise ValueError(f"systems.{slug}.judges: {name} stands there twice")
                found[judge] = results
            system.judges = found
        return self


def read_published(path: Path) -> Published:
    """A results file, its judges under their catalogue names; InvalidSource when it is faulty."""
    return read_json(path, Published)


def put_reported(track: Track, published: Published, systems: dict[str, System]) -> int:
    """Make the track's reported results of this source those of the file; how many there are.

    Results of other sources (typed in by staff) stay. ``systems`` maps the file's slugs to rows.
    """
    rows = [
        ReportedResult(
            track=track,
            system=systems[slug],
            judge=judge,
            metric=metric,
            mean=statistic.mean,
            std=statistic.std,
            clips=results.clips,
            source=published.source,
        )
        for slug, system in published.systems.items()
        for judge, results in system.judges.items()
        for metric, statistic in results.metrics().items()
    ]
    strangers = sorted({row.judge for row in rows} - set(track.judges))
    if strangers:
        names = ", ".join(strangers)
        raise InvalidSource([f"track {track.slug} has no judge {names}; its results have no place"])
    return replace_reported(track, rows, source=published.source)


def replace_reported(track: Track, rows: Sequence[ReportedResult], *, source: str) -> int:
    """Make the track's reported results of ``source`` these rows; how many there are.

    Where that changes any, the audit trail says how many.
    """
    fields = ("system_id", "judge", "metric", "part", "mean", "std", "clips", "source")
    before = {row[:4]: row[4:] for row in track.reported.values_list(*fields)}
    after = {tuple(getattr(row, f) for f in fields[:4]): _numbers(row) for row in rows}
    ReportedResult.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["track", "system", "judge", "metric", "part"],
        update_fields=["mean", "std", "clips", "source"],
    )
    kept = {(row.system_id, row.judge, row.metric, row.part) for row in rows}
    for old in track.reported.filter(source=source):
        if (old.system_id, old.judge, old.metric, old.part) not in kept:
            old.delete()
    ours = {key for key, numbers in before.items() if numbers[-1] == source}
    counts = {
        "added": len(after.keys() - before.keys()),
        "changed": sum(key in before and before[key] != new for key, new in after.items()),
        "removed": len(ours - after.keys()),
    }
    if any(counts.values()):
        audit.record(
            actor=None,
            action="reported.import",
            target=track,
            benchmark=track.release.benchmark,
            before={},
            after=counts,
            reason=source,
        )
    return len(rows)


def _numbers(row: ReportedResult) -> tuple[float | None, float | None, int | None, str]:
    return row.mean, row.std, row.clips, row.source

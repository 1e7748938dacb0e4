"""What the curators' part of the interface says of tracks, differences and rescoring."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema
from pydantic import Field

from leaderboard.api.curate_schemas import Given, ReasonIn
from leaderboard.curation.costs import Cost
from leaderboard.curation.diff import Diff
from leaderboard.curation.rescoring import Plan
from leaderboard.models import Batch


class PanelIn(ReasonIn):
    """The judges of a track, by their names in the catalogue."""

    judges: list[str]


class UploadsIn(ReasonIn):
    """Whether a track scores uploads from now on."""

    takes: bool


class TrackIn(Given):
    """A new track. `settings` are the protocol's, such as `{"language": "en", "kind": "long"}`."""

    slug: str = Field(max_length=50)
    name: str = Field(max_length=120)
    summary: str = Field("", max_length=300)
    protocol: str
    settings: dict[str, Any] = {}
    judges: list[str]
    primary_metric: str


class CostOut(Schema):
    """Runs and judge hours; `unknown` runs are of judges that have finished none here."""

    runs: int
    hours: float
    unknown: int
    judges: list[dict[str, Any]]

    @staticmethod
    def of(cost: Cost) -> dict[str, Any]:
        """The cost's."""
        return {
            "runs": cost.runs,
            "hours": cost.hours,
            "unknown": cost.unknown,
            "judges": [
                {name: getattr(one, name) for name in ("judge", "protocol", "runs", "hours")}
                for one in cost.judges
            ],
        }


class ChangesOut(Schema):
    """From one release to another: data that differs, and what has to be rescored."""

    old: str
    new: str
    added: list[str]
    dropped: list[str]
    excluded: dict[str, str]
    included: list[str]
    changed: list[dict[str, Any]]
    pairs_added: list[str]
    pairs_dropped: list[str]
    pairs_changed: list[dict[str, Any]]
    to_rescore: int
    rescored: int
    cost: CostOut

    @staticmethod
    def of(diff: Diff, plan: Plan) -> dict[str, Any]:
        """Both together."""
        said = {
            name: [
                {
                    "key": change.key,
                    "texts": [
                        {"what": text.what, "before": text.before, "after": text.after}
                        for text in change.texts
                    ],
                }
                for change in getattr(diff, name)
            ]
            for name in ("changed", "pairs_changed")
        }
        names = ("added", "dropped", "included", "pairs_added", "pairs_dropped")
        return said | {
            "old": diff.old.version,
            "new": diff.new.version,
            "excluded": dict(diff.excluded),
            "to_rescore": len(plan.submissions),
            "rescored": plan.done,
            "cost": CostOut.of(plan.cost),
            **{name: getattr(diff, name) for name in names},
        }


class BatchOut(Schema):
    """Something begun for many submissions: workers do it one by one; ask again until `over`.

    `refused` are those that were left out, with the reasons.
    """

    id: int
    kind: str
    release: str
    track: str
    total: int
    done: int
    runs: int
    refused: list[dict[str, Any]]
    over: bool
    created_at: datetime
    finished_at: datetime | None

    @staticmethod
    def of(batch: Batch) -> dict[str, Any]:
        """The row, with names in place of keys."""
        names = ("id", "kind", "total", "done", "runs", "refused", "created_at", "finished_at")
        return {name: getattr(batch, name) for name in names} | {
            "release": batch.release.version,
            "track": batch.track.slug if batch.track else "",
            "over": batch.finished_at is not None,
        }


class LackingOut(Schema):
    """What has to be scored on a track."""

    submissions: int
    cost: CostOut

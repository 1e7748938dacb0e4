"""A few systems of a track side by side, for scripts: the numbers of the page for readers."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema
from ninja.errors import ValidationError

from leaderboard import access, tables
from leaderboard.api.auth import OptionalToken
from leaderboard.api.schemas import ErrorOut
from leaderboard.models import Provenance
from leaderboard.tables.compare import FEWEST, MOST
from leaderboard.tables.compared import Comparison, Gap, Pair

router = Router(tags=["benchmarks"], auth=OptionalToken())


class GapOut(Schema):
    """The first system less the second, over the clips that all systems have.

    `low` and `high` are the ends of the 95% percentile interval over resampled clips; `p_holm` is
    the p-value of a paired t-test adjusted (Holm) for all pairs asked for; `wins`, `ties` and
    `losses` count clips. Null where it cannot be known, as of printed means.
    """

    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    wins: int | None
    ties: int | None
    losses: int | None


class ComparedOut(Schema):
    """A system, its rank on the whole board, its mean and that by each of `parts`."""

    system: str
    name: str
    rank: int | None
    mean: float | None
    by_part: list[float | None]


class PairOut(Schema):
    """Two systems by slug; `by_part` follows `parts`."""

    first: str
    second: str
    overall: GapOut
    by_part: list[GapOut | None]


class LineOut(Schema):
    """A clip, and what each of `systems` reaches on it: the mean over judges."""

    clip: str
    values: list[float]


class ComparisonOut(Schema):
    """Systems compared on `clips` of `of_clips`; `parts` are judges, or tests of pairs.

    `left_out` are the systems that lack a part, with the parts they lack.
    """

    metric: str
    parts: list[str]
    systems: list[ComparedOut]
    pairs: list[PairOut]
    left_out: dict[str, list[str]]
    clips: int | None
    of_clips: int | None
    lines: list[LineOut]
    signature: str


@router.get(
    "/benchmarks/{slug}/releases/{version}/tracks/{track}/comparison",
    response={200: ComparisonOut} | dict.fromkeys((404, 422), ErrorOut),
)
def get_comparison(
    request: HttpRequest,
    slug: str,
    version: str,
    track: str,
    system: Annotated[list[str], Query()],
    provenance: Provenance = Provenance.VERIFIED,
) -> dict[str, Any]:
    """Two to five systems (`system`, repeated) of the newest ranking.

    `judge`, `category` (repeated), `shortest` and `longest` (seconds) narrow it as on the page.
    """
    found = access.track(slug, version, track)
    if not access.shows_scores(request.auth, found.release):  # type: ignore[attr-defined]
        raise Http404
    ranking = tables.newest_shown(found, provenance)
    if ranking is None:
        raise Http404
    wanted = tables.asked_systems(ranking, system)
    if not wanted.enough or wanted.too_many:
        message = f"Name {FEWEST} to {MOST} systems of the ranking."
        raise ValidationError([{"loc": ("query", "system"), "msg": message}])
    choice = tables.Choice()
    if tables.can_choose(found):
        categories = tables.categories_of(found.release)
        choice = tables.Choice.parse(request.GET, found.judges, categories)
    return _said(tables.comparison(ranking, choice, wanted.systems))


def _said(made: Comparison) -> dict[str, Any]:
    return {
        "metric": made.metric,
        "parts": list(made.parts),
        "systems": [
            {
                "system": one.slug,
                "name": one.name,
                "rank": one.rank,
                "mean": one.mean,
                "by_part": list(one.by_part),
            }
            for one in made.systems
        ],
        "pairs": [_pair(made, pair) for pair in made.pairs],
        "left_out": {name: list(parts) for name, parts in made.left_out},
        "clips": made.clips,
        "of_clips": made.of_clips,
        "lines": [{"clip": line.key, "values": list(line.values)} for line in made.lines],
        "signature": made.signature,
    }


def _pair(made: Comparison, pair: Pair) -> dict[str, Any]:
    return {
        "first": made.systems[pair.first].slug,
        "second": made.systems[pair.second].slug,
        "overall": _gap(pair.overall),
        "by_part": [None if gap is None else _gap(gap) for gap in pair.parts],
    }


def _gap(gap: Gap) -> dict[str, Any]:
    return {name: getattr(gap, name) for name in GapOut.model_fields}

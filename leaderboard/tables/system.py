"""A system's page: its card, its results everywhere, what was sent for it, how its card changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.db.models import Q, QuerySet

from leaderboard.models import Provenance, Ranking, Release, Submission, System, Track
from leaderboard.tables.benchmarks import newest_rankings
from leaderboard.tables.board import VERIFIED_FIRST, Row, board
from leaderboard.tables.heads import Head, Heads, Raw
from leaderboard.tables.labels import metric_title

MOST_EDITS, MOST_VERSIONS = 20, 50
CARD = (
    "name", "organisation", "parameters", "family", "frames", "open_weights", "modality",
    "licence", "link", "paper", "code", "outputs", "prompt", "decoding", "training_data", "note",
)  # fmt: skip
TITLES = {
    "name": "Name",
    "organisation": "Organisation",
    "parameters": "Parameters",
    "family": "Family",
    "frames": "Frames looked at",
    "open_weights": "Open weights",
    "modality": "Modality",
    "licence": "Licence of the weights",
    "link": "Model page",
    "paper": "Paper",
    "code": "Code",
    "outputs": "Raw outputs",
    "prompt": "Prompt",
    "decoding": "Decoding",
    "training_data": "Training data",
    "note": "Note",
}
LINKS = ("link", "paper", "code", "outputs")
LONG = ("prompt", "training_data")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the card that says something. ``kind``: ``fact``, ``link`` or ``text``."""

    title: str
    value: str
    kind: str


@dataclass(frozen=True, slots=True)
class Result:
    """Where a system stands in the newest ranking of a track, of one provenance."""

    track: Track
    provenance: str
    row: Row
    places: int
    metric: str

    @property
    def has_interval(self) -> bool:
        """False for reported means, and for what has no place."""
        return self.row.rank_low is not None

    @property
    def key(self) -> str:
        """How an address names the track."""
        release = self.track.release
        return f"{release.benchmark.slug}/{release.version}/{self.track.slug}"


@dataclass(frozen=True, slots=True)
class Edit:
    """What was changed on a card at a time: (title, before, after)."""

    at: datetime
    changes: tuple[tuple[str, str, str], ...]


def card_of(system: System) -> tuple[Field, ...]:
    """The fields of the card in their order; empty ones are not there."""
    found = ((name, _said(getattr(system, name))) for name in CARD if name != "name")
    return tuple(Field(TITLES[name], said, _kind(name)) for name, said in found if said)


def results(system: System, releases: QuerySet[Release]) -> tuple[Result, ...]:
    """Its row in the newest rankings of every track of ``releases``, verified before reported.

    By its own name only: what stands under a pseudonym is not found here.
    """
    here = Q(runs__submission__system=system) | Q(reported__system=system)
    tracks = Track.objects.filter(here, release__in=releases).distinct()
    rankings = newest_rankings(tracks)
    heads = Heads(rankings)
    own = heads.rows(systems=[system.slug])
    found = [_result(one, heads.of(one), row) for one in rankings for row in own[one.pk][:1]]
    return tuple(sorted(found, key=_order))


def versions(system: System, submissions: QuerySet[Submission]) -> list[Submission]:
    """Those of ``submissions`` that are of the system, newest first, with their releases."""
    of_it = submissions.filter(system=system).select_related("release__benchmark")
    return list(of_it.order_by("-created_at")[:MOST_VERSIONS])


def edits(system: System, since: datetime | None) -> tuple[Edit, ...]:
    """How the card was changed after ``since``, newest first: before, it was nobody else's."""
    records = list(system.history.all()[: MOST_EDITS + 1])
    made = (
        Edit(new.history_date, _changes(new.diff_against(old, included_fields=CARD).changes))
        for new, old in pairwise(records)
        if since is None or new.history_date > since
    )
    return tuple(edit for edit in made if edit.changes)


def named_since(shown: Sequence[Submission], found: Sequence[Result]) -> datetime | None:
    """Since when readers have known the system by name: None for ever, as papers name it."""
    if not shown or any(one.provenance == Provenance.REPORTED for one in found):
        return None
    return min(map(_named_at, shown))


def _named_at(submission: Submission) -> datetime:
    anonymous = submission.visibility == Submission.Visibility.ANONYMOUS
    since = submission.named_from if anonymous else submission.published_at
    return since or submission.created_at


def known_slugs(slugs: Iterable[str]) -> frozenset[str]:
    """Those of ``slugs`` that are systems; a pseudonym on a board is none."""
    found = System.objects.filter(slug__in=list(slugs))
    return frozenset(found.values_list("slug", flat=True))


def _said(value: object) -> str:
    if value is None:
        return ""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _kind(name: str) -> str:
    if name in LINKS:
        return "link"
    return "text" if name in LONG else "fact"


def _changes(changes: Iterable[object]) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (TITLES[change.field], _said(change.old), _said(change.new))  # type: ignore[attr-defined]
        for change in changes
    )


def _result(ranking: Ranking, head: Head, row: Raw) -> Result:
    alone = Ranking(track=ranking.track, provenance=ranking.provenance, rows=[row])
    return Result(
        track=ranking.track,
        provenance=ranking.provenance,
        row=board(alone, cards=False).rows[0],
        places=head.places,
        metric=metric_title(ranking.track.primary_metric),
    )


def _order(result: Result) -> tuple[str, float, int, int]:
    release = result.track.release
    newest = -release.published_at.timestamp() if release.published_at else 0.0
    first = [p.value for p in VERIFIED_FIRST].index(result.provenance)
    return (release.benchmark.name.casefold(), newest, result.track.position, first)

"""Who stands on a track's board: one entry per system, from finished runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone

from leaderboard.models import Kind, Run, Track
from leaderboard.models.pseudonym import Names, pseudonym
from leaderboard.models.submission import nameless

SETTLED = (Run.State.DONE, Run.State.FAILED)


OF_SUBMISSION = (
    "submission_id",
    "submission__system_id",
    "submission__system__slug",
    "submission__system__name",
    "submission__system__reference",
    "submission__visibility",
    "submission__named_from",
    "submission__withdrawn_at",
)
OF_RUN = ("judge", "pk", "state", "signature", "stands", "revision")


@dataclass(frozen=True, slots=True)
class _Run:
    """``OF_RUN``, in its order."""

    judge: str
    pk: int
    state: str
    signature: str
    stands: bool
    revision: int

    @property
    def has_numbers(self) -> bool:
        """Done, or being scored again while its numbers stand."""
        return self.state == Run.State.DONE or (self.stands and self.state in Run.OPEN)

    @property
    def is_settled(self) -> bool:
        """Nothing is waited for before the submission may stand on the board."""
        return self.has_numbers or self.state in SETTLED


@dataclass(frozen=True, slots=True)
class _Named:
    """``OF_SUBMISSION``, in its order."""

    submission: Any
    system_id: int
    slug: str
    name: str
    reference: bool
    visibility: str
    named_from: datetime | None
    withdrawn_at: datetime | None

    def names(self, release_id: int, now: datetime) -> Names:
        """What the board calls the system."""
        if nameless(self.visibility, self.named_from, now):
            return pseudonym(self.system_id, release_id)
        return Names(self.slug, self.name)


@dataclass(frozen=True, slots=True)
class Entry:
    """A system on the board: its name and the finished runs of the submission that counts.

    ``revisions`` counts, of judges that have scored it again, how often.
    ``reference`` marks people and chance, ``withdrawn`` what was taken back and goes on being
    shown; neither has a place.
    """

    slug: str
    name: str
    submission: str
    runs: dict[str, int] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    reference: bool = False
    withdrawn: bool = False
    revisions: dict[str, int] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """Why it has no place; empty when it competes for one."""
        if self.withdrawn:
            return "withdrawn"
        return "reference" if self.reference else ""

    def to_json(self) -> dict[str, Any]:
        """What a ranking keeps of it."""
        kept = {
            "system": self.slug,
            "name": self.name,
            "submission": self.submission,
            "runs": self.runs,
            "signatures": self.signatures,
        }
        if self.revisions:
            kept["revisions"] = self.revisions
        return kept | ({self.mark: True} if self.mark else {})


def entries_of(track: Track) -> list[Entry]:
    """One entry per system, in the order of slugs.

    An anonymous submission stands under its system's pseudonym, apart from what the system shows
    under its own name: a row that took the place of another would tell whose it is. Of each counts
    the newest submission that is open to all (a withdrawn one only where no other is) and whose
    runs on the track are all done or failed, at least one of them done. While a newer one is being
    scored, or is incomplete, the older one stays; a judge that failed on the newest is missing
    there, and the entry is then unranked. What is being scored again stays with its numbers.
    """
    judged_here = Run.objects.filter(track=track, judge__in=track.judges)
    return _entries(judged_here.exclude(submission__kind=Kind.JUDGEMENTS), track)


def judged_elsewhere(track: Track) -> list[Entry]:
    """The same of judgements made elsewhere, whoever the judge; without what was withdrawn."""
    found = _entries(Run.objects.filter(track=track, submission__kind=Kind.JUDGEMENTS), track)
    return [entry for entry in found if not entry.withdrawn]


def _entries(runs: QuerySet[Run], track: Track) -> list[Entry]:
    rows = (
        runs.filter(submission__in=track.release.submissions.open_to_all())
        .order_by(
            F("submission__withdrawn_at").desc(nulls_first=True),
            "-submission__created_at",
            "-submission_id",
        )
        .values_list(*OF_SUBMISSION, *OF_RUN)
    )
    now = timezone.now()
    found: dict[str, Entry] = {}
    for submission, of_one in _by_submission(rows).items():
        named = _Named(*of_one[0][: len(OF_SUBMISSION)])
        its_runs = [_Run(*row[len(OF_SUBMISSION) :]) for row in of_one]
        done = sorted((run for run in its_runs if run.has_numbers), key=lambda run: run.judge)
        names = named.names(track.release_id, now)
        if names.slug in found or not done or not all(run.is_settled for run in its_runs):
            continue
        found[names.slug] = Entry(
            slug=names.slug,
            name=names.name,
            submission=submission,
            runs={run.judge: run.pk for run in done},
            signatures={run.judge: run.signature for run in done},
            reference=named.reference,
            withdrawn=named.withdrawn_at is not None,
            revisions={run.judge: run.revision for run in done if run.revision},
        )
    return [found[slug] for slug in sorted(found)]


def _by_submission(rows: Iterable[Sequence[Any]]) -> dict[str, list[Sequence[Any]]]:
    found: dict[str, list[Sequence[Any]]] = {}
    for row in rows:
        found.setdefault(str(row[0]), []).append(row)
    return found

"""Who stands on a track's board: one entry per system, from finished runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from leaderboard.models import Kind, Run, Track

SETTLED = (Run.State.DONE, Run.State.FAILED)


@dataclass(frozen=True, slots=True)
class Entry:
    """A system on the board: its name and the finished runs of the submission that counts.

    ``reference`` marks people and chance, which have no place.
    """

    slug: str
    name: str
    submission: str
    runs: dict[str, int] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    reference: bool = False

    def to_json(self) -> dict[str, Any]:
        """What a ranking keeps of it."""
        kept = {
            "system": self.slug,
            "name": self.name,
            "submission": self.submission,
            "runs": self.runs,
            "signatures": self.signatures,
        }
        return kept | ({"reference": True} if self.reference else {})


def entries_of(track: Track) -> list[Entry]:
    """One entry per system, in the order of slugs.

    Of a system counts its newest public submission whose runs on the track are all done or failed,
    at least one of them done. While a newer one is being scored, or is incomplete, the older one
    stays; a judge that failed on the newest is missing there, and the entry is then unranked.
    """
    judged_here = Run.objects.filter(track=track, judge__in=track.judges)
    return _entries(judged_here.exclude(submission__kind=Kind.JUDGEMENTS), track)


def judged_elsewhere(track: Track) -> list[Entry]:
    """The same of judgements made elsewhere, whoever the judge."""
    return _entries(Run.objects.filter(track=track, submission__kind=Kind.JUDGEMENTS), track)


def _entries(runs: Any, track: Track) -> list[Entry]:
    rows = (
        runs.filter(submission__in=track.release.submissions.on_the_board())
        .order_by("submission__system__slug", "-submission__created_at", "-submission_id")
        .values_list(
            "submission__system__slug",
            "submission__system__name",
            "submission__system__reference",
            "submission_id",
            "judge",
            "pk",
            "state",
            "signature",
        )
    )
    found: dict[str, Entry] = {}
    for submission, of_one in _by_submission(rows).items():
        slug, name, reference = of_one[0][:3]
        done = sorted((row[4:] for row in of_one if row[6] == Run.State.DONE), key=lambda r: r[0])
        if slug in found or not done or any(row[6] not in SETTLED for row in of_one):
            continue
        found[slug] = Entry(
            slug=slug,
            name=name,
            submission=submission,
            runs={judge: pk for judge, pk, _, _ in done},
            signatures={judge: signature for judge, _, _, signature in done},
            reference=reference,
        )
    return list(found.values())


def _by_submission(rows: Iterable[Sequence[Any]]) -> dict[str, list[Sequence[Any]]]:
    found: dict[str, list[Sequence[Any]]] = {}
    for row in rows:
        found.setdefault(str(row[3]), []).append(row)
    return found

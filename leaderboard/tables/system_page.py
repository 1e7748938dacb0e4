"""Everything that the page of one system shows."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from leaderboard.models import Provenance, Release, Submission, System, Track
from leaderboard.tables.clips import newest_of_clips
from leaderboard.tables.profile import Profile, profile
from leaderboard.tables.system import (
    Edit,
    Field,
    Result,
    card_of,
    edits,
    known_slugs,
    named_since,
    results,
    versions,
)


@dataclass(frozen=True, slots=True)
class SystemPage:
    """``shown`` is the result whose ``profile`` is shown, one of ``profiled``; ``linked`` are the
    slugs among those alike that have a page of their own.
    """

    card: tuple[Field, ...]
    results: tuple[Result, ...]
    versions: list[Submission]
    edits: tuple[Edit, ...]
    profiled: tuple[Result, ...]
    shown: Result | None
    profile: Profile | None
    linked: frozenset[str]


def system_page(
    system: System,
    *,
    releases: QuerySet[Release],
    submissions: QuerySet[Submission],
    track: str = "",
) -> SystemPage:
    """The page of ``system`` with what its reader may see: the scores of ``releases``, and of the
    system's uploads those among ``submissions``. ``track`` asks for the profile on one.

    The number of queries does not depend on how many systems, results or clips there are.
    """
    found = results(system, releases)
    shown = versions(system, submissions)
    profiled = tuple(one for one in found if _has_profile(one))
    asked = next((one for one in profiled if one.key == track), next(iter(profiled), None))
    seen = _profile(asked, system.slug) if asked else None
    return SystemPage(
        card=card_of(system),
        results=found,
        versions=shown,
        edits=edits(system, named_since(shown, found)),
        profiled=profiled,
        shown=asked,
        profile=seen,
        linked=known_slugs(slug for slug, _, _ in seen.alike) if seen else frozenset(),
    )


def _has_profile(result: Result) -> bool:
    """Scored here, clip by clip, and ranked."""
    of_clips = result.track.protocol != Track.Protocol.PAIRS
    return of_clips and result.provenance == Provenance.VERIFIED and result.row.rank is not None


def _profile(result: Result, slug: str) -> Profile | None:
    ranking = newest_of_clips(result.track)
    return profile(ranking, slug) if ranking is not None else None

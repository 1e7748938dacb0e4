"""What a submission's texts show by themselves, as its page, a clip's page and the API tell it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from leaderboard import access
from leaderboard.models import Clip, Submission
from scoring.diagnostics import FLAGS, OF_REFERENCES, Example, FlagKind

LISTED = 30
"""Clips of a flag that are named one by one."""


@dataclass(frozen=True, slots=True)
class Other:
    """A submission that texts were found in, and of how many clips; nameless where it hides."""

    submission: Submission
    name: str
    clips: int


@dataclass(frozen=True, slots=True)
class SeenFlag:
    """A flag with the words for it."""

    kind: FlagKind
    clips: tuple[str, ...]
    examples: tuple[Example, ...]
    others: tuple[Other, ...] = ()

    @property
    def count(self) -> int:
        """How many clips it is about."""
        return len(self.clips)

    @property
    def listed(self) -> tuple[str, ...]:
        """The first clips."""
        return self.clips[:LISTED]

    @property
    def more(self) -> int:
        """How many clips are not among ``listed``."""
        return max(0, self.count - LISTED)


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """The flags, the gravest kind first, and how long the texts are beside the references.

    ``lengths`` has ``words`` (median), and ``low``, ``median`` and ``high``: quantiles (5, 50 and
    95%) of a description's words over its reference's; None where nothing can be compared.
    """

    flags: tuple[SeenFlag, ...]
    lengths: Mapping[str, float] | None


def diagnostics(viewer: access.Viewer, submission: Submission) -> Diagnostics | None:
    """What ``viewer`` may know of it; None for what is not looked at (pairs, judgements).

    What tells about the references of a hidden test set is its curators' only.
    """
    stored: dict[str, Any] = submission.diagnostics
    if not stored:
        return None
    open_to_viewer = access.shows_references(viewer, submission.release)
    flags = tuple(
        SeenFlag(
            kind=FLAGS[flag["code"]],
            clips=tuple(flag["clips"]),
            examples=tuple(Example(**example) for example in flag["examples"]),
            others=_others(viewer, flag.get("others", {})),
        )
        for flag in stored["flags"]
        if _shown(flag, open_to_viewer)
    )
    return Diagnostics(flags, stored["lengths"] if open_to_viewer else None)


def flags_of_clip(
    viewer: access.Viewer, clip: Clip, submissions: Collection[str]
) -> dict[str, tuple[FlagKind, ...]]:
    """Submission id to the flags that its description of ``clip`` has; one query."""
    open_to_viewer = access.shows_references(viewer, clip.release)
    rows = Submission.objects.filter(pk__in=submissions).values_list("pk", "diagnostics")
    return {
        str(pk): tuple(
            FLAGS[flag["code"]]
            for flag in stored.get("flags", [])
            if clip.key in flag["clips"] and _shown(flag, open_to_viewer)
        )
        for pk, stored in rows
    }


def _shown(flag: Mapping[str, Any], open_to_viewer: bool) -> bool:
    code = flag["code"]
    return code in FLAGS and (open_to_viewer or code not in OF_REFERENCES)


def _others(viewer: access.Viewer, counts: Mapping[str, int]) -> tuple[Other, ...]:
    """The submissions that ``viewer`` may see, by the names that the viewer may know."""
    visible = Submission.objects.visible_to(viewer).filter(pk__in=counts)
    found = {str(one.pk): one for one in visible.select_related("system", "release__benchmark")}
    return tuple(
        Other(found[pk], access.names(viewer, found[pk]).name, clips)
        for pk, clips in counts.items()
        if pk in found
    )

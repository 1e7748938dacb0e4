"""Which of a clip's references a protocol reads, and how it says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.text import is_blank
from scoring.types import Reference, References, ScoringError

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Chosen:
    """The references of one clip that are read, each with its place among all of the clip's."""

    places: tuple[int, ...]
    references: tuple[Reference, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the references read."""
        return tuple(reference.text for reference in self.references)


def choose(references: References, *, language: str, kind: str | None) -> Mapping[str, Chosen]:
    """Per clip, its references in `language` and of `kind` (any when None); blank ones never.

    Raises:
        ScoringError: clips without such a reference, by name, with what there is instead.
    """
    chosen = {clip: _of_clip(options, language, kind) for clip, options in references.items()}
    without = [clip for clip, found in chosen.items() if not found.references]
    if without:
        there = sorted(
            {f"{r.kind} {r.language}" for options in references.values() for r in options}
        )
        names = ", ".join(without[:_SHOWN]) + (", ..." if len(without) > _SHOWN else "")
        raise ScoringError(
            f"no {kind or 'reference'} text in language {language!r} for {len(without)} of "
            f"{len(references)} clips ({names}); the release has: {', '.join(there) or 'none'}"
        )
    return chosen


def _of_clip(options: Sequence[Reference], language: str, kind: str | None) -> Chosen:
    places = tuple(
        place
        for place, option in enumerate(options)
        if option.language == language and kind in {None, option.kind} and not is_blank(option.text)
    )
    return Chosen(places, tuple(options[place] for place in places))


def statement(language: str, kind: str | None) -> str:
    """The choice in a signature: `long-en`, `all-de`."""
    return f"{kind or 'all'}-{language}"

"""What differs between two releases, in words that a reader can check."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from leaderboard.models import Clip, Keypoint, Reference, Release

Piece = tuple[Literal["same", "out", "in"], str]
ABOUT = ("title", "link", "duration", "category")
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class TextChange:
    """A text that is another one now; one that is new has no ``before``."""

    what: str
    before: str
    after: str

    @property
    def pieces(self) -> list[Piece]:
        """Both texts as one, word by word: what stayed, what went out, what came in."""
        old, new = _WORD.findall(self.before), _WORD.findall(self.after)
        found: list[Piece] = []
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag == "equal":
                found.append(("same", "".join(old[a:b])))
                continue
            found += [("out", "".join(old[a:b]))] if b > a else []
            found += [("in", "".join(new[c:d]))] if d > c else []
        return found


@dataclass(frozen=True, slots=True)
class ClipChange:
    """A clip that both releases have, with what is said otherwise of it."""

    key: str
    texts: tuple[TextChange, ...]


@dataclass(frozen=True, slots=True)
class Diff:
    """From ``old`` to ``new``; ``excluded`` are (clip, reason), all else keys of clips or pairs."""

    old: Release
    new: Release
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    excluded: tuple[tuple[str, str], ...] = ()
    included: tuple[str, ...] = ()
    changed: tuple[ClipChange, ...] = ()
    pairs_added: tuple[str, ...] = ()
    pairs_dropped: tuple[str, ...] = ()
    pairs_changed: tuple[ClipChange, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True when the data is the same."""
        return not (self.moves_clips or self.changed or self.pairs_changed)

    @property
    def moves_clips(self) -> bool:
        """True when clips or pairs came, went, or count otherwise."""
        return any(
            (
                self.added,
                self.dropped,
                self.excluded,
                self.included,
                self.pairs_added,
                self.pairs_dropped,
            )
        )


def compare(old: Release, new: Release) -> Diff:
    """The difference; a fixed number of queries, whatever the size of the releases."""
    before = {clip.key: clip for clip in old.clips.order_by("position")}
    after = {clip.key: clip for clip in new.clips.order_by("position")}
    both = [key for key in after if key in before]
    old_texts, new_texts = _texts(old), _texts(new)
    changes = (
        ClipChange(key, (*_about(before[key], after[key]), *_told(old_texts[key], new_texts[key])))
        for key in both
    )
    old_pairs, new_pairs = _pairs(old), _pairs(new)
    return Diff(
        old=old,
        new=new,
        added=tuple(key for key in after if key not in before),
        dropped=tuple(key for key in before if key not in after),
        excluded=tuple(
            (key, after[key].exclusion_reason)
            for key in both
            if after[key].excluded and not before[key].excluded
        ),
        included=tuple(key for key in both if before[key].excluded and not after[key].excluded),
        changed=tuple(change for change in changes if change.texts),
        pairs_added=tuple(key for key in new_pairs if key not in old_pairs),
        pairs_dropped=tuple(key for key in old_pairs if key not in new_pairs),
        pairs_changed=tuple(
            ClipChange(key, tuple(_told(old_pairs[key], new_pairs[key])))
            for key in new_pairs
            if key in old_pairs and old_pairs[key] != new_pairs[key]
        ),
    )


Told = Mapping[str, Sequence[str]]
"""What is told (``reference, en, long``) to the texts that tell it, in their order."""


def _about(old: Clip, new: Clip) -> Iterable[TextChange]:
    for name in ABOUT:
        before, after = (_shown(getattr(clip, name)) for clip in (old, new))
        if before != after:
            yield TextChange(name, before, after)


def _shown(value: object) -> str:
    return "" if value is None else f"{value}"


def _told(old: Told, new: Told) -> Iterable[TextChange]:
    """Texts that stayed are left out; of the others the first goes with the first."""
    for what in {**old, **new}:
        before, after = old.get(what, ()), new.get(what, ())
        gone = [text for text in before if text not in after]
        come = [text for text in after if text not in before]
        for place in range(max(len(gone), len(come))):
            yield TextChange(
                what,
                gone[place] if place < len(gone) else "",
                come[place] if place < len(come) else "",
            )


def _texts(release: Release) -> Mapping[str, Told]:
    """Clip to its references and keypoints."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    references = Reference.objects.filter(clip__release=release).order_by("clip", "position")
    for key, language, kind, text in references.values_list(
        "clip__key", "language", "kind", "text"
    ):
        found[key][f"reference, {language}, {kind}"].append(text)
    points = Keypoint.objects.filter(clip__release=release).order_by("clip", "position")
    for key, annotation, text in points.values_list("clip__key", "annotation", "text"):
        found[key][f"keypoint, {annotation}"].append(text)
    return found


def _pairs(release: Release) -> dict[str, Told]:
    rows = release.caption_pairs.order_by("position")
    return {
        f"{test}: {key}": {"true caption": [positive], "other caption": [negative]}
        for test, key, positive, negative in rows.values_list(
            "test_name", "key", "positive", "negative"
        )
    }

"""What a flag is, and the ones there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, Literal

Weight = Literal["serious", "notable", "minor"]

EXAMPLES = 3
"""Examples that a flag carries at most."""
EXCERPT = 160
"""Characters of an example."""


@dataclass(frozen=True, slots=True)
class FlagKind:
    """One thing that is looked for: its stable code, a title, and what it means in a sentence."""

    code: str
    title: str
    meaning: str
    severity: Weight


_KINDS = (
    FlagKind("blank-text", "Empty", "Nothing can be seen of the text; it scores 0.", "serious"),
    FlagKind(
        "placeholder", "Placeholder", "A stand-in such as n/a or TODO, no description.", "serious"
    ),
    FlagKind("text-is-id", "Text is the clip id", "The text equals its clip's id.", "serious"),
    FlagKind("api-error", "Error message", "The text looks like an error of an API.", "serious"),
    FlagKind("refusal", "Refusal", "The system says that it cannot describe the video.", "serious"),
    FlagKind("repeated-text", "One text for many clips", "Several clips share a text.", "serious"),
    FlagKind(
        "instruction-like",
        "Aimed at the judge",
        "The text reads like instructions to a judge. Judges read it as data; no score changes.",
        "serious",
    ),
    FlagKind(
        "wrong-language", "Other language", "The text is not in the language asked for.", "serious"
    ),
    FlagKind(
        "proper-noun",
        "Proper noun",
        "The text names somebody or something, which this benchmark forbids.",
        "serious",
    ),
    FlagKind(
        "copy-of-reference",
        "Copy of a reference",
        "Much of the text stands word for word in a reference.",
        "serious",
    ),
    FlagKind(
        "copy-of-submission",
        "Copy of another submission",
        "Much of the text stands word for word in an earlier public submission of another system.",
        "serious",
    ),
    FlagKind(
        "repetition",
        "Repetition",
        "The text goes round in circles: the same words again and again.",
        "notable",
    ),
    FlagKind("truncated", "Cut off", "The text stops in the middle of a sentence.", "notable"),
    FlagKind(
        "too-short", "Short", "Less than a tenth of the length of the clip's reference.", "minor"
    ),
    FlagKind(
        "too-long", "Long", "More than five times the length of the clip's reference.", "minor"
    ),
)

FLAGS: Mapping[str, FlagKind] = MappingProxyType({kind.code: kind for kind in _KINDS})
"""Code to kind, the gravest first: the order in which flags are shown."""

OF_REFERENCES = frozenset({"copy-of-reference", "too-short", "too-long"})
"""Flags that tell something about references: of a hidden test set, curators alone see them."""


@dataclass(frozen=True, slots=True)
class Example:
    """A piece of a clip's description: the submitter's own words, never those of a reference."""

    clip: str
    text: str


@dataclass(frozen=True, slots=True)
class Flag:
    """What was found in a submission under one code, and in which clips, in their order.

    ``others`` are the submissions that it is a copy of, each with the number of clips.
    """

    code: str
    clips: tuple[str, ...]
    examples: tuple[Example, ...] = ()
    others: Mapping[str, int] = field(default_factory=dict)

    @property
    def kind(self) -> FlagKind:
        """What its code means."""
        return FLAGS[self.code]

    @property
    def count(self) -> int:
        """How many clips it is about."""
        return len(self.clips)

    def to_json(self) -> dict[str, Any]:
        """What is stored of it."""
        others = {"others": dict(self.others)} if self.others else {}
        return others | {
            "code": self.code,
            "severity": self.kind.severity,
            "count": self.count,
            "clips": list(self.clips),
            "examples": [asdict(example) for example in self.examples],
        }


def flag_of(
    code: str, found: Mapping[str, str], *, others: Mapping[str, int] | None = None
) -> Flag:
    """A flag from clip to excerpt; the first few excerpts that say something are its examples.

    The same words are shown once.
    """
    told: dict[str, str] = {}
    for clip, text in found.items():
        told.setdefault(excerpt(text), clip)
    examples = [Example(clip, text) for text, clip in told.items() if text]
    return Flag(code, tuple(found), tuple(examples[:EXAMPLES]), others or {})


def excerpt(text: str) -> str:
    """The beginning of a text on one line, at most ``EXCERPT`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1].rstrip()}…"


def in_order(flags: Sequence[Flag]) -> tuple[Flag, ...]:
    """The flags that are about any clip, in the order of ``FLAGS``."""
    order = list(FLAGS)
    return tuple(sorted((f for f in flags if f.clips), key=lambda flag: order.index(flag.code)))

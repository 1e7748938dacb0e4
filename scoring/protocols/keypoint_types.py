"""Keypoints of a clip, and what a judge said about them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Verdict = Literal["correct", "partial", "not mentioned", "failed"]
"""`partial` is mentioned in part or with errors; `failed` is a judge that gave no readable answer:
it counts as not mentioned, and is shown."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

KINDS: Mapping[str, str] = {
    "main_sbj_evts": "Subject event",
    "main_sbj_ints": "Subject interaction",
    "bg_desc": "Background",
    "trans_desc": "Transition",
    "minor_evts": "Minor event",
}
"""The five kinds of keypoint by their names in annotation files, in the order they are judged."""
SUBJECT_KINDS = ("main_sbj_evts", "main_sbj_ints")
"""The kinds whose text marks who takes part: `<s1> hands <s2> a letter`."""

_MARK = re.compile(r"<[^<>]+>")

Clusters = tuple[tuple[str, ...], ...]
"""Descriptions of one subject, grouped by whom a reader would take them for."""


def subjects_in(text: str) -> tuple[str, ...]:
    """The subjects marked in a keypoint's text, each once, marks included, in order."""
    return tuple(dict.fromkeys(_MARK.findall(text)))


@dataclass(frozen=True, slots=True)
class Keypoint:
    """One thing that a description of the clip should tell."""

    kind: str
    text: str
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotation:
    """A clip with its keypoints. ``duration`` is in seconds."""

    clip: str
    duration: float
    keypoints: tuple[Keypoint, ...]
    category: str = ""

    @property
    def subjects(self) -> dict[str, int]:
        """Subject -> how many keypoints it takes part in, in order of appearance."""
        counts: dict[str, int] = {}
        for keypoint in self.keypoints:
            for subject in keypoint.subjects:
                counts[subject] = counts.get(subject, 0) + 1
        return counts


@dataclass(frozen=True, slots=True)
class Judged:
    """A keypoint with its verdict, and how the text refers to each subject in it (or does not)."""

    keypoint: Keypoint
    verdict: Verdict
    reason: str = ""
    descriptions: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgedClip:
    """All that a judge said about one description.

    ``clusters`` maps a subject with two or more descriptions to their groups, None when the
    clustering failed; a subject with fewer descriptions is not in it.
    """

    clip: str
    duration: float
    judged: tuple[Judged, ...]
    clusters: Mapping[str, Clusters | None] = field(default_factory=dict)
    category: str = ""

    @property
    def subjects(self) -> dict[str, int]:
        """Subject -> how many keypoints it takes part in, mentioned or not."""
        counts: dict[str, int] = {}
        for one in self.judged:
            for subject in one.keypoint.subjects:
                counts[subject] = counts.get(subject, 0) + 1
        return counts


def descriptions_of(judged: tuple[Judged, ...], subject: str) -> list[str]:
    """How the text refers to a subject in the keypoints that it mentions, in their order."""
    found = []
    for one in judged:
        said = one.descriptions.get(subject)
        if one.verdict in ("correct", "partial") and said is not None:
            found.append(said)
    return found

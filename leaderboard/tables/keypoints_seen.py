"""What the ``keypoints`` protocol saw on a clip: verdicts, and how a text names who takes part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from scoring.protocols.keypoints import KINDS, occurrences

TONES = {"correct": "good", "partial": "partly", "not mentioned": "plain", "failed": "failed"}
LABELS = {"failed": "judge failed"}
COLOURS = 6
_MARK = re.compile(r"(<[^<>]+>)")
Piece = tuple[str, str]
"""A piece of a text and the subject that stands there ("" for words)."""


@dataclass(frozen=True, slots=True)
class Point:
    """A keypoint with its verdict. ``pieces``: its text, subjects by their names; ``said``: how
    the description refers to each of them.
    """

    pieces: tuple[Piece, ...]
    kind: str
    label: str
    tone: str
    reason: str
    said: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Words that a reader would take for the same person; ``colour`` is a CSS class."""

    letter: str
    colour: str
    words: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Followed:
    """A subject: its groups, and its share of pairs named recognisably (None: left out of Ref).

    ``number`` stands for it, with the letter of a group, where its name would be too long.
    """

    number: int
    name: str
    groups: tuple[Group, ...]
    consistency: float | None
    ungrouped: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the description; ``labels`` ("2A") name the subjects and groups it refers to."""

    text: str
    labels: tuple[str, ...] = ()
    colour: str = ""


@dataclass(frozen=True, slots=True)
class KeypointsSeen:
    """All of a clip, narrowed to ``subject`` if one is asked for; ``failure`` says why it lacks."""

    baseline: bool
    points: tuple[Point, ...] = ()
    counts: tuple[tuple[str, str, int], ...] = ()
    total: int = 0
    subjects: tuple[Followed, ...] = ()
    text: tuple[Stretch, ...] = ()
    unreadable: tuple[Mapping[str, str], ...] = ()
    failure: str = ""


def bare(key: str) -> str:
    """``<s1>`` -> s1: a subject as an address names it."""
    return key.strip("<>")


def keypoints_seen(
    data: Mapping[str, Any] | None,
    description: str,
    *,
    names: Mapping[str, str],
    subject: str = "",
    failure: str = "",
) -> KeypointsSeen | None:
    """Evidence to a view; None where nothing is known.

    ``names``: subject to the name that readers see. ``subject``: one of them without its brackets;
    only its keypoints and references are shown.
    """
    if not data:
        return None
    baseline = bool(data.get("baseline"))
    if "keypoints" not in data:
        return KeypointsSeen(baseline, failure=failure or data.get("failed", ""))
    rows = [r for r in data["keypoints"] if not subject or subject in map(bare, r["subjects"])]
    followed = tuple(_followed(data, names, subject))
    given = [row["verdict"] for row in rows]
    return KeypointsSeen(
        baseline=baseline,
        points=tuple(_point(row, names) for row in rows),
        counts=tuple(
            (LABELS.get(verdict, verdict), tone, given.count(verdict))
            for verdict, tone in TONES.items()
            if verdict != "failed" or verdict in given
        ),
        total=len(rows),
        subjects=followed,
        text=_stretches(description, followed),
        unreadable=tuple(data.get("unreadable", ())),
    )


def _point(row: Mapping[str, Any], names: Mapping[str, str]) -> Point:
    parts = (part for part in _MARK.split(row["text"]) if part)
    return Point(
        pieces=tuple(("", names[p]) if p in names else (p, "") for p in parts),
        kind=KINDS.get(row["kind"], row["kind"]),
        label=LABELS.get(row["verdict"], row["verdict"]),
        tone=TONES[row["verdict"]],
        reason=row["reason"],
        said=tuple(
            (names.get(s, bare(s)), said) for s, said in row["descriptions"].items() if said
        ),
    )


def _followed(
    data: Mapping[str, Any], names: Mapping[str, str], subject: str
) -> Iterator[Followed]:
    """Subjects in order of appearance; colours go on from one to the next."""
    used = 0
    keys = dict.fromkeys(s for row in data["keypoints"] for s in row["subjects"])
    for number, key in enumerate(keys, 1):
        if subject and bare(key) != subject:
            continue
        groups = _groups(data, key, used)
        used += len(groups)
        failed = key in data["clusters"] and data["clusters"][key] is None
        score = data["subjects"].get(key)
        yield Followed(number, names.get(key, bare(key)), groups, score, failed)


def _groups(data: Mapping[str, Any], key: str, used: int) -> tuple[Group, ...]:
    """The judge's groups; references that it could not group stand in one without a letter."""
    clusters = data["clusters"].get(key)
    if clusters is None:
        said = [row["descriptions"].get(key) for row in data["keypoints"]]
        told = [words for words in said if words]
        letter = "?" if key in data["clusters"] else "A"
        return (_group(told, letter, used),) if told else ()
    return tuple(_group(words, _letter(at), used + at) for at, words in enumerate(clusters))


def _group(words: Sequence[str], letter: str, number: int) -> Group:
    counted = {word: words.count(word) for word in words}
    return Group(letter, f"group{number % COLOURS}", tuple(counted.items()))


def _letter(at: int) -> str:
    return ascii_uppercase[at] if at < len(ascii_uppercase) else str(at + 1)


def _stretches(text: str, followed: Sequence[Followed]) -> tuple[Stretch, ...]:
    """The description cut where it refers to a subject.

    Judges name words, not places: wherever the words stand they are marked, with every group that
    has them. Of words that overlap the longer ones are marked.
    """
    places: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for one in followed:
        for group in one.groups:
            label = (f"{one.number}{group.letter}", group.colour)
            for span in {s for words, _ in group.words for s in occurrences(words, text)}:
                places.setdefault(span, []).append(label)
    found, end = [], 0
    for start, stop in _apart(places):
        labels = places[start, stop]
        found.append(Stretch(text[end:start]))
        found.append(Stretch(text[start:stop], tuple(name for name, _ in labels), labels[0][1]))
        end = stop
    return tuple(one for one in (*found, Stretch(text[end:])) if one.text)


def _apart(spans: Mapping[tuple[int, int], object]) -> list[tuple[int, int]]:
    """Spans that do not overlap, in order, the longer ones preferred."""
    kept: list[tuple[int, int]] = []
    for start, stop in sorted(spans, key=lambda s: (s[0] - s[1], s)):
        if all(stop <= a or start >= b for a, b in kept):
            kept.append((start, stop))
    return sorted(kept)

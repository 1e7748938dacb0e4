"""What a pair test is: its names, its pairs, and the answers that a system gave to them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scoring.types import Checked, FloatArray, Problem

Kind = Literal["scores", "verdicts", "choices", "matrices"]
"""How a test was answered: two scores, Yes and No, A and B in both orders, or a 2x2 matrix."""

TITLES: Mapping[str, str] = {
    "agent_iden": "Agent identification",
    "agent_bind": "Agent binding",
    "agent_coref": "Agent coreference",
    "action_adv": "Action adversarial",
    "action_bind": "Action binding",
    "action_modif": "Action modifier",
    "chrono": "Chronology",
    "control_v2t": "Control, video to text",
    "control_t2v": "Control, text to video",
    "ivat": "Intra-video association",
}
"""VELOCITI's tests by the names of its paper, in the order of its tables."""
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "agent": ("agent_iden", "agent_bind", "agent_coref"),
    "action": ("action_adv", "action_bind", "action_modif"),
    "chronology": ("chrono",),
    "control": ("control_v2t", "control_t2v"),
    "association": ("ivat",),
}
NOT_AVERAGED = frozenset({"control_v2t", "control_t2v", "ivat"})
"""Tests that the average leaves out: the easy control, and the one of another shape."""
RELEASED_NAMES: Mapping[str, str] = {
    "agent_random": "agent_iden",
    "ag_iden": "agent_iden",
    "ag_bind": "agent_bind",
    "coref": "agent_coref",
    "action_manner": "action_modif",
    "action_mod": "action_modif",
    "sequence": "chrono",
    "seq": "chrono",
    "control": "control_v2t",
    "vc_match": "ivat",
}
"""Names that the released code and its files use, where they differ from the paper's."""

_MEDIA = re.compile(r"\.(mp4|mkv|webm|avi|mov)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CaptionPair:
    """A clip with a caption that is true of it and one that is not.

    In an `ivat` test the two captions describe two events of the clip.
    """

    test: str
    clip: str
    event: str
    positive: str
    negative: str


PairTests = Mapping[str, Sequence[CaptionPair]]
"""Test (by the paper's name) -> its pairs."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What a system answered in one test.

    ``keys`` are the (clip, event) of the pairs, ``items`` their names. ``values`` holds, per pair,
    the two scores (n, 2) of the positive and the negative caption, or the matrix (n, 2, 2) of
    scores, video by caption; ``words`` holds the two answers where they are words. ``where`` says
    where each row stands in the upload.
    """

    test: str
    kind: Kind
    keys: tuple[tuple[str, str], ...]
    values: FloatArray | None = None
    words: tuple[tuple[str, str], ...] = ()
    where: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the pairs (see `item_names`)."""
        return item_names(self.keys)

    def rows(self, order: Sequence[int], keys: Sequence[tuple[str, str]]) -> Answers:
        """The rows at the positions `order`, known by `keys` from now on."""
        return replace(
            self,
            keys=tuple(keys),
            values=None if self.values is None else self.values[list(order)],
            words=tuple(self.words[at] for at in order) if self.words else (),
            where=tuple(self.where[at] for at in order) if self.where else (),
        )


@dataclass(frozen=True, slots=True)
class PairsUpload(Checked):
    """What a reader made of uploaded answers: one entry per test and kind, and every problem."""

    format: str
    answers: tuple[Answers, ...] = ()
    problems: tuple[Problem, ...] = ()


def paper_name(name: str) -> str:
    """A test's name as the paper has it; names that it does not know stay as they are."""
    folded = name.strip().casefold()
    return RELEASED_NAMES.get(folded, folded)


def clip_name(video_id: str) -> str:
    """A video id without the ending of a media file, which the released code drops too."""
    return _MEDIA.sub("", video_id.strip())


def event_name(event: str) -> str:
    """An event, or several as a list prints them, as words: `['Ev1', 'Ev5']` -> `Ev1 Ev5`."""
    return " ".join(re.findall(r"\w+", event))


def item_names(keys: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Names of the pairs of one test from their (clip, event), in order.

    One clip and event may have several pairs; from the second on they are numbered (`v1 Ev2 #2`),
    so pairs that share both are matched by their order.
    """
    seen: Counter[str] = Counter()
    names = []
    for clip, event in keys:
        name = f"{clip} {event}".strip()
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return tuple(names)


def averaged(tests: Iterable[str]) -> tuple[str, ...]:
    """The tests that an average is taken over, in the order of the paper's tables."""
    wanted = [test for test in tests if test not in NOT_AVERAGED]
    order = list(TITLES)
    return tuple(sorted(wanted, key=lambda test: order.index(test) if test in TITLES else 99))


def title(test: str) -> str:
    """A test's name in words."""
    return TITLES.get(test, test.replace("_", " ").capitalize())

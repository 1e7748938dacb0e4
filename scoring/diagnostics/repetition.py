"""Going round in circles: loops within a text, and one text for many clips."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from scoring.diagnostics.words import words_of
from scoring.formats.clips import REPEATED
from scoring.text import is_blank

LONGEST_PERIOD = 40
"""Words of the longest phrase that is looked for as a loop."""
TIMES = 4
"""So often a phrase must follow itself without a break to be a loop."""
LOOP_WORDS = 12
"""A loop has at least so many words: "very, very, very, very good" is none."""
GRAM = 8
"""Words of the runs whose repetition is counted over the whole text."""
SHARE = 0.3
"""Share of runs that stood in the text before, from which the text is called repetitive."""
SHORTEST = 60
"""Texts with fewer words are looked at for loops only."""

_DIGITS = re.compile(r"\d+")


def repetition(text: str) -> str:
    """The words that a text repeats without end, or "" for a text that does not.

    A text is repetitive when a phrase of up to ``LONGEST_PERIOD`` words follows itself ``TIMES``
    times, or when ``SHARE`` of its runs of ``GRAM`` words have stood in it before.
    """
    words = words_of(text)
    return _loop(words) or _again(words)


def _loop(words: Sequence[str]) -> str:
    if len(words) < LOOP_WORDS:
        return ""
    numbers: dict[str, int] = {}
    coded = np.array([numbers.setdefault(word, len(numbers)) for word in words])
    for period in range(1, min(LONGEST_PERIOD, len(words) // TIMES) + 1):
        same = coded[period:] == coded[:-period]
        least = max((TIMES - 1) * period, LOOP_WORDS - period)
        if np.count_nonzero(same) < least:
            continue
        start, length = _longest_run(same)
        if length >= least:
            times = 1 + length // period
            return f"{' '.join(words[start : start + period])} ({times} times)"
    return ""


def _longest_run(same: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[int, int]:
    """Start and length of the longest stretch of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], same.view(np.int8), [0]))))
    if not len(edges):
        return 0, 0
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    longest = int(np.argmax(lengths))
    return int(starts[longest]), int(lengths[longest])


def _again(words: Sequence[str]) -> str:
    if len(words) < SHORTEST:
        return ""
    seen: dict[Sequence[str], int] = {}
    for at in range(len(words) - GRAM + 1):
        run = words[at : at + GRAM]
        seen[run] = seen.get(run, 0) + 1
    total = len(words) - GRAM + 1
    if 1 - len(seen) / total < SHARE:
        return ""
    most = max(seen, key=seen.__getitem__)
    return f"{' '.join(most)} ({seen[most]} times)"


def shared_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """Clip to text, for texts that stand for ``REPEATED`` clips or for all of several.

    Case, spaces and numbers do not tell texts apart: "Clip 1." and "Clip 2." are one text.
    """
    clips: dict[str, list[str]] = {}
    for clip, text in texts.items():
        if not is_blank(text):
            key = _DIGITS.sub("0", " ".join(text.casefold().split()))
            clips.setdefault(key, []).append(clip)
    many = {
        clip
        for same in clips.values()
        if len(same) >= REPEATED or (len(same) == len(texts) and len(same) > 1)
        for clip in same
    }
    return {clip: text for clip, text in texts.items() if clip in many}

"""What known benchmarks rule about their own data, recognised by their clip ids."""

from __future__ import annotations

from collections.abc import Collection, Mapping

CLIP_CC_EXCLUDED: Mapping[str, str] = {
    "126": "None of the published systems describes it; the benchmark leaves it out for all."
}
"""Clips that CLIP-CC-Bench does not count, with the reason."""

_CLIP_CC = frozenset(f"{number:03d}" for number in range(1, 201))


def left_out(clips: Collection[str]) -> Mapping[str, str]:
    """Those of ``clips`` that their own benchmark leaves out, with the reason.

    CLIP-CC-Bench is known by its 200 ids, ``001`` to ``200``; nothing is left out of other data.
    """
    return CLIP_CC_EXCLUDED if set(clips) == _CLIP_CC else {}

"""What a track can be set to, by protocol: who may judge it, and with what options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from leaderboard.models import Reference, Track
from leaderboard.pipeline.chat_judges import chat_entries
from leaderboard.pipeline.pairs import EXACT
from scoring.judges import catalogue
from scoring.protocols import ngram
from scoring.protocols.keypoint_baseline import KeypointBaseline
from scoring.text import LANGUAGES

Titles = dict[str, str]
REPEATS_AT_MOST = 20


def judges_for(protocol: str) -> Titles:
    """Name to title of every judge that can be asked under a protocol."""
    return _JUDGES[protocol]()


def faults(protocol: str, settings: Any) -> list[str]:
    """What is wrong with a track's settings, a sentence each."""
    allowed = _SETTINGS[protocol]
    if not isinstance(settings, dict):
        return ["Settings are an object, like {}."]
    unknown = sorted(set(settings) - set(allowed))
    names = ", ".join(allowed) or "nothing"
    found = [f"{name} cannot be set for this protocol; {names} can." for name in unknown]
    return found + [
        f"{name} is {allowed[name][0]}."
        for name, value in settings.items()
        if name in allowed and not allowed[name][1](value)
    ]


def _encoders() -> Titles:
    return {entry.name: entry.title for entry in catalogue.entries()}


def _of_facts() -> Titles:
    return {entry.name: entry.title for entry in chat_entries()}


def _of_keypoints() -> Titles:
    models = {entry.name: entry.title for entry in chat_entries() if not entry.baseline}
    return {KeypointBaseline.name: "Rules over sentences (baseline)"} | models


def _one_of(*values: str) -> tuple[str, Callable[[Any], bool]]:
    return f"one of {', '.join(values)}", lambda value: value in values


_JUDGES: Mapping[str, Callable[[], Titles]] = {
    Track.Protocol.SEMANTIC: _encoders,
    Track.Protocol.EMBEDDING_MATCH: _encoders,
    Track.Protocol.FACTS: _of_facts,
    Track.Protocol.KEYPOINTS: _of_keypoints,
    Track.Protocol.NGRAM: lambda: {ngram.JUDGE: "Shared words (pycocoevalcap)"},
    Track.Protocol.PAIRS: lambda: {EXACT: "Answers counted exactly"},
}
_LANGUAGE = _one_of(*LANGUAGES)
_READING = {"language": _LANGUAGE, "kind": _one_of(*Reference.Kind.values)}
_SETTINGS: Mapping[str, Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    Track.Protocol.SEMANTIC: {"long_text": _one_of("truncate", "windows"), **_READING},
    Track.Protocol.EMBEDDING_MATCH: _READING,
    Track.Protocol.FACTS: {
        "repeats": (
            f"a whole number from 1 to {REPEATS_AT_MOST}",
            lambda value: type(value) is int and 1 <= value <= REPEATS_AT_MOST,
        ),
        **_READING,
    },
    Track.Protocol.NGRAM: _READING,
    Track.Protocol.KEYPOINTS: {
        "annotation": ("a name", lambda value: isinstance(value, str) and bool(value)),
        "language": _LANGUAGE,
    },
    Track.Protocol.PAIRS: {},
}

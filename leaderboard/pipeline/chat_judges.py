"""Judges that read and write: those of the catalogue, with the servers that this site may ask.

A server's address and its API key stand in the environment (``CHAT_BASE_URL``, ``CHAT_API_KEY``).
The key is read by the judge itself: no setting, row or log line holds it, and it is sent to no
other address than that one.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings

from scoring.judges import chat_catalogue
from scoring.judges.base import JudgeUnavailable
from scoring.judges.chat import ChatModel
from scoring.judges.chat_catalogue import ChatEntry
from scoring.judges.fact_judge import FactJudge

logger = logging.getLogger(__name__)
Judge = TypeVar("Judge")

KEY_VARIABLE = "CHAT_API_KEY"
SHORTEST_SECRET = 8  # what is shorter ("none", "EMPTY") is no secret, and could be a word


def chat_entries() -> tuple[ChatEntry, ...]:
    """The judges of the catalogue, and those of the site's own file (``CHAT_CATALOGUE``)."""
    return chat_catalogue.entries(settings.CHAT_CATALOGUE)


def chat_entry(name: str) -> ChatEntry:
    """The one of that name; raises ``UnknownJudge``."""
    return chat_catalogue.entry(name, settings.CHAT_CATALOGUE)


def chat_model(name: str) -> ChatModel:
    """The language model behind a judge, reached or loaded once in this process.

    Raises ``UnknownJudge``, or ``JudgeUnavailable`` in words that everybody may read: what the
    server said, and its address, are in the log only.
    """
    return _ready(name, lambda: chat_catalogue.chat_model(name, **_changes(name)))


def fact_judge(name: str) -> FactJudge:
    """The judge of facts of that name, as ``chat_model``."""
    return _ready(name, lambda: chat_catalogue.fact_judge(name, **_changes(name)))


def without_key(name: str, text: str) -> str:
    """``text`` without the API key of a judge, which a server may quote when it refuses."""
    known = {entry.name: entry for entry in chat_entries()}.get(name)
    if known is None or known.kind != "endpoint":
        return text
    key = os.environ.get(_changes(name).get("key_variable", known.key_variable), "")
    return text.replace(key, "***") if len(key) >= SHORTEST_SECRET else text


def _ready(name: str, load: Callable[[], Judge]) -> Judge:
    try:
        return load()
    except JudgeUnavailable as error:
        logger.error("judge %s: %s", name, error)  # noqa: TRY400 - the message is all there is
        raise JudgeUnavailable(
            f"judge {name}: its server or its weights cannot be used now; the log says why"
        ) from error


def _changes(name: str) -> dict[str, Any]:
    """What this site's settings change in the catalogue's entry."""
    entry = chat_entry(name)
    changes: dict[str, Any] = {"extra": settings.CHAT_CATALOGUE}
    if entry.kind != "endpoint":
        return changes
    if not entry.base_url:
        changes |= {"base_url": settings.CHAT_BASE_URL, "key_variable": KEY_VARIABLE}
    if not entry.model:
        changes["model"] = settings.CHAT_MODEL
    if settings.CHAT_CONCURRENCY:
        changes["concurrency"] = settings.CHAT_CONCURRENCY
    if settings.CHAT_TIMEOUT:
        changes["timeout"] = settings.CHAT_TIMEOUT
    return changes

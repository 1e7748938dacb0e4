"""The protocols, one a module. Those that score one text per clip are listed here, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

JudgedBy = Literal["embedding", "facts", "words"]


@dataclass(frozen=True, slots=True)
class TextProtocol:
    """A protocol that scores descriptions against references.

    `module` has `score`, `METRICS` and `PROTOCOL` (name and version); nothing is imported by
    listing it. `judged_by` says what judges it: an embedding judge (`scoring.judges.catalogue`), a
    judge of facts (`scoring.judges.chat_catalogue`), or nothing but the words themselves.
    """

    name: str
    module: str
    primary: str
    judged_by: JudgedBy


TEXT_PROTOCOLS: Mapping[str, TextProtocol] = MappingProxyType(
    {
        found.name: found
        for found in (
            TextProtocol("semantic", "scoring.protocols.semantic", "hm_cf", "embedding"),
            TextProtocol("facts", "scoring.protocols.facts", "llm_facts_f1", "facts"),
            TextProtocol("ngram", "scoring.protocols.ngram", "meteor", "words"),
            TextProtocol(
                "embedding_match", "scoring.protocols.embedding_match", "cos_par", "embedding"
            ),
        )
    }
)

GAPPED = frozenset({"ref"})
"""Metrics that some clips do not have, whoever the system; means are over the others."""

"""Scoring by one of the protocols that take a text per clip: what differs between them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from scoring.formats.quoting import counted
from scoring.protocols import TEXT_PROTOCOLS
from scoring.types import JudgeResult, Progress, Reference, ScoringError

_REPLIES = "replies.sqlite3"


@dataclass(frozen=True, slots=True)
class Options:
    """What the options of the command say about how to score."""

    protocol: str = "semantic"
    language: str = "en"
    long_text: str | None = None
    device: str | None = None
    cache: Path | None = None
    catalogue: Path | None = None
    base_url: str | None = None
    model: str | None = None
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class Scored:
    """One judge's result, and how far it spread over repetitions where there were some."""

    result: JudgeResult
    spread: Mapping[str, Mapping[str, float]] | None = None


def known_judges(names: Sequence[str], options: Options) -> list[str]:
    """The judges by their catalogue names, each once; for `ngram` the one that needs no name.

    Raises:
        ScoringError: no judge was named, one is unknown, or the protocol takes none.
    """
    judged_by = TEXT_PROTOCOLS[options.protocol].judged_by
    if judged_by == "words":
        from scoring.protocols import ngram

        if names:
            raise ScoringError(f"protocol {options.protocol} takes no --judge")
        return [ngram.JUDGE]
    if not names:
        raise ScoringError(f"protocol {options.protocol} needs a --judge (`cliprank judges`)")
    from scoring.judges import catalogue, chat_catalogue

    find = chat_catalogue.entry if judged_by == "facts" else catalogue.entry
    return list(dict.fromkeys(find(name, options.catalogue).name for name in names))


def score_with(
    name: str,
    descriptions: Mapping[str, str],
    references: Mapping[str, Sequence[Reference]],
    options: Options,
    progress: Progress,
) -> Scored:
    """One judge's numbers by the protocol of the options.

    Raises:
        ScoringError: the judge is not here or failed, or the texts cannot be scored.
    """
    known = {
        clip: [replace(text, language=options.language) for text in texts]
        for clip, texts in references.items()
    }
    judged_by = TEXT_PROTOCOLS[options.protocol].judged_by
    if judged_by == "facts":
        return _facts(name, descriptions, known, options, progress)
    if judged_by == "words":
        from scoring.protocols import ngram

        language = options.language
        return Scored(ngram.score(descriptions, known, language=language, progress=progress))
    return Scored(_by_embedding(name, descriptions, known, options, progress))


def summary(result: JudgeResult, options: Options) -> str:
    """What a reader of the numbers must know beside them, in one line."""
    primary = TEXT_PROTOCOLS[options.protocol].primary
    value = result.mean().get(primary, math.nan)
    said = {
        "{} blank descriptions scored 0": result.counts.get("empty", 0),
        "{} texts longer than the judge's limit": result.counts.get("cut", 0),
        "{} descriptions with text that looks like instructions": result.counts.get("flagged", 0),
    }
    parts = [f"{result.judge}: {primary} {value:.4f}"]
    parts += [text.format(count) for text, count in said.items() if count]
    parts += [f"{counted(len(result.failures), 'clip')} failed"] if result.failures else []
    parts += [f"{metric} {reason}" for metric, reason in result.undefined.items()]
    return "; ".join(parts)


def document(system: str, found: Mapping[str, Scored], options: Options) -> dict[str, Any]:
    """All numbers, JSON-ready: null where the judge failed, and in the means over such clips."""
    from importlib import import_module

    from scoring.signature import panel_signature

    protocol = import_module(TEXT_PROTOCOLS[options.protocol].module).PROTOCOL
    signatures = {name: scored.result.signature for name, scored in found.items()}
    return {
        "signature": panel_signature(protocol, signatures),
        "system": system,
        "judges": {name: _judge(scored) for name, scored in found.items()},
    }


def _judge(scored: Scored) -> dict[str, Any]:
    result = scored.result
    written: dict[str, Any] = {
        "signature": result.signature,
        "mean": {metric: _number(value) for metric, value in result.mean().items()},
        "clips": {
            clip: {metric: _number(values[place]) for metric, values in result.metrics.items()}
            for place, clip in enumerate(result.clips)
        },
        "counts": dict(result.counts),
    }
    remarks = {"failures": result.failures, "undefined": result.undefined, "spread": scored.spread}
    return written | {name: dict(value) for name, value in remarks.items() if value}


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _facts(
    name: str,
    descriptions: Mapping[str, str],
    references: Mapping[str, Sequence[Reference]],
    options: Options,
    progress: Progress,
) -> Scored:
    from scoring.judges import chat_catalogue
    from scoring.judges.reply_cache import ReplyCache
    from scoring.protocols.repeats import score_repeatedly, spread

    changes = {"base_url": options.base_url, "model": options.model, "device": options.device}
    given = {field: value for field, value in changes.items() if value is not None}
    results = score_repeatedly(
        chat_catalogue.fact_judge(name, extra=options.catalogue, **given),
        descriptions,
        references,
        repeats=options.repeat,
        cache=ReplyCache(options.cache / _REPLIES if options.cache else None),
        language=options.language,
        progress=progress,
    )
    if len(results) < 2 or not all(result.complete for result in results):
        return Scored(results[0])
    return Scored(results[0], {metric: asdict(one) for metric, one in spread(results).items()})


def _by_embedding(
    name: str,
    descriptions: Mapping[str, str],
    references: Mapping[str, Sequence[Reference]],
    options: Options,
    progress: Progress,
) -> JudgeResult:
    from scoring.cache import EmbeddingCache, FileStore
    from scoring.judges import catalogue
    from scoring.protocols import embedding_match, semantic

    judge = catalogue.load(name, device=options.device, extra=options.catalogue)
    catalogue.check(judge)
    cache = EmbeddingCache(FileStore(options.cache)) if options.cache else None
    if options.protocol == "embedding_match":
        return embedding_match.score(
            judge,
            descriptions,
            references,
            language=options.language,
            cache=cache,
            progress=progress,
        )
    return semantic.score(
        judge,
        descriptions,
        references,
        long_text=options.long_text,
        cache=cache,
        progress=progress,
    )

"""`cliprank score` by one of the protocols that compare a text per clip with references."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rich.console import Console

from scoring.cli.bar import bar
from scoring.cli.inputs import load_inputs
from scoring.cli.request import Options, Outcome, Request, WrongUsage
from scoring.formats.quoting import counted
from scoring.protocols import TEXT_PROTOCOLS
from scoring.types import JudgeResult, Progress, Reference, ScoringError


@dataclass(frozen=True, slots=True)
class Scored:
    """One judge's result, and how far it spread over repetitions where there were some."""

    result: JudgeResult
    spread: Mapping[str, Mapping[str, float]] | None = None


def score_texts(request: Request, console: Console) -> Outcome:
    """One file of descriptions by the protocol of the options, judge by judge.

    Raises:
        WrongUsage: options that do not fit the protocol.
        ScoringError: a judge is not here or failed, or the texts cannot be scored.
    """
    options = request.options
    request.refuse(judged_by=request.judged_by)
    names = _known_judges(request.judges, options)
    inputs = load_inputs(request.file, request.known, request.exclude)
    found = {}
    for name in names:
        with bar(console, name) as report:
            found[name] = _score_with(
                name, inputs.upload.descriptions, inputs.references, options, report
            )
        primary = TEXT_PROTOCOLS[options.protocol].primary
        console.print(summary(found[name].result, primary), soft_wrap=True)
    return Outcome(
        _document(request.system, found, options),
        all(scored.result.complete for scored in found.values()),
        f"{len(inputs.references)} clips, {len(found)} judges",
    )


def _known_judges(names: Sequence[str], options: Options) -> list[str]:
    """The judges by their catalogue names, each once; for `ngram` the one that needs no name."""
    judged_by = TEXT_PROTOCOLS[options.protocol].judged_by
    if judged_by == "words":
        from scoring.protocols import ngram

        if names:
            raise WrongUsage(f"protocol {options.protocol} takes no --judge")
        return [ngram.JUDGE]
    if not names:
        raise WrongUsage(f"protocol {options.protocol} needs a --judge (`cliprank judges`)")
    from scoring.judges import catalogue, chat_catalogue

    find = chat_catalogue.entry if judged_by == "facts" else catalogue.entry
    try:
        return list(dict.fromkeys(find(name, options.catalogue).name for name in names))
    except ScoringError as error:
        raise WrongUsage(str(error)) from None


def _score_with(
    name: str,
    descriptions: Mapping[str, str],
    references: Mapping[str, Sequence[Reference]],
    options: Options,
    progress: Progress,
) -> Scored:
    """One judge's numbers by the protocol of the options."""
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


def summary(result: JudgeResult, *metrics: str) -> str:
    """The means of ``metrics`` and what a reader must know beside them, in one line."""
    means = result.mean()
    shown = ", ".join(f"{metric} {means.get(metric, math.nan):.4f}" for metric in metrics)
    said = {
        "{} blank descriptions scored 0": result.counts.get("empty", 0),
        "{} texts longer than the judge's limit": result.counts.get("cut", 0),
        "{} descriptions with text that looks like instructions": result.counts.get("flagged", 0),
    }
    parts = [f"{result.judge}: {shown}"]
    parts += [text.format(count) for text, count in said.items() if count]
    parts += [f"{counted(len(result.failures), 'clip')} failed"] if result.failures else []
    parts += [f"{metric} {reason}" for metric, reason in result.undefined.items()]
    return "; ".join(parts)


def _document(system: str, found: Mapping[str, Scored], options: Options) -> dict[str, Any]:
    """All numbers, JSON-ready: null where the judge failed, and in the means over such clips."""
    from importlib import import_module

    from scoring.signature import panel_signature

    protocol = import_module(TEXT_PROTOCOLS[options.protocol].module).PROTOCOL
    signatures = {name: scored.result.signature for name, scored in found.items()}
    return {
        "signature": panel_signature(protocol, signatures),
        "system": system,
        "judges": {
            name: judge_document(scored.result, spread=scored.spread)
            for name, scored in found.items()
        },
    }


def judge_document(result: JudgeResult, **remarks: Mapping[str, Any] | None) -> dict[str, Any]:
    """One judge's numbers, JSON-ready, with those of the ``remarks`` that say anything."""
    written: dict[str, Any] = {
        "signature": result.signature,
        "mean": {metric: _number(value) for metric, value in result.mean().items()},
        "clips": {
            clip: {metric: _number(values[place]) for metric, values in result.metrics.items()}
            for place, clip in enumerate(result.clips)
        },
        "counts": dict(result.counts),
    }
    more = {"failures": result.failures, "undefined": result.undefined, **remarks}
    return written | {name: dict(value) for name, value in more.items() if value}


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

    results = score_repeatedly(
        chat_catalogue.fact_judge(name, extra=options.catalogue, **options.changes),
        descriptions,
        references,
        repeats=options.repeat,
        cache=ReplyCache(options.replies),
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

"""`cliprank score`: score what a system wrote or answered as the site does."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from scoring.cli import app
from scoring.cli.keypoints import score_keypoints
from scoring.cli.pairs import score_pairs
from scoring.cli.request import Options, Outcome, Request, WrongUsage
from scoring.cli.texts import score_texts
from scoring.types import ScoringError


class LongText(StrEnum):
    """What becomes of a text longer than a judge's limit."""

    TRUNCATE = "truncate"
    WINDOWS = "windows"


class ProtocolName(StrEnum):
    """Those of `scoring.protocols.TEXT_PROTOCOLS`, keypoints and pair tests."""

    SEMANTIC = "semantic"
    FACTS = "facts"
    NGRAM = "ngram"
    EMBEDDING_MATCH = "embedding_match"
    KEYPOINTS = "keypoints"
    PAIRS = "pairs"


class Language(StrEnum):
    """What the texts are written in."""

    EN = "en"
    DE = "de"


_Predictions = Annotated[
    list[Path],
    typer.Argument(
        help="JSON map, JSON list, JSON Lines, CSV or TSV: a text per clip. By pairs: the answers,"
        " a file per test or a ZIP. With --judged-by: both files of judgements, or a ZIP."
    ),
]
_References = Annotated[
    Path | None,
    typer.Option(
        help="CLIP-CC-Bench dataset file, or JSON map of clip id to text(s). By keypoints: the"
        " annotations. By pairs: the pair tests."
    ),
]
_JudgedBy = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Who gave these judgements of keypoints, made elsewhere."),
]
_Judges = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="A judge (`cliprank judges`); may be given several."),
]
_Out = Annotated[Path, typer.Option(help="Where the scores go, as JSON.", dir_okay=False)]
_Protocol = Annotated[ProtocolName, typer.Option(help="How the files are scored.")]
_Language = Annotated[Language, typer.Option(help="What all texts are written in.")]
_LongText = Annotated[
    LongText | None,
    typer.Option(help="Texts over a judge's limit: cut, or the mean of windows. [judge's own]"),
]
_System = Annotated[str | None, typer.Option(help="Name of the system. [the file's name]")]
_Exclude = Annotated[
    list[str] | None,
    typer.Option(help="A clip id that does not count; may be given several times."),
]
_Device = Annotated[str | None, typer.Option(help="cpu, cuda, cuda:1. [the best there is]")]
_Cache = Annotated[
    Path | None,
    typer.Option(
        help="Folder that keeps embeddings and judges' replies for later runs.", file_okay=False
    ),
]
_Catalogue = Annotated[
    Path | None, typer.Option(help="A catalogue file of your own that changes or adds judges.")
]
_BaseUrl = Annotated[
    str | None, typer.Option(help="Address of a language model's server, up to /v1.")
]
_Model = Annotated[
    str | None, typer.Option(help="What that server calls its model, or a folder of weights.")
]
_Repeat = Annotated[
    int, typer.Option(min=1, help="Ask a judge of facts so often, to see its spread.")
]


@app.command()
def score(  # noqa: PLR0913, PLR0917 - typer reads each option off an argument
    predictions: _Predictions,
    out: _Out,
    references: _References = None,
    judge: _Judges = None,
    judged_by: _JudgedBy = None,
    protocol: _Protocol = ProtocolName.SEMANTIC,
    language: _Language = Language.EN,
    long_text: _LongText = None,
    system: _System = None,
    exclude: _Exclude = None,
    device: _Device = None,
    cache: _Cache = None,
    catalogue: _Catalogue = None,
    base_url: _BaseUrl = None,
    model: _Model = None,
    repeat: _Repeat = 1,
) -> None:
    """Score PREDICTIONS as the site does, with one or more judges, and write all numbers to --out.

    Exit code 0 when scored, 1 when a file or a judge has a problem, 2 when a judge is unknown or a
    file cannot be opened. When a language model fails on some clips, their numbers are null, and
    the same command with the same --cache asks only about them. Pair tests need no judge.
    """
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    _writable(out, console)
    request = Request(
        files=tuple(predictions),
        references=references,
        system=system or predictions[0].stem,
        judges=tuple(judge or ()),
        exclude=tuple(exclude or ()),
        judged_by=" ".join((judged_by or "").split()),
        options=Options(
            protocol.value,
            language.value,
            long_text=long_text,
            device=device,
            cache=cache,
            catalogue=catalogue,
            base_url=base_url,
            model=model,
            repeat=repeat,
        ),
    )
    outcome = _scored(request, console)
    _write(out, outcome.document)
    console.print(f"{outcome.said}: {out}", soft_wrap=True)
    if not outcome.whole:
        raise typer.Exit(1)


def _scored(request: Request, console: Console) -> Outcome:
    """What the protocol makes of the request; what it cannot do ends the program."""
    scorers: Mapping[str, Callable[[Request, Console], Outcome]] = {
        ProtocolName.KEYPOINTS: score_keypoints,
        ProtocolName.PAIRS: score_pairs,
    }
    try:
        return scorers.get(request.options.protocol, score_texts)(request, console)
    except ScoringError as error:
        console.print(f"error: {error}", soft_wrap=True, style="bold red")
        raise typer.Exit(2 if isinstance(error, WrongUsage) else 1) from None


def _writable(out: Path, console: Console) -> None:
    """Say at once, not after minutes of work, that the result has nowhere to go."""
    if not os.access(out.parent, os.W_OK):
        console.print(f"{out} cannot be written: no such folder, or not allowed", soft_wrap=True)
        raise typer.Exit(2)


def _write(out: Path, document: Mapping[str, Any]) -> None:
    """The whole file or none: written beside its place and moved there."""
    draft = out.with_name(f".{out.name}.{uuid.uuid4().hex}")
    try:
        draft.write_text(json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False))
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)

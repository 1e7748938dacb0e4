"""`cliprank score`: score one file of predictions as the site does."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from scoring.cli import app
from scoring.cli.inputs import Inputs, load_inputs
from scoring.cli.protocols import Options, Scored, document, known_judges, score_with, summary
from scoring.types import Progress as Report
from scoring.types import ScoringError


class LongText(StrEnum):
    """What becomes of a text longer than a judge's limit."""

    TRUNCATE = "truncate"
    WINDOWS = "windows"


class ProtocolName(StrEnum):
    """The protocols of `scoring.protocols.TEXT_PROTOCOLS`."""

    SEMANTIC = "semantic"
    FACTS = "facts"
    NGRAM = "ngram"
    EMBEDDING_MATCH = "embedding_match"


class Language(StrEnum):
    """What the texts are written in."""

    EN = "en"
    DE = "de"


_Judges = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="A judge (`cliprank judges`); may be given several."),
]
_Out = Annotated[Path, typer.Option(help="Where the scores go, as JSON.", dir_okay=False)]
_Protocol = Annotated[ProtocolName, typer.Option(help="How descriptions are scored.")]
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
    str | None, typer.Option(help="Address of a judge of facts' server, up to /v1.")
]
_Model = Annotated[
    str | None, typer.Option(help="What that server calls its model, or a folder of weights.")
]
_Repeat = Annotated[
    int, typer.Option(min=1, help="Ask a judge of facts so often, to see its spread.")
]


@app.command()
def score(  # noqa: PLR0913, PLR0917 - typer reads each option off an argument
    predictions: Annotated[
        Path, typer.Argument(help="JSON map, JSON list, JSON Lines, CSV or TSV: a text per clip.")
    ],
    references: Annotated[
        Path, typer.Option(help="CLIP-CC-Bench dataset file, or JSON map of clip id to text(s).")
    ],
    out: _Out,
    judge: _Judges = None,
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
    """Score PREDICTIONS against references with one or more judges, and write all numbers to --out.

    Exit code 0 when scored, 1 when a file or a judge has a problem, 2 when a judge is unknown or a
    file cannot be opened. When a judge of facts fails on some clips, their numbers are null, and
    the same command with the same --cache asks only about them.
    """
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    options = Options(
        protocol.value,
        language.value,
        long_text=long_text,
        device=device,
        cache=cache,
        catalogue=catalogue,
        base_url=base_url,
        model=model,
        repeat=repeat,
    )
    names = _known(judge or [], options, console)
    _writable(out, console)
    inputs = load_inputs(predictions, references, exclude or [])
    found = _score(names, inputs, options, console)
    _write(out, document(system or predictions.stem, found, options))
    console.print(f"{len(inputs.references)} clips, {len(found)} judges: {out}", soft_wrap=True)
    if not all(scored.result.complete for scored in found.values()):
        raise typer.Exit(1)


def _score(
    names: list[str], inputs: Inputs, options: Options, console: Console
) -> dict[str, Scored]:
    """Judge by judge, with a bar and a remark each; a judge that cannot work ends the program."""
    found = {}
    try:
        for name in names:
            with _bar(console, name) as report:
                found[name] = score_with(
                    name, inputs.upload.descriptions, inputs.references, options, report
                )
            console.print(summary(found[name].result, options), soft_wrap=True)
    except ScoringError as error:
        console.print(f"error: {error}", soft_wrap=True, style="bold red")
        raise typer.Exit(1) from None
    return found


def _known(judges: list[str], options: Options, console: Console) -> list[str]:
    """The judges by their catalogue names, each once; an unknown one ends the program."""
    try:
        return known_judges(judges, options)
    except ScoringError as error:
        console.print(f"error: {error}", soft_wrap=True, style="bold red")
        raise typer.Exit(2) from None


def _writable(out: Path, console: Console) -> None:
    """Say at once, not after minutes of work, that the result has nowhere to go."""
    if not os.access(out.parent, os.W_OK):
        console.print(f"{out} cannot be written: no such folder, or not allowed", soft_wrap=True)
        raise typer.Exit(2)


@contextmanager
def _bar(console: Console, name: str) -> Iterator[Report]:
    """A progress bar on stderr; off a terminal it prints nothing."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(f"{name} (loading)", total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, description=name, completed=done, total=total)

        yield report


def _write(out: Path, document: Mapping[str, Any]) -> None:
    """The whole file or none: written beside its place and moved there."""
    draft = out.with_name(f".{out.name}.{uuid.uuid4().hex}")
    try:
        draft.write_text(json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False))
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)

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
from scoring.types import JudgeResult, ScoringError
from scoring.types import Progress as Report


class LongText(StrEnum):
    """What becomes of a text longer than a judge's limit."""

    TRUNCATE = "truncate"
    WINDOWS = "windows"


_Device = Annotated[str | None, typer.Option(help="cpu, cuda, cuda:1. [the best there is]")]
_Cache = Annotated[
    Path | None, typer.Option(help="Folder that keeps embeddings for later runs.", file_okay=False)
]
_Catalogue = Annotated[
    Path | None, typer.Option(help="A catalogue file of your own that changes or adds judges.")
]


@app.command()
def score(  # noqa: PLR0913, PLR0917 - typer reads each option off an argument
    predictions: Annotated[
        Path, typer.Argument(help="JSON map, JSON list, JSON Lines, CSV or TSV: a text per clip.")
    ],
    references: Annotated[
        Path, typer.Option(help="CLIP-CC-Bench dataset file, or JSON map of clip id to text(s).")
    ],
    judge: Annotated[
        list[str],
        typer.Option(metavar="NAME", help="A judge (`cliprank judges`); may be given several."),
    ],
    out: Annotated[Path, typer.Option(help="Where the scores go, as JSON.", dir_okay=False)],
    long_text: Annotated[
        LongText | None,
        typer.Option(help="Texts over a judge's limit: cut, or the mean of windows. [judge's own]"),
    ] = None,
    system: Annotated[
        str | None, typer.Option(help="Name of the system. [the file's name]")
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(help="A clip id that does not count; may be given several times."),
    ] = None,
    device: _Device = None,
    cache: _Cache = None,
    catalogue: _Catalogue = None,
) -> None:
    """Score PREDICTIONS against references with one or more judges, and write all numbers to --out.

    Exit code 0 when scored, 1 when a file or a judge has a problem, 2 when a judge is unknown or a
    file cannot be opened.
    """
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    names = _known(judge, catalogue, console)
    _writable(out, console)
    inputs = load_inputs(predictions, references, exclude or [])
    results: dict[str, JudgeResult] = {}
    try:
        for name in names:
            with _bar(console, name) as report:
                results[name] = _score(
                    name,
                    inputs,
                    report,
                    long_text=long_text,
                    device=device,
                    cache=cache,
                    catalogue=catalogue,
                )
            _remark(console, results[name])
    except ScoringError as error:
        console.print(f"error: {error}", soft_wrap=True, style="bold red")
        raise typer.Exit(1) from None
    _write(out, _document(system or predictions.stem, results))
    console.print(f"{len(inputs.references)} clips, {len(results)} judges: {out}", soft_wrap=True)


def _known(judges: list[str], extra: Path | None, console: Console) -> list[str]:
    """The judges by their catalogue names, each once; an unknown one ends the program."""
    from scoring.judges import catalogue

    try:
        return list(dict.fromkeys(catalogue.entry(name, extra).name for name in judges))
    except ScoringError as error:
        console.print(f"error: {error}", soft_wrap=True, style="bold red")
        raise typer.Exit(2) from None


def _writable(out: Path, console: Console) -> None:
    """Say at once, not after minutes of work, that the result has nowhere to go."""
    if not os.access(out.parent, os.W_OK):
        console.print(f"{out} cannot be written: no such folder, or not allowed", soft_wrap=True)
        raise typer.Exit(2)


def _score(
    name: str,
    inputs: Inputs,
    report: Report,
    *,
    long_text: str | None,
    device: str | None,
    cache: Path | None,
    catalogue: Path | None,
) -> JudgeResult:
    from scoring.cache import EmbeddingCache, FileStore
    from scoring.judges import catalogue as judges
    from scoring.protocols import semantic

    judge = judges.load(name, device=device, extra=catalogue)
    judges.check(judge)
    return semantic.score(
        judge,
        inputs.upload.descriptions,
        inputs.references,
        long_text=long_text,
        cache=EmbeddingCache(FileStore(cache)) if cache else None,
        progress=report,
    )


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


def _remark(console: Console, result: JudgeResult) -> None:
    """What a reader of the numbers must know beside them."""
    counts = result.counts
    parts = [f"{result.judge}: hm_cf {result.mean()['hm_cf']:.4f}"]
    if counts["empty"]:
        parts.append(f"{counts['empty']} blank descriptions scored 0")
    if counts["cut"]:
        parts.append(f"{counts['cut']} texts longer than the judge's limit")
    console.print("; ".join(parts), soft_wrap=True)


def _document(system: str, results: Mapping[str, JudgeResult]) -> dict[str, Any]:
    from scoring.protocols import semantic
    from scoring.signature import panel_signature

    return {
        "signature": panel_signature(
            semantic.PROTOCOL, {name: result.signature for name, result in results.items()}
        ),
        "system": system,
        "judges": {
            name: {
                "signature": result.signature,
                "mean": result.mean(),
                "clips": {
                    clip: {
                        metric: float(result.metrics[metric][place]) for metric in semantic.METRICS
                    }
                    for place, clip in enumerate(result.clips)
                },
                "counts": dict(result.counts),
            }
            for name, result in results.items()
        },
    }


def _write(out: Path, document: Mapping[str, Any]) -> None:
    """The whole file or none: written beside its place and moved there."""
    draft = out.with_name(f".{out.name}.{uuid.uuid4().hex}")
    try:
        draft.write_text(json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False))
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)

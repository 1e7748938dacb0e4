"""`cliprank check`: every problem of a file of predictions, before it is scored or uploaded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from scoring.cli import app
from scoring.cli.inputs import Inputs, count_of, examine, print_hint, print_left_out, print_problems
from scoring.diagnostics import Diagnosis, Flag, diagnose
from scoring.formats.quoting import counted, names, quote
from scoring.text import count_words
from scoring.types import Problem


class CheckFormat(StrEnum):
    """How the outcome is printed."""

    TEXT = "text"
    JSON = "json"


@app.command()
def check(
    predictions: Annotated[
        Path, typer.Argument(help="JSON map, JSON list, JSON Lines, CSV or TSV: a text per clip.")
    ],
    references: Annotated[
        Path, typer.Option(help="CLIP-CC-Bench dataset file, or JSON map of clip id to text(s).")
    ],
    exclude: Annotated[
        list[str] | None,
        typer.Option(help="A clip id that does not count; may be given several times."),
    ] = None,
    output: Annotated[
        CheckFormat, typer.Option("--format", help="For people or for programs.")
    ] = CheckFormat.TEXT,
    language: Annotated[
        str, typer.Option(help="Language the texts should be in: en or de.")
    ] = "en",
    no_names: Annotated[
        bool, typer.Option("--no-names", help="Flag proper nouns too (English texts).")
    ] = False,
) -> None:
    """List every problem of PREDICTIONS with its line or key, and what the texts themselves show.

    Flags (refusals, loops, cut endings, copies of a reference, ...) change no score.
    Exit code 0 when the file can be scored (warnings are shown), 1 when it has errors, 2 when a
    file cannot be opened.
    """
    inputs = examine(predictions, references, exclude or [])
    found = diagnose(
        inputs.upload.descriptions,
        inputs.references,
        language=language,
        forbids_proper_nouns=no_names,
    )
    if output is CheckFormat.JSON:
        typer.echo(json.dumps(_report(inputs, predictions, references, found), indent=2))
    else:
        _print(inputs, predictions, references, found)
    if not inputs.ok:
        raise typer.Exit(1)


def _report(
    inputs: Inputs, predictions: Path, references: Path, found: Diagnosis
) -> dict[str, Any]:
    """The outcome as JSON: counts, and all problems with the file that each is in."""
    upload = inputs.upload
    return {
        "ok": inputs.ok,
        "file": str(predictions),
        "format": upload.format,
        "clips": len(upload.descriptions),
        "references": len(inputs.references),
        "left_out": dict(inputs.left_out),
        "words": _words(inputs),
        "problems": [
            *_listed(upload.problems, predictions),
            *_listed(inputs.reference_problems, references),
        ],
        "diagnostics": found.to_json(),
    }


def _listed(problems: Sequence[Problem], path: Path) -> list[dict[str, str]]:
    return [{"file": str(path), **asdict(problem)} for problem in problems]


def _print(inputs: Inputs, predictions: Path, references: Path, found: Diagnosis) -> None:
    console = Console(highlight=False, markup=False, emoji=False)
    print_problems(console, predictions, inputs.upload.problems)
    print_problems(console, references, inputs.reference_problems)
    print_left_out(console, inputs)
    problems = (*inputs.upload.problems, *inputs.reference_problems)
    told = {problem.code for problem in problems}
    flags = [flag for flag in found.flags if flag.code not in told]
    _print_flags(console, flags)
    if inputs.ok:
        clips = counted(len(inputs.upload.descriptions), "clip")
        words = counted(_words(inputs), "word")
        remarks = count_of(problems) or "no warnings"
        remarks += f", {counted(len(flags), 'flag')}" if flags else ""
        text = f"{predictions} is fine: {inputs.upload.format}, {clips}, {words}, {remarks}."
        console.print(Text(text, "green"), soft_wrap=True)
    else:
        print_hint(console, inputs)
        console.print(Text(f"{count_of(problems)}: not accepted.", "bold red"), soft_wrap=True)


def _print_flags(console: Console, flags: Sequence[Flag]) -> None:
    """One line a flag: what, in how many descriptions, of which clips, and one example."""
    for flag in flags:
        words = f"{flag.kind.title}: {counted(flag.count, 'description')} ({names(flag.clips, 5)})"
        example = f": {quote(flag.examples[0].text)}" if flag.examples else ""
        label = Text("  flag    ", "magenta")
        console.print(label + Text(words + example), soft_wrap=True)


def _words(inputs: Inputs) -> int:
    return sum(count_words(text) for text in inputs.upload.descriptions.values())

"""Predictions and references as the commands take them: one way to read both, for all of them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from scoring.benchmarks import left_out
from scoring.formats import (
    MAX_BYTES,
    ReferencesError,
    check_clips,
    read_references,
    read_upload,
    too_large,
)
from scoring.formats.quoting import counted, name
from scoring.types import Problem, Reference, Upload

_STYLES = {"error": "bold red", "warning": "yellow"}


@dataclass(frozen=True, slots=True)
class Inputs:
    """A file of predictions checked against a file of references.

    ``references`` leaves the excluded clips out; so does ``upload.descriptions``. ``left_out`` are
    those that the benchmark itself does not count, with the reason.
    ``reference_problems`` is empty when the references can be used.
    """

    upload: Upload
    references: dict[str, tuple[Reference, ...]]
    reference_problems: tuple[Problem, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """True when the predictions can be scored against the references."""
        return self.upload.ok and not self.reference_problems


def load_inputs(predictions: Path, references: Path, exclude: Sequence[str] = ()) -> Inputs:
    """Read and check both files; print every problem on stderr and leave when there are errors.

    Args:
        predictions: A file in one of the upload formats.
        references: A CLIP-CC-Bench dataset file, or a JSON map of clip id to text or texts.
        exclude: Ids of clips that do not count: neither wanted nor used. Clips that a known
            benchmark leaves out itself need not be named.

    Raises:
        typer.Exit: code 1 for errors in a file, 2 for a file that cannot be opened.
    """
    inputs = examine(predictions, references, exclude)
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    print_problems(console, predictions, inputs.upload.problems)
    print_problems(console, references, inputs.reference_problems)
    print_left_out(console, inputs)
    if not inputs.ok:
        print_hint(console, inputs)
        raise typer.Exit(1)
    return inputs


def examine(predictions: Path, references: Path, exclude: Sequence[str] = ()) -> Inputs:
    """Read and check both files, and return all that was found. Prints only what ends the program.

    Raises:
        typer.Exit: code 2, after a message on stderr, for a file that cannot be opened.
    """
    upload = read_predictions(predictions)
    try:
        known = read_references(read_bytes(references), references.name)
    except ReferencesError as error:
        return Inputs(upload, {}, error.problems)
    rule = left_out(known)
    excluded = {*exclude, *rule}
    kept = {clip: texts for clip, texts in known.items() if clip not in excluded}
    if not kept:
        nothing = Problem("no-references", "no clip is left after --exclude")
        return Inputs(upload, {}, (nothing,))
    checked = check_clips(upload, list(kept), ignored=excluded)
    strange = [clip for clip in exclude if clip not in known and clip not in upload.positions]
    remarks = tuple(
        Problem("unknown-exclusion", f"--exclude {name(clip)}: no such clip", severity="warning")
        for clip in strange
    )
    return Inputs(replace(checked, problems=(*checked.problems, *remarks)), kept, left_out=rule)


def print_problems(console: Console, path: Path, problems: Sequence[Problem]) -> None:
    """One line per problem under the name of its file; nothing when there are none."""
    if not problems:
        return
    console.print(Text(str(path), "bold"), soft_wrap=True)
    for problem in problems:
        label = Text(f"  {problem.severity:8}", _STYLES[problem.severity])
        console.print(label + Text(str(problem)), soft_wrap=True)


def print_left_out(console: Console, inputs: Inputs) -> None:
    """Which clips the benchmark's own rule leaves out, and why."""
    for clip, reason in inputs.left_out.items():
        console.print(Text(f"Clip {clip} does not count: {reason}", "dim"), soft_wrap=True)


def print_hint(console: Console, inputs: Inputs) -> None:
    """How to go on when only a few clips have no description."""
    missing = [clip for clip in inputs.references if clip not in inputs.upload.positions]
    if inputs.upload.positions and 0 < len(missing) <= 10 and len(missing) < len(inputs.references):
        options = " ".join(f"--exclude {shlex.quote(clip)}" for clip in missing)
        them = "it" if len(missing) == 1 else "them"
        text = f"To go on without {them}, if the benchmark leaves {them} out: {options}"
        console.print(Text(text), soft_wrap=True)


def count_of(problems: Sequence[Problem]) -> str:
    """``2 errors, 1 warning``."""
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    parts = [(errors, "error"), (warnings, "warning")]
    return ", ".join(counted(number, noun) for number, noun in parts if number)


def read_predictions(path: Path) -> Upload:
    """A file of descriptions, not yet compared with anything."""
    size = _size(path)
    if size > MAX_BYTES:
        return Upload("unknown", problems=(too_large(size, MAX_BYTES),))
    return read_upload(read_bytes(path), path.name)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise _cannot_open(path, error) from None


def read_bytes(path: Path) -> bytes:
    """The file's content; a file that cannot be opened ends the program with code 2."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise _cannot_open(path, error) from None


def _cannot_open(path: Path, error: OSError) -> typer.Exit:
    typer.echo(f"{path} cannot be read: {error.strerror or error}", err=True)
    return typer.Exit(2)

"""`cliprank judges`: the catalogue of judges, and whether one still gives its golden numbers."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scoring.cli import app
from scoring.types import ScoringError

if TYPE_CHECKING:
    from scoring.judges.entry import Entry

judges_app = typer.Typer(invoke_without_command=True, no_args_is_help=False)
app.add_typer(judges_app, name="judges")


class ListFormat(StrEnum):
    """How the list is printed."""

    TABLE = "table"
    JSON = "json"


_Catalogue = Annotated[
    Path | None, typer.Option(help="A catalogue file of your own that changes or adds judges.")
]


@judges_app.callback()
def judges(
    context: typer.Context,
    output: Annotated[
        ListFormat, typer.Option("--format", help="For people or for programs.")
    ] = ListFormat.TABLE,
    catalogue: _Catalogue = None,
) -> None:
    """List the judges: licence, size, what is installed and what would have to be downloaded.

    Judges of facts (`cliprank score --protocol facts`) follow in a table of their own.
    """
    if context.invoked_subcommand:
        return
    from scoring.judges import catalogue as known

    try:
        entries = known.entries(catalogue)
    except ScoringError as error:
        raise _failed(error, code=2) from None
    if output is ListFormat.JSON:
        typer.echo(json.dumps([_row(entry) for entry in entries], indent=2))
    else:
        console = Console(highlight=False, markup=False, emoji=False)
        console.print(_table(entries))
        console.print()
        console.print(_chat_table())


@judges_app.command()
def check(
    name: Annotated[str, typer.Argument(help="A judge of the list, by name or alias.")],
    download: Annotated[
        bool, typer.Option("--download", help="Fetch the weights from the hub when missing.")
    ] = False,
    device: Annotated[
        str | None, typer.Option(help="cpu, cuda, cuda:1. [the best there is]")
    ] = None,
    catalogue: _Catalogue = None,
) -> None:
    """Load a judge, verify its weights, and compare its cosines with the stored golden ones.

    Exit code 0 when it may work, 1 when it is missing or has drifted, 2 when it is unknown.
    """
    from scoring.judges import catalogue as known

    try:
        entry = known.entry(name, catalogue)
    except ScoringError as error:
        raise _failed(error, code=2) from None
    try:
        judge = known.load(name, device=device, download=download, extra=catalogue)
        worst = known.check(judge)
    except ScoringError as error:
        raise _failed(error, code=1) from None
    typer.echo(judge.signature())
    for pair in known.measured(judge):
        first, second = (json.dumps(text, ensure_ascii=False) for text in (pair.first, pair.second))
        typer.echo(f"{{ first = {first}, second = {second}, cosine = {pair.cosine:.6f} }},")
    if entry.golden:
        typer.echo(
            f"{entry.name}: {len(entry.golden)} golden pairs, largest difference {worst:.1e} "
            f"(tolerance {entry.tolerance:.0e})"
        )
    else:
        typer.echo(f"{entry.name}: no golden pairs are stored for it yet; those above are its own")


def _row(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "title": entry.title,
        "kind": entry.kind,
        "aliases": list(entry.aliases),
        "licence": entry.licence,
        "parameters": entry.parameters,
        "size": entry.size,
        "languages": list(entry.languages),
        "dimension": entry.dimension,
        "max_tokens": entry.max_tokens,
        "long_text": entry.long_text,
        "source": entry.source,
        "revision": entry.revision,
        "installed": entry.installed,
        "get": "" if entry.installed else entry.remedy,
        "embedded": entry.embedded,
        "published": entry.published,
        "note": entry.note,
    }


def _table(entries: tuple[Entry, ...]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("judge", no_wrap=True)
    table.add_column("size", no_wrap=True, justify="right")
    table.add_column("installed", no_wrap=True)
    table.add_column("licence, and how to get it", overflow="fold")
    for entry in entries:
        here = entry.installed
        get = "" if here else f"\n{_get(entry)}"
        table.add_row(
            Text.assemble((entry.name, "bold"), (f"\n  {_kind(entry)}", "dim")),
            _size(entry.size),
            Text("yes", "green") if here else Text("no", "yellow"),
            Text.assemble(entry.licence, (get, "dim")),
        )
    return table


def _chat_table() -> Table:
    """Those that judge facts: rules, weights in this process, or a server."""
    from scoring.judges import chat_catalogue

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("judge of facts", no_wrap=True)
    table.add_column("licence, and what it needs", overflow="fold")
    for entry in chat_catalogue.entries():
        kind = f"{entry.kind}, baseline" if entry.baseline else entry.kind
        table.add_row(
            Text.assemble((entry.name, "bold"), (f"\n  {kind}", "dim")),
            Text.assemble(entry.licence or "-", (f"\n{entry.note}", "dim")),
        )
    return table


def _kind(entry: Entry) -> str:
    limit = f", {entry.max_tokens} tokens" if entry.max_tokens else ""
    return f"{entry.kind}{limit}"


def _get(entry: Entry) -> str:
    return entry.remedy if entry.requirement else f"download {entry.source}"


def _size(size: int) -> str:
    if not size:
        return "-"
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _failed(error: ScoringError, code: int) -> typer.Exit:
    typer.echo(f"error: {error}", err=True)
    return typer.Exit(code)

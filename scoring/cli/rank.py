"""`cliprank rank`: a ranked table from files of scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scoring.cli import app
from scoring.types import ScoringError

if TYPE_CHECKING:
    from scoring.cli.score_files import Panel, ScoreFile
    from scoring.ranking import RankTable
    from scoring.ranking.render import Sheet


class TableFormat(StrEnum):
    """How the table is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


class MissingRule(StrEnum):
    """What becomes of a system that a judge has not scored."""

    UNRANKED = "unranked"
    LAST = "last"


@app.command()
def rank(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="SCORES...", help="Files that `cliprank score` wrote, one a system."
        ),
    ],
    bootstrap: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="Resamples of the clips; 0 for no intervals.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resampling.")] = 0,
    output: Annotated[
        TableFormat, typer.Option("--format", help="For people, programs or papers.")
    ] = TableFormat.TABLE,
    judge: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A judge that counts; may be given several times."),
    ] = None,
    missing: Annotated[
        MissingRule,
        typer.Option(help="A system without a judge: listed unranked, or last on that judge."),
    ] = MissingRule.UNRANKED,
    metric: Annotated[str, typer.Option(help="The metric to rank by.")] = "hm_cf",
    allow_mixed: Annotated[
        bool,
        typer.Option("--allow-mixed", help="Rank numbers of different signatures, with a warning."),
    ] = False,
) -> None:
    """Rank systems by Borda over judges, with 95% rank intervals from a paired bootstrap.

    Exit code 0 when ranked, 1 when a file has problems, 2 when a file cannot be opened.
    """
    # numpy loads with these: `cliprank --help` should not wait for it.
    from scoring.cli.score_files import side_by_side
    from scoring.protocols import GAPPED
    from scoring.ranking import rank_scores

    errors = Console(stderr=True, highlight=False, markup=False, emoji=False)
    read = _read(files, errors)
    try:
        panel = side_by_side(read, primary=metric, judges=judge or (), allow_mixed=allow_mixed)
        table = rank_scores(
            panel.systems,
            panel.judges,
            panel.metrics,
            primary=metric,
            replicates=bootstrap,
            seed=seed,
            missing=missing.value,
            gapped=GAPPED,
            signatures=panel.signatures,
        )
    except ScoringError as error:
        _say(errors, "error", str(error))
        raise typer.Exit(1) from None
    _remark(errors, panel, table)
    _print(table, output)


def _read(paths: Sequence[Path], errors: Console) -> list[tuple[Path, ScoreFile]]:
    """All files; every one that cannot be used is named before the program ends."""
    from scoring.cli.score_files import ScoreFileError, read_scores

    read, code = [], 0
    for path in paths:
        try:
            read.append((path, read_scores(path)))
        except ScoreFileError as error:
            _say(errors, "error", str(error))
            code = code or 1
        except OSError as error:
            _say(errors, "error", f"{path} cannot be read: {error.strerror or error}")
            code = 2
    if code:
        raise typer.Exit(code)
    return read


def _remark(errors: Console, panel: Panel, table: RankTable) -> None:
    """On stderr: what a reader of the table must know beside it."""
    for remark in panel.remarks:
        _say(errors, "warning", f"{remark}; ranked together because of --allow-mixed")
    for row in table.rows:
        if row.missing:
            treated = "unranked" if row.rank is None else "last on it"
            _say(
                errors,
                "warning",
                f"{row.system}: no complete scores by {', '.join(row.missing)}: {treated}",
            )
    if table.clips is not None and table.clips < 2 and table.rows:
        _say(errors, "warning", "one clip says nothing about other clips: no rank intervals")


def _say(console: Console, severity: str, message: str) -> None:
    style = {"error": "bold red", "warning": "yellow"}[severity]
    console.print(Text(f"{severity}: ", style) + Text(message), soft_wrap=True)


def _print(table: RankTable, output: TableFormat) -> None:
    """Write the table to stdout."""
    from scoring.ranking import render

    data = table.to_json()
    if output is TableFormat.JSON:
        typer.echo(json.dumps(data, indent=2, allow_nan=False))
        return
    page = render.sheet(data)
    if output is TableFormat.TABLE:
        _print_table(page, table)
        return
    written: dict[TableFormat, Callable[[Sheet], str]] = {
        TableFormat.CSV: render.to_csv,
        TableFormat.MARKDOWN: render.to_markdown,
        TableFormat.LATEX: render.to_latex,
    }
    # CSV brings its own line ends.
    typer.echo(written[output](page), nl=False)


def _print_table(page: Sheet, table: RankTable) -> None:
    from scoring.ranking.render import text_rows

    titles, rows, right = text_rows(page)
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for n, (title, is_right) in enumerate(zip(titles, right, strict=True)):
        side: Literal["left", "right"] = "right" if is_right else "left"
        # Names fold where the terminal is narrow, numbers never.
        widest = max((len(row[n]) for row in rows), default=0)
        shown.add_column(
            Text(title), justify=side, overflow="fold", min_width=widest if is_right else None
        )
    for row in rows:
        shown.add_row(*(Text(cell) for cell in row))
    console = Console(highlight=False, markup=False, emoji=False)
    console.print(shown)
    resamples = f"; {table.replicates} resamples, seed {table.seed}" if table.replicates else ""
    console.print(Text(f"{table.clips} clips{resamples}", "dim"), soft_wrap=True)
    console.print(Text(f"signature {table.signature}", "dim"), soft_wrap=True)

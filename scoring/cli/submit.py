"""`cliprank submit`: send descriptions to a site, wait for the result, print scores and rank."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
from rich.text import Text

from scoring.cli import app
from scoring.cli.check import CheckFormat
from scoring.cli.direct import NoWay, goes_direct, send_direct
from scoring.cli.inputs import print_problems
from scoring.cli.outcome import print_check, print_scores
from scoring.cli.site import Site, SiteError, problem_of
from scoring.cli.waiting import Outcome, wait_for
from scoring.formats.quoting import counted

ERRORS = Console(stderr=True, highlight=False, markup=False, emoji=False)


class Visibility(StrEnum):
    """Who sees the submission."""

    PUBLIC = "public"
    ANONYMOUS = "anonymous"
    PRIVATE = "private"


@app.command()
def submit(  # noqa: PLR0913, PLR0917 - an upload's fields
    files: Annotated[
        list[Path], typer.Argument(help="The file; for pair tests or judgements also several.")
    ],
    site: Annotated[
        str, typer.Option(help="Address of the site.", envvar="CLIPRANK_SITE", show_default=False)
    ],
    benchmark: Annotated[str, typer.Option(help="Slug of the benchmark, as in its address.")],
    token: Annotated[
        str, typer.Option(help="A token that may submit.", envvar="CLIPRANK_TOKEN")
    ] = "",
    system: Annotated[str, typer.Option(help="Name of the system that wrote them.")] = "",
    visibility: Annotated[Visibility, typer.Option(help="Who sees it.")] = Visibility.PUBLIC,
    note: Annotated[str, typer.Option(help="How they were made: prompt, sampling, frames.")] = "",
    field: Annotated[
        list[str] | None,
        typer.Option(help="Another field of an upload as NAME=VALUE: kind, language, team, ..."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check only: nothing is stored, no quota used.")
    ] = False,
    wait: Annotated[bool, typer.Option(help="Wait until it is scored and ranked.")] = True,
    timeout: Annotated[float, typer.Option(help="Seconds to wait at most.", min=1)] = 3600,
    output: Annotated[
        CheckFormat, typer.Option("--format", help="For people or for programs.")
    ] = CheckFormat.TEXT,
) -> None:
    """Send FILES to a site, wait for the judges, and print the scores and the rank.

    Exit code 0 when it is scored (or accepted, with --no-wait, or fine, with --dry-run), 1 when the
    file is not accepted, 2 for wrong usage, a refusal or a site that does not answer, 3 when
    scoring failed or took longer than --timeout.
    """
    fields = _fields(field or (), dry_run=dry_run, system=system)
    fields |= {} if dry_run else {"visibility": visibility.value, "note": note}
    if not token:
        raise _wrong("Give --token, or set CLIPRANK_TOKEN; tokens are made on the account page.")
    try:
        with Site(site, token) as asked:
            offered = asked.get(f"benchmarks/{benchmark}")
            _check_sizes(offered, files)
            direct = goes_direct(offered, files)
            answer = _sent(asked, benchmark, files, fields, dry_run=dry_run, direct=direct)
            if dry_run:
                _end_check(answer, files, output)
                return
            page = f"{site.rstrip('/')}/submissions/{answer['id']}/"
            ERRORS.print(Text(f"Accepted: {page}"), soft_wrap=True)
            print_problems(ERRORS, files[0], [problem_of(one) for one in answer["warnings"]])
            outcome = wait_for(asked, answer, ERRORS, timeout) if wait else Outcome(answer)
    except SiteError as error:
        raise _ended(error, files) from None
    if output is CheckFormat.JSON:
        typer.echo(json.dumps(outcome.to_json(), indent=2))
    elif wait:
        print_scores(outcome)
    if outcome.failed:
        raise typer.Exit(3)


def _fields(given: list[str] | tuple[()], *, dry_run: bool, system: str) -> dict[str, str]:
    fields = {}
    for one in given:
        name, separator, value = one.partition("=")
        if not separator or not name:
            raise _wrong(f"--field {one}: write NAME=VALUE, for example language=de.")
        fields[name] = value
    if not system and not dry_run:
        raise _wrong("Name the system that wrote the descriptions with --system.")
    return fields | ({"system": system} if system else {})


def _check_sizes(benchmark: dict[str, Any], files: list[Path]) -> None:
    """Refuse what the site would refuse, before it is sent; and what cannot be opened."""
    try:
        size = sum(path.stat().st_size for path in files)
    except OSError as error:
        raise _wrong(f"{error.filename} cannot be read: {error.strerror}") from None
    limit = benchmark.get("upload_limit")
    if isinstance(limit, int) and size > limit:
        raise SiteError(f"{size:,} bytes are over the site's limit of {limit:,}.", status=413)


def _sent(
    site: Site,
    benchmark: str,
    files: list[Path],
    fields: dict[str, str],
    *,
    dry_run: bool,
    direct: bool,
) -> dict[str, Any]:
    """The site's answer to the files, sent past it where that is offered and possible."""
    address = f"benchmarks/{benchmark}/{'check' if dry_run else 'submissions'}"
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    try:
        with Progress(*columns, console=ERRORS, disable=not ERRORS.is_terminal) as progress:
            size = sum(path.stat().st_size for path in files)
            bar = progress.add_task("Uploading", total=size)

            def sending(read: int) -> None:
                progress.advance(bar, read)

            if direct:
                try:
                    return send_direct(
                        site, benchmark, files[0], fields, dry_run=dry_run, sending=sending
                    )
                except NoWay as why:
                    ERRORS.print(Text(f"Not straight to the site's storage ({why}); to the site."))
            return site.send(address, files, fields, sending)
    except OSError as error:
        raise _wrong(f"{error.filename} cannot be read: {error.strerror}") from None


def _end_check(report: dict[str, Any], files: list[Path], output: CheckFormat) -> None:
    if output is CheckFormat.JSON:
        typer.echo(json.dumps(report, indent=2))
    else:
        print_check(report, files[0])
    if not report["ok"]:
        raise typer.Exit(1)


def _ended(error: SiteError, files: list[Path]) -> typer.Exit:
    """Say what the site said, with every problem; the exit code tells a bad file from the rest."""
    is_file = error.status == 413 or any(not _is_field(one.code) for one in error.problems)
    if error.status == 422 and is_file:
        print_problems(ERRORS, files[0], error.problems)
        errors = sum(one.severity == "error" for one in error.problems)
        ERRORS.print(Text(f"{counted(errors, 'error')}: not accepted.", "bold red"))
        return typer.Exit(1)
    ERRORS.print(Text(str(error), "bold red"), soft_wrap=True)
    return typer.Exit(1 if error.status == 413 else 2)


def _is_field(code: str) -> bool:
    return code == "invalid-field"


def _wrong(message: str) -> typer.Exit:
    ERRORS.print(Text(message, "bold red"), soft_wrap=True)
    return typer.Exit(2)

"""`cliprank`: the site's own code path, offline.

One command a file. Machine output goes to stdout, progress and remarks to stderr. Exit codes:
0 done, 1 the input has problems, 2 wrong usage; of `submit` also 3, scoring failed.
"""

from __future__ import annotations

import importlib

import typer

app = typer.Typer(
    name="cliprank",
    help="Check, score, rank and submit video descriptions as the site does.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def _program() -> None:
    """Check, score, rank and submit video descriptions as the site does."""


# Each module registers its command on `app`; heavy imports stay inside the command functions.
for _command in ("check", "score", "rank", "judges", "submit"):
    importlib.import_module(f"scoring.cli.{_command}")


def main() -> None:
    """Console entry point."""
    app()

"""The progress bar of a judge at work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from scoring.types import Progress as Report


@contextmanager
def bar(console: Console, name: str) -> Iterator[Report]:
    """A progress bar on stderr; off a terminal it prints nothing."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as shown:
        task = shown.add_task(f"{name} (loading)", total=None)

        def report(done: int, total: int) -> None:
            shown.update(task, description=name, completed=done, total=total)

        yield report

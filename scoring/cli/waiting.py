"""Waiting for a submission's judges, and for the table that follows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from scoring.cli.site import Site, SiteError

BETWEEN = 1.0
"""Seconds between two questions; twice as many after each that brought nothing new."""
MOST_BETWEEN = 15.0
FOR_THE_TABLE = 120.0
"""A table follows the last score within seconds; after so many it is not waited for."""
TRIES = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """A submission as the site has it last, and its rows in the tables of its tracks."""

    submission: Mapping[str, Any]
    rows: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    timed_out: bool = False

    @property
    def failed(self) -> bool:
        """Whether something that was waited for did not come."""
        return self.timed_out or any(
            run["state"] in {"failed", "incomplete", "cancelled"} for run in self.submission["runs"]
        )

    def to_json(self) -> dict[str, Any]:
        """The submission, with `ranks` by track."""
        named = ("rank", "rank_low", "rank_high", "p_first", "borda", "mean")
        ranks = {track: {key: row.get(key) for key in named} for track, row in self.rows.items()}
        return {**self.submission, "ranks": ranks, "timed_out": self.timed_out}


def wait_for(site: Site, sent: Mapping[str, Any], console: Console, timeout: float) -> Outcome:
    """Ask until every judge is through and the tables have followed, at most ``timeout`` seconds.

    A site that does not answer for a while is asked again; one that refuses raises SiteError.
    """
    end = time.monotonic() + timeout
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bars = _Bars(progress)
        found, pause = dict(sent), BETWEEN
        while not found["final"]:
            if time.monotonic() > end:
                return Outcome(found, timed_out=True)
            time.sleep(min(pause, max(0.0, end - time.monotonic())))
            before, found = found, _asked(site, f"submissions/{sent['id']}")
            pause = BETWEEN if found != before else min(MOST_BETWEEN, 2 * pause)
            bars.show(found)
    return Outcome(found, _rows(site, found, min(end, time.monotonic() + FOR_THE_TABLE)))


class _Bars:
    """One bar for each judge on each track."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[tuple[str, str], Any] = {}

    def show(self, submission: Mapping[str, Any]) -> None:
        for run in submission["runs"]:
            key = (run["track"], run["judge"])
            if key not in self._tasks:
                self._tasks[key] = self._progress.add_task("", total=None)
            total = run["total"] or None
            done = total if run["state"] == "done" else run["done"]
            words = f"{run['track']} · {run['judge']} · {run['state']}"
            self._progress.update(
                self._tasks[key], description=words, total=total, completed=done or 0
            )


def _rows(site: Site, submission: Mapping[str, Any], end: float) -> dict[str, Mapping[str, Any]]:
    """Track to the submission's row; those tracks on which it can have one."""
    if submission["visibility"] == "private" or submission["standing"] != "clear":
        return {}
    waiting = {run["track"] for run in submission["runs"] if run["state"] == "done"}
    found: dict[str, Mapping[str, Any]] = {}
    while waiting:
        for track in sorted(waiting):
            row = _row(site, submission, track)
            if row is not None:
                found[track] = row
        waiting -= found.keys()
        if not waiting or time.monotonic() > end:
            break
        time.sleep(BETWEEN)
    return found


def _row(site: Site, submission: Mapping[str, Any], track: str) -> Mapping[str, Any] | None:
    address = (
        f"benchmarks/{submission['benchmark']}/releases/{submission['release']}"
        f"/tracks/{track}/ranking"
    )
    of_kind = "reported" if submission["kind"] == "judgements" else "verified"
    try:
        ranking = _asked(site, f"{address}?provenance={of_kind}")
    except SiteError as error:
        if error.status == 404:  # nothing has been ranked there yet
            return None
        raise
    rows = (row for row in ranking["rows"] if row.get("submission") == submission["id"])
    row: Mapping[str, Any] | None = next(rows, None)
    return None if row is None else {**row, "systems": _places(ranking)}


def _places(ranking: Mapping[str, Any]) -> int:
    return sum(row["rank"] is not None for row in ranking["rows"])


def _asked(site: Site, address: str) -> dict[str, Any]:
    for tried in range(TRIES):
        try:
            return site.get(address)
        except SiteError as error:
            if not error.is_passing or tried == TRIES - 1:
                raise
            time.sleep(BETWEEN * 2**tried)
    raise AssertionError("unreachable")

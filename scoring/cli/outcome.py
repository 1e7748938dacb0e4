"""What `cliprank submit` prints: a check's report, or scores and ranks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from scoring.cli.inputs import count_of, print_problems
from scoring.cli.site import problem_of
from scoring.cli.waiting import Outcome
from scoring.formats.quoting import counted


def print_check(report: Mapping[str, Any], path: Path) -> None:
    """Every problem, then the counts in one line."""
    console = Console(highlight=False, markup=False, emoji=False)
    problems = [problem_of(found) for found in report["problems"]]
    print_problems(console, path, problems)
    found = f"{report['found']:,} of {counted(report['expected'], report['noun'])}"
    remarks = count_of(problems) or "no warnings"
    if report["ok"]:
        text = f"{path} is fine: {report['format']}, {found}, {remarks}. Nothing has been stored."
        console.print(Text(text, "green"), soft_wrap=True)
    else:
        console.print(Text(f"{found}; {remarks}: not accepted.", "bold red"), soft_wrap=True)


def print_scores(outcome: Outcome) -> None:
    """For each track a table of judges and metrics, and the rank with its interval."""
    console = Console(highlight=False, markup=False, emoji=False)
    runs = outcome.submission["runs"]
    for track in dict.fromkeys(run["track"] for run in runs):
        of_track = [run for run in runs if run["track"] == track]
        metrics = list(dict.fromkeys(metric for run in of_track for metric in run["scores"]))
        table = Table("Judge", *metrics, "State", title=track, title_justify="left")
        for run in of_track:
            scores = [_number(run["scores"].get(metric)) for metric in metrics]
            table.add_row(run["judge"], *scores, run["state"])
        console.print(table)
        for run in of_track:
            if run["error"]:
                console.print(Text(f"{run['judge']}: {run['error']}", "yellow"), soft_wrap=True)
        console.print(Text(_place(outcome, track), "bold"), soft_wrap=True)
    if outcome.timed_out:
        console.print(Text("Still being scored; look at its page later.", "yellow"))


def _place(outcome: Outcome, track: str) -> str:
    row = outcome.rows.get(track)
    if row is None:
        return f"{track}: not on the board{_why(outcome.submission)}."
    if row["rank"] is None:
        return f"{track}: on the board, unranked (no score by {', '.join(row['missing'])})."
    said = f"{track}: rank {row['rank']} of {row['systems']}"
    if row.get("rank_low") is None:
        return f"{said}."
    return f"{said}, 95% interval {row['rank_low']} to {row['rank_high']}."


def _why(submission: Mapping[str, Any]) -> str:
    if submission["visibility"] == "private":
        return ", for it is private"
    if submission["standing"] != "clear":
        return ", for it waits for a curator"
    return " yet"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"

"""`manage.py print_ranking BENCHMARK`: the newest ranking of a track, for people or programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from leaderboard import exports, tables
from leaderboard.models import Benchmark, Provenance, Ranking, Release, Run, Track
from leaderboard.tables.labels import judge_title, metric_title

# Names that `cliprank rank` has too, and the suffixes of the files that the page offers.
WRITTEN = {"csv": "csv", "markdown": "md", "latex": "tex", "bibtex": "bib"}
WIDTH = 200  # characters; a table in a file or a pipe is not cut at 80


class Command(BaseCommand):
    """Prints what the ranking page shows."""

    help = "Print the newest ranking of a benchmark."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which ranking, and how."""
        parser.add_argument("benchmark", metavar="BENCHMARK", help="slug, as in its address")
        parser.add_argument("--release", metavar="V", help="default: the newest published one")
        parser.add_argument("--track", metavar="SLUG", help="default: the first that has results")
        parser.add_argument(
            "--reported", action="store_true", help="what papers report, not what was scored here"
        )
        parser.add_argument(
            "--format", choices=("table", "json", *WRITTEN), default="table", help="default: table"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Find the ranking and print it."""
        provenance = Provenance.REPORTED if options["reported"] else Provenance.VERIFIED
        release = _release(options["benchmark"], options["release"])
        track = _track(release, options["track"], provenance)
        ranking = _ranking(track, provenance)
        if options["format"] == "json":
            self.stdout.write(json.dumps(as_json(ranking), indent=2, ensure_ascii=False))
        elif options["format"] in WRITTEN:
            written = exports.FORMATS[WRITTEN[options["format"]]]
            # A file brings its own line ends.
            self.stdout.write(written.write(exports.Shown(tables.board(ranking))), ending="")
        else:
            self.stdout.write(as_table(ranking))


def as_json(ranking: Ranking) -> dict[str, Any]:
    """The ranking with what it follows from; a row's ``system`` is the name that is shown."""
    track = ranking.track
    return {
        "benchmark": track.release.benchmark.slug,
        "release": track.release.version,
        "track": track.slug,
        "provenance": ranking.provenance,
        "computed_at": ranking.computed_at.isoformat(),
        "signature": ranking.signature,
        "primary_metric": track.primary_metric,
        "agreement": ranking.agreement,
        "rows": [
            {key: value for key, value in row.items() if key != "name"}
            | {"system": row["name"], "slug": row["system"]}
            for row in ranking.rows
        ],
    }


def as_table(ranking: Ranking) -> str:
    """The ranking as text: place, interval, system, Borda, mean and each judge's own."""
    track = ranking.track
    metric = track.primary_metric
    table = Table("#", "95%", "System", "Borda", f"Mean {metric_title(metric)}", title=str(ranking))
    for judge in track.judges:
        table.add_column(judge_title(judge), justify="right")
    for row in ranking.rows:
        table.add_row(
            _text(row["rank"]),
            _interval(row),
            row["name"],
            _text(row["borda"]),
            _digits(row["mean"].get(metric)),
            *(_digits(row["judges"].get(judge, {}).get(metric)) for judge in track.judges),
        )
    console = Console(width=WIDTH, color_system=None)
    with console.capture() as printed:
        console.print(table)
    return f"{printed.get()}{ranking.signature}"


def _release(slug: str, version: str | None) -> Release:
    benchmark = Benchmark.objects.filter(slug=slug).first()
    if benchmark is None:
        there = ", ".join(Benchmark.objects.values_list("slug", flat=True))
        raise CommandError(
            f"There is no benchmark {slug!r}; there is: {there}."
            if there
            else "There is no benchmark yet: use import_clip_cc_bench or load_sample first."
        )
    releases = benchmark.releases.order_by("-published_at")
    release = releases.filter(version=version) if version else releases.published()
    found = release.select_related("benchmark").first()
    if found is None:
        there = ", ".join(releases.values_list("version", flat=True)) or "none"
        raise CommandError(f"{slug} has no such release; releases: {there}.")
    return found


def _track(release: Release, slug: str | None, provenance: str) -> Track:
    tracks = release.tracks.select_related("release__benchmark").order_by("position", "slug")
    if slug:
        found = tracks.filter(slug=slug).first()
        there = ", ".join(tracks.values_list("slug", flat=True)) or "none"
        hint = f"{release} has no track {slug!r}; tracks: {there}."
    elif provenance == Provenance.REPORTED:
        found = tracks.filter(reported__isnull=False).first()
        hint = f"{release} has no reported results: import them with --published FILE."
    else:
        found = tracks.open().first()
        hint = f"{release} has no track that is scored here; try --reported."
    if found is None:
        raise CommandError(hint)
    return found


def _ranking(track: Track, provenance: str) -> Ranking:
    ranking = tables.newest_shown(track, provenance)
    if ranking is None and provenance == Provenance.REPORTED:
        raise CommandError(f"{track} has no reported ranking: import it with --published FILE.")
    if ranking is None:
        waiting = track.runs.exclude(state__in=Run.FINAL).count()
        s = "" if waiting == 1 else "s"
        remedy = "start a worker, or use work_off" if waiting else "submit something first"
        raise CommandError(f"{track}: nothing ranked yet: {waiting} run{s} waiting; {remedy}.")
    return ranking


def _interval(row: Mapping[str, Any]) -> str:
    low, high = row.get("rank_low"), row.get("rank_high")
    return "" if low is None else f"{low}-{high}"


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _digits(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"

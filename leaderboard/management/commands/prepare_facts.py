"""`manage.py prepare_facts BENCHMARK`: take the references of a release apart, once per judge."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet
from rich.console import Console
from rich.progress import Progress

from leaderboard.models import Release, Track
from leaderboard.pipeline.facts import prepare_references
from scoring.types import ScoringError

SHOWN = 20  # clips named for one judge


class Command(BaseCommand):
    """Run it where the judge's worker runs: it asks the judge, and fills that worker's cache."""

    help = (
        "Have the judges of a benchmark's tracks of facts take its references apart, ahead of any "
        "submission; names the references that state no facts or that a judge fails on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Which tracks, and by whom."""
        parser.add_argument("benchmark", metavar="BENCHMARK", help="slug, as in its address")
        parser.add_argument("--release", metavar="V", help="default: the newest published one")
        parser.add_argument(
            "--track", metavar="SLUG", help="default: every track of facts that scores uploads"
        )
        parser.add_argument("--judge", metavar="NAME", help="default: every judge of the track")

    def handle(self, *args: Any, **options: Any) -> None:
        """Track by track and judge by judge; at the end fail if anything is not ready."""
        tracks = _tracks(options["benchmark"], options["release"], options["track"])
        faulty = 0
        for track in tracks:
            for judge in [options["judge"]] if options["judge"] else track.judges:
                faulty += not self._prepared(track, judge)
        if faulty:
            raise CommandError("Not everything is ready: see above. What is ready is kept.")

    def _prepared(self, track: Track, judge: str) -> bool:
        title = f"{track.slug}, {judge}"
        try:
            problems = _prepare(track, judge, title)
        except ScoringError as error:
            self.stderr.write(f"{title}: {error}")
            return False
        clips = track.release.clips.scored().count()
        self.stdout.write(f"{title}: references of {clips - len(problems)} of {clips} clips ready")
        for clip, problem in list(problems.items())[:SHOWN]:
            self.stderr.write(f"  {clip}: {problem}")
        if len(problems) > SHOWN:
            self.stderr.write(f"  and {len(problems) - SHOWN} clips more")
        return not problems


def _prepare(track: Track, judge: str, title: str) -> dict[str, str]:
    """With a bar on a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=None)
        return prepare_references(
            track, judge, lambda done, total: bar.update(task, completed=done, total=total)
        )


def _tracks(benchmark: str, version: str | None, slug: str | None) -> QuerySet[Track]:
    releases = Release.objects.filter(benchmark__slug=benchmark).order_by("-published_at", "-pk")
    release = (releases.filter(version=version) if version else releases.published()).first()
    if release is None:
        there = ", ".join(str(one) for one in Release.objects.select_related("benchmark")) or "none"
        raise CommandError(f"There is no such release of {benchmark!r}; there is: {there}.")
    of_facts = release.tracks.filter(protocol=Track.Protocol.FACTS)
    found = of_facts.filter(slug=slug) if slug else of_facts.open()
    if not found:
        there = ", ".join(of_facts.values_list("slug", flat=True)) or "none"
        raise CommandError(
            f"{release} has no such track of facts, or none that scores uploads; "
            f"tracks of facts, to be named by --track: {there}."
        )
    return found.select_related("release__benchmark")

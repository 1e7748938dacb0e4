"""`manage.py work_off`: run a worker until nothing waits to be scored, then stop it."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from leaderboard.models import Ranking, Run

if TYPE_CHECKING:
    from collections.abc import Iterator

POLL_SECONDS = 0.3
# After the last run a ranking is still computed; it is a message of its own.
WORKER = ("-m", "celery", "--app", "leaderboard", "worker", "--pool", "solo", "--loglevel", "INFO")


class Command(BaseCommand):
    """Used by `make demo` and by scripts that need the numbers before they go on."""

    help = "Run a Celery worker until every waiting run is scored and ranked, then stop it."

    def add_arguments(self, parser: Any) -> None:
        """How long to wait at most, and where the worker's log goes."""
        parser.add_argument("--timeout", type=float, default=3600, help="seconds (default: 3600)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do nothing when nothing waits."""
        if not _waiting():
            return
        deadline = time.monotonic() + options["timeout"]
        console = Console(stderr=True)
        log = settings.DATA_DIR / "work_off.log"
        with _worker(log) as worker, console.status("Scoring ...") as status:
            while runs := _waiting():
                status.update(f"Scoring: {runs} run{'s' if runs > 1 else ''} to go")
                if worker.poll() is not None:
                    raise CommandError(f"the worker ended by itself; see {log}")
                if time.monotonic() > deadline:
                    raise CommandError(f"{runs} runs are still waiting; see {log}")
                time.sleep(POLL_SECONDS)
            status.update("Ranking ...")
            _wait_for_rankings(deadline)
        console.print(f"Scored: {Run.objects.done().count()} runs done.")


@contextmanager
def _worker(log: Any) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("ab") as file:
        process = subprocess.Popen([sys.executable, *WORKER], stdout=file, stderr=file)  # noqa: S603
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()


def _waiting() -> int:
    return Run.objects.exclude(state__in=Run.FINAL).count()


def _wait_for_rankings(deadline: float) -> None:
    """Until each scored track has a ranking newer than its last finished run."""
    while time.monotonic() < deadline:
        last = dict(Run.objects.done().order_by("finished_at").values_list("track", "finished_at"))
        newest = dict(Ranking.objects.order_by("computed_at").values_list("track", "computed_at"))
        if all(track in newest and newest[track] >= moment for track, moment in last.items()):
            return
        time.sleep(POLL_SECONDS)
    raise CommandError("the ranking was not computed in time")

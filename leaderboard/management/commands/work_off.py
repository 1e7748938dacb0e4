"""`manage.py work_off`: run a worker until nothing waits to be scored, then stop it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from leaderboard.models import Batch, Run
from leaderboard.pipeline import rank

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POLL_SECONDS = 0.3
WORKER = ("-m", "celery", "--app", "leaderboard", "worker", "--loglevel", "INFO")


class Command(BaseCommand):
    """Used by `make demo` and by scripts that need the numbers before they go on."""

    help = "Run a Celery worker until every waiting run is scored and ranked, then stop it."

    def add_arguments(self, parser: Any) -> None:
        """How long to wait at most."""
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
        # The worker ranks as it goes; this makes sure of it where it was stopped just before.
        for track in rank.stale_tracks():
            rank.rank_track(track)
        console.print(f"Scored: {_ended()}.")


@contextmanager
def _worker(log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker for as long as the block runs, also when this process is told to end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
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


def _ended() -> str:
    """How the runs have ended: ``45 runs done, 1 incomplete, 0 failed``."""
    counts = {state: Run.objects.filter(state=state).count() for state in Run.FINAL}
    return (
        f"{counts[Run.State.DONE]} runs done, {counts[Run.State.INCOMPLETE]} incomplete, "
        f"{counts[Run.State.FAILED]} failed"
    )


def _waiting() -> int:
    return Run.objects.exclude(state__in=Run.FINAL).count() + Batch.objects.open().count()

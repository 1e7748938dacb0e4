"""How many submissions a minute one to four worker processes score, from start to ranking.

    python infra/bench/throughput.py                                   SQLite, broker of files
    python infra/bench/throughput.py --broker redis://127.0.0.1:6379/9 \\
        --database postgres://user:password@127.0.0.1/empty

Each round starts its workers on an empty queue, waits until all are ready, and then hands in its
submissions at once: 50 clips of six sentences, scored by the judge of character n-grams, all texts
new. Counted is the time from the first run's start to the last run's end, and to the ranking that
holds all of them. Database and broker have to be on this machine and nobody else's: what the
database holds is deleted.
"""

# ruff: noqa: PLC0415 - Django is set up over its own database before anything of it is imported
from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

if not __package__:  # in place of the folder of this script
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from infra.bench import loaded_site

PATIENCE = 300
"""Seconds after which a round is given up."""


def hand_in(release: Any, user: Any, first: int, number: int) -> list[Any]:
    """Submissions, through the intake, whose messages leave together."""
    from django.db import transaction

    from leaderboard.intake import Named, receive

    with transaction.atomic():
        return [
            receive(
                release=release,
                user=user,
                system=Named(f"System {seed}", {}),
                data=json.dumps(loaded_site.texts(seed)).encode(),
                filename="made-up.json",
            )
            for seed in range(first, first + number)
        ]


def finished(submissions: list[Any]) -> tuple[float, float]:
    """Seconds from the first run's start to the last one's end, and to the ranking of them all."""
    from leaderboard.models import Ranking, Run

    runs = Run.objects.filter(submission__in=submissions)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        time.sleep(0.25)
        if runs.exclude(state=Run.State.DONE).exists():
            continue
        ranked = Ranking.objects.order_by("-computed_at").first()
        ends = list(runs.values_list("started_at", "finished_at"))
        shown = {row["submission"] for row in ranked.rows} if ranked else set()
        if ranked and {str(one.pk) for one in submissions} <= shown:
            start = min(started for started, _ in ends)
            scored = max(end for _, end in ends) - start
            return scored.total_seconds(), (ranked.computed_at - start).total_seconds()
    states = list(runs.values_list("state", flat=True))
    raise SystemExit(f"not done in {PATIENCE} s: {dict.fromkeys(states)}")


def ready(workers: int, logs: list[Path]) -> None:
    """Return when every worker has said so."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if sum("ready." in log.read_text() for log in logs if log.exists()) == workers:
            return
        time.sleep(0.25)
    raise SystemExit("workers did not start: " + logs[0].read_text()[-2000:])


def one_round(
    told: dict[str, str], folder: Path, release: Any, user: Any, *, workers: int, number: int
) -> tuple[float, float]:
    """One row of the table."""
    command = (
        "celery", "--app", "leaderboard", "worker", "--loglevel", "INFO", "--pool", "solo",
        "--queues", f"judge.{loaded_site.JUDGE},default",
    )  # fmt: skip
    logs = [folder / f"worker-{workers}-{n}.log" for n in range(workers)]
    with ExitStack() as stack:
        for n, log in enumerate(logs):
            named = (*command, "--hostname", f"w{workers}-{n}@%h")
            stack.enter_context(loaded_site.process(*named, told=told, log=log))
        ready(workers, logs)
        return finished(hand_in(release, user, 1 + 10_000 * workers, number))


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--submissions", type=int, default=60, choices=range(1, 501), metavar="N")
    options.add_argument(
        "--most", type=int, default=4, choices=range(1, 9), metavar="N", help="workers"
    )
    options.add_argument("--database", default="")
    options.add_argument("--broker", default="")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        told = loaded_site.environment(folder, database=asked.database, broker=asked.broker)
        loaded_site.set_up(told)
        from django.contrib.auth.models import User
        from django.db import connection

        release = loaded_site.small_benchmark()
        user = User.objects.create_user("submitter")
        print(loaded_site.machine())
        print(f"{asked.submissions} submissions a round, {connection.vendor}, "
              f"{(asked.broker or 'filesystem').split(':')[0]}\n")  # fmt: skip
        print("| workers | all scored s | all ranked s | submissions a minute |")
        print("|---|---|---|---|")
        for workers in range(1, asked.most + 1):
            scored, ranked = one_round(
                told, folder, release, user, workers=workers, number=asked.submissions
            )
            rate = 60 * asked.submissions / max(scored, ranked)
            print(f"| {workers} | {scored:.1f} | {ranked:.1f} | {rate:.0f} |", flush=True)


if __name__ == "__main__":
    main()

"""Does the site still serve a board of 10,000 systems, 1,000 clips and 5 judges?

    python infra/bench/large_board.py --keep DIR        the database stays in DIR, for another time
    python infra/bench/large_board.py --database postgres://user:password@127.0.0.1/empty

The board is made up (``made_up_board.py``): one row per run and metric, each the values of all
clips. Printed are what the database holds, the time and memory of ranking it all again in a
process of its own after one more submission, what a sweep costs, and every kind of page of it,
served by one process of gunicorn: uncached once, cached four times, with the memory that the
process has asked for by then. What a page leaves to a worker (202) is computed meanwhile, in a
process of its own.
"""

# ruff: noqa: PLC0415 - Django is set up over its own database before anything of it is imported
from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

if not __package__:  # in place of the folder of this script
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from infra.bench import loaded_site, made_up_board, web

PAGES = {
    "home": "/",
    "benchmark": "/b/bench/",
    "ranking": web.PAGE,
    "ranking, page 50": f"{web.PAGE}?page=50",
    "ranking, every row": f"{web.PAGE}?rows=all",
    "ranking, one category of clips": f"{web.PAGE}?category=Sport",
    "system": "/systems/system-0007/",
    "system's summary": f"{web.PAGE}systems/system-0007/",
    "system's history": f"{web.PAGE}history/system-0007/",
    "list of clips": "/b/bench/1.0/clips/",
    "clip": "/b/bench/1.0/clips/clip-0000/",
    "compare two": f"{web.PAGE}compare/?system=system-0003&system=system-0007",
    "explore": f"{web.PAGE}explore/",
    "explore, one category of clips": f"{web.PAGE}explore/?category=Sport",
    "relations": f"{web.PAGE}relations/",
    "claims": f"{web.PAGE}claims/",
    "reliability": f"{web.PAGE}reliability/",
    "history": f"{web.PAGE}history/",
    "search": "/search/?q=system+12",
    "badge": f"{web.PAGE}badge/system-0007.svg",
    "export as CSV": f"{web.PAGE}export.csv",
    "export as JSON": f"{web.PAGE}export.json",
}


PATIENCE = 600
"""Seconds for a page, on a busy machine."""


def sizes() -> None:
    """Rows and bytes of what grows; tables that were chosen another time go."""
    from django.db.models import Count, Sum
    from django.db.models.functions import Length

    from leaderboard.models import ChosenTable, Digest, Ranking, Run, ScoreVector

    ChosenTable.objects.all().delete()  # of another time
    vectors = ScoreVector.objects.aggregate(rows=Count("pk"), bytes=Sum(Length("data")))
    print(
        f"{Run.objects.count():,} runs; {vectors['rows']:,} score vectors of "
        f"{vectors['bytes'] / 1e6:,.0f} MB"
    )
    newest = Ranking.objects.latest("computed_at")
    inputs, rows = (len(json.dumps(part)) for part in (newest.inputs, newest.rows))
    print(f"the newest ranking: {len(newest.rows):,} rows of {rows / 1e6:.1f} MB, "
          f"inputs of {inputs / 1e6:.1f} MB, "
          f"arrays of {len(Digest.objects.get(ranking=newest).arrays) / 1e6:.1f} MB")  # fmt: skip


def one_more() -> None:
    """A submission of a new system, scored by all judges."""
    from django.utils import timezone

    from leaderboard import models

    track = models.Track.objects.select_related("release").get(slug="main")
    now = timezone.now()
    name = f"late-{now:%H%M%S%f}"
    system = models.System.objects.create(slug=name, name=name)
    submission = models.Submission.objects.create(
        release=track.release, system=system, file="x", original_name="x.json", format="json",
        size=1, sha256="0" * 64, published_at=now,
    )  # fmt: skip
    runs = [
        models.Run.objects.create(
            track=track, submission=submission, judge=judge, state="done", queued_at=now,
            finished_at=now, signature=f"cliprank:0.1|semantic:1|judge:{judge}",
        )
        for judge in track.judges
    ]  # fmt: skip
    made_up_board.vectors(runs, 1, len(track.judges), track.release.clips.count())


def rank_again(told: dict[str, Any], results: Any) -> None:
    """In a process of its own: seconds by the clock and of the processor, and its peak memory."""
    web.set_up(Path(told["folder"]), told["database"])
    from leaderboard.models import Track
    from leaderboard.pipeline.rank import rank_track

    start, begun = time.perf_counter(), time.process_time()
    rank_track(Track.objects.get(slug="main").pk)
    results.put((time.perf_counter() - start, time.process_time() - begun, peak("self")))


def compute_tables(told: dict[str, Any], results: Any) -> None:
    """The same of what pages have left to a worker."""
    web.set_up(Path(told["folder"]), told["database"])
    from leaderboard.models import ChosenTable
    from leaderboard.tables.larger import compute

    start, begun = time.perf_counter(), time.process_time()
    for pk in ChosenTable.objects.waiting().values_list("pk", flat=True):
        compute(pk)
    results.put((time.perf_counter() - start, time.process_time() - begun, peak("self")))


def apart(work: Any, told: dict[str, Any]) -> str:
    """What a process of its own says of its work."""
    from django.db import connections

    connections.close_all()
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    worker = context.Process(target=work, args=(told, results))
    worker.start()
    clock, processor, memory = results.get()
    worker.join()
    return f"{clock:.0f} s, {processor:.0f} s of processor, {memory} MiB at most"


def sweeps() -> None:
    """Milliseconds of processor for finding out that the ranking is up to date: at first, again."""
    from django.core.cache import cache

    from leaderboard.pipeline.rank import stale_tracks

    cache.clear()
    took = []
    for _ in range(2):
        begun = time.process_time()
        stale_tracks()
        took.append(1000 * (time.process_time() - begun))
    print(f"a sweep looks {took[0]:.0f} ms at first, {took[1]:.0f} ms again", flush=True)


def peak(pid: int | str) -> int:
    """The most memory that a process has held, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


def timed(site: web.Served, address: str, *, cached: bool) -> tuple[float, float]:
    """Milliseconds by the clock and of the processor: of one answer without a cache, of the
    quickest of four with one.
    """
    from django.core.cache import cache

    if not cached:
        cache.clear()
    found = []
    for _ in range(4 if cached else 1):
        start, begun = time.perf_counter(), site.worked()
        site.get(address)
        found.append((1000 * (time.perf_counter() - start), 1000 * (site.worked() - begun)))
    return min(found)


def pages(told: dict[str, Any]) -> None:
    """One line for each kind of page."""
    site = web.Served()
    site.connection.timeout = PATIENCE
    site.connection.close()  # the next request opens it with that patience
    print("\n| page | status | uncached ms | processor | cached ms | processor | kB | peak MiB |")
    print(f"|{'---|' * 8}")
    try:
        for title, address in PAGES.items():
            status, body = site.get(address)
            if status == 202:
                said = f"{status}, then {{}} after a worker's {apart(compute_tables, told)}"
                status, body = site.get(address)
                title += f" ({said.format(status)})"  # noqa: PLW2901
            kinds = [timed(site, address, cached=cached) for cached in (False, True)]
            times = " | ".join(f"{one:.0f}" for kind in kinds for one in kind)
            print(f"| {title} | {status} | {times} | {len(body) / 1e3:.0f} "
                  f"| {peak(site.worker)} |", flush=True)  # fmt: skip
    finally:
        site.stop()


def main() -> None:
    """Build, rank, serve."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--systems", type=int, default=10_000)
    options.add_argument("--judges", type=int, default=5, choices=range(1, 6))
    options.add_argument("--clips", type=int, default=1000)
    options.add_argument("--database", default="", help="an empty one on this machine")
    options.add_argument("--keep", type=Path, help="a folder for the database")
    asked = options.parse_args()
    if asked.database:
        loaded_site.loopback(asked.database)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        web.set_up(folder, asked.database)
        from leaderboard.models import Benchmark

        print(loaded_site.machine(), flush=True)
        if not Benchmark.objects.exists():
            made_up_board.build(asked.systems, asked.judges, asked.clips)
        sizes()
        one_more()
        told = {"folder": str(folder), "database": asked.database}
        print(f"ranked again in {apart(rank_again, told)}", flush=True)
        sweeps()
        pages(told)


if __name__ == "__main__":
    main()

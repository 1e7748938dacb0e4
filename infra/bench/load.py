"""Readers and submitters on a real web process: requests a second, and how long they take.

    python infra/bench/load.py                              8 readers, 2 submitters, 20 seconds
    python infra/bench/load.py --readers 32 --submitters 0 --seconds 30
    python infra/bench/load.py --database postgres://user:password@127.0.0.1/empty
    python infra/bench/load.py --site http://127.0.0.1:8000 --page / --page /b/sample/

It starts a site of its own (gunicorn as the image runs it, one worker that scores, SQLite unless a
database is named) with a scored board of 200 systems, and lets everybody ask as fast as answers
come: readers follow the pages in turn, submitters upload files of 50 clips by the API, no two
alike. With ``--site`` it reads a site that runs. Only this machine is ever asked, by at most 64
clients, for at most two minutes and 100,000 requests; the clients take part of the same two cores.
"""

# ruff: noqa: PLC0415 - Django is set up over its own database before anything of it is imported
from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import numpy as np

if not __package__:  # in place of the folder of this script
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from infra.bench import loaded_site, made_up_board, web

MOST_CLIENTS, MOST_SECONDS, MOST_REQUESTS = 64, 120, 100_000
PAGES = {
    "home": "/",
    "ranking": web.PAGE,
    "ranking, sorted": f"{web.PAGE}?sort=-{made_up_board.JUDGES[0]}",
    "ranking as JSON": "/api/v1/benchmarks/bench",
    "clip": "/b/bench/1.0/clips/clip-0000/",
    "system": "/systems/system-0007/",
    "compare": f"{web.PAGE}compare/?systems=system-0003&systems=system-0007",
    "export as CSV": f"{web.PAGE}export.csv",
    "search": "/search/?q=system+12",
}


class Load:
    """Clients that ask until the time or the requests are used up, and what they saw."""

    def __init__(self, site: str, seconds: float, requests: int) -> None:
        self.site = loaded_site.loopback(site)
        self.seconds = min(seconds, MOST_SECONDS)
        self.left = min(requests, MOST_REQUESTS)
        self.times: dict[str, list[float]] = defaultdict(list)
        self.faults: dict[str, int] = defaultdict(int)
        self.took = 0.0

    async def run(self, readers: int, pages: dict[str, str], files: list[Any]) -> None:
        """``files`` has for each submitter its token and the names and files that it sends."""
        start = time.perf_counter()
        self.until = start + self.seconds
        limits = httpx2.Limits(max_connections=MOST_CLIENTS)
        async with httpx2.AsyncClient(base_url=self.site, timeout=60, limits=limits) as client:
            turns = [list(pages.items())[n % len(pages) :] for n in range(readers)]
            await asyncio.gather(
                *(self._read(client, [*turn, *pages.items()]) for turn in turns),
                *(self._submit(client, token, made) for token, made in files),
            )
        self.took = time.perf_counter() - start

    async def _read(self, client: httpx2.AsyncClient, pages: list[tuple[str, str]]) -> None:
        for title, address in itertools.cycle(pages):
            if not await self._timed(title, 200, client.get(address)):
                return

    async def _submit(self, client: httpx2.AsyncClient, token: str, files: Any) -> None:
        for name, data in files:
            sent = client.post(
                "/api/v1/benchmarks/load/submissions",
                headers={"Authorization": f"Bearer {token}"},
                data={"system": name},
                files={"file": (f"{name}.json", data)},
            )
            if not await self._timed("submission", 201, sent):
                return

    async def _timed(self, title: str, expected: int, asked: Any) -> bool:
        if self.left <= 0 or time.perf_counter() > self.until:
            asked.close()
            return False
        self.left -= 1
        start = time.perf_counter()
        try:
            answer = await asked
        except httpx2.HTTPError as error:
            self.faults[f"{title}: {type(error).__name__}"] += 1
            return True
        if answer.status_code == expected:
            self.times[title].append(1000 * (time.perf_counter() - start))
        else:
            self.faults[f"{title}: {answer.status_code}"] += 1
        return True

    def report(self) -> str:
        """A table in Markdown, times in milliseconds, and what went wrong."""
        kinds = {**self.times, "all": [one for of in self.times.values() for one in of]}
        lines = [
            "| request | number | a second | p50 ms | p95 ms | p99 ms |",
            "|---|---|---|---|---|---|",
        ]
        for title, times in kinds.items():
            at = np.percentile(times, [50, 95, 99]) if times else np.full(3, np.nan)
            ends = " | ".join(f"{one:.0f}" for one in at)
            lines.append(f"| {title} | {len(times)} | {len(times) / self.took:.1f} | {ends} |")
        said = ", ".join(f"{count} x {fault}" for fault, count in self.faults.items())
        return "\n".join([*lines, "", f"errors: {said or 'none'}"])


def submitters(number: int, each: int) -> list[tuple[str, list[tuple[str, bytes]]]]:
    """Users with a token, and the files that each will send."""
    from django.contrib.auth.models import User

    from leaderboard.models import ApiToken

    made = []
    for n in range(number):
        user = User.objects.create_user(f"submitter-{n}")
        _, secret = ApiToken.objects.issue(user=user, name="load", scope=ApiToken.Scope.SUBMIT)
        seeds = range(1 + n * each, 1 + (n + 1) * each)
        files = [(f"Load {k}", json.dumps(loaded_site.texts(k)).encode()) for k in seeds]
        made.append((secret, files))
    return made


def own_site(stack: ExitStack, asked: argparse.Namespace) -> tuple[str, list[Any]]:
    """The address of a started site, and what is submitted there."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    told = loaded_site.environment(folder, database=asked.database, broker=asked.broker)
    loaded_site.set_up(told)
    made_up_board.build(asked.systems, 5, 200)
    loaded_site.small_benchmark()
    files = submitters(asked.submitters, 500)
    from django.db import connections

    connections.close_all()
    if asked.submitters:
        worker = ("celery", "--app", "leaderboard", "worker", "--loglevel", "WARNING")
        stack.enter_context(loaded_site.process(*worker, told=told, log=folder / "worker.log"))
    started = loaded_site.gunicorn(told, folder, workers=asked.workers, threads=asked.threads)
    return stack.enter_context(started), files


def main() -> None:
    """Start, load, print."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--readers", type=int, default=8, choices=range(MOST_CLIENTS + 1))
    options.add_argument("--submitters", type=int, default=2, choices=range(9))
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--requests", type=int, default=MOST_REQUESTS)
    options.add_argument("--systems", type=int, default=200)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--threads", type=int, default=4)
    options.add_argument("--database", default="", help="an empty one on this machine")
    options.add_argument("--broker", default="", help="Redis or RabbitMQ on this machine")
    options.add_argument("--site", default="", help="read this running site instead")
    options.add_argument("--page", action="append", help="with --site: what is read")
    asked = options.parse_args()
    with ExitStack() as stack:
        if asked.site:
            loaded_site.loopback(asked.site)
            pages = {page: page for page in asked.page or ["/"]}
            site, files = asked.site, []
        else:
            pages = PAGES
            site, files = own_site(stack, asked)
        print(loaded_site.machine())
        once = Load(site, 60, len(pages))
        asyncio.run(once.run(1, pages, []))  # what each process does once: imports, templates
        load = Load(site, asked.seconds, asked.requests)
        asyncio.run(load.run(asked.readers, pages, files))
        print(f"{asked.readers} readers, {len(files)} submitters, {load.took:.0f} s\n")
        print(load.report())


if __name__ == "__main__":
    main()

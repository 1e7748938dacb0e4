"""Time the pages of a large board, served by gunicorn, in a database made for it.

    python infra/bench/web.py                         1000 systems, 5 judges, 1000 clips, SQLite
    python infra/bench/web.py --database postgres:///bench    an empty database, which is filled
    python infra/bench/web.py --systems 100 --clips 200
    python infra/bench/web.py --keep DIR              leave the database in DIR, or use that there
    python infra/bench/web.py --in-process            through Django's own client

Systems, clips, runs and score vectors are made up and stored as a worker stores them, and the board
is ranked by the worker's own function. Of the metrics HM-CF and Coarse have values. Every page is
asked for with an empty cache (uncached) and then again (cached), by a client that keeps its
connection on loopback. Times are medians over several such rounds in milliseconds by the clock, up
to the last byte, and means of the processor time of the process that answers. Bytes are of gzip
level 6. The first clip alone has descriptions and matches of every system.
"""

# ruff: noqa: PLC0415 - Django is set up over its own database before anything of it is imported
from __future__ import annotations

import argparse
import gzip
import http.client
import os
import platform
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

if not __package__:  # in place of the script's folder, where one is named like a standard module
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from infra.bench.made_up_board import JUDGES, build

ROOT = Path(__file__).resolve().parents[2]
PAGE = "/b/bench/1.0/main/"


def set_up(folder: Path, database: str = "") -> None:
    """Django over a database of its own, for this process and those that it starts."""
    os.environ |= {
        "DATA_DIR": str(folder),
        "DATABASE_URL": database or f"sqlite:///{folder / 'db.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
        "STATICFILES_STORAGE": "django.contrib.staticfiles.storage.StaticFilesStorage",
        "ALLOWED_HOSTS": "testserver,localhost,127.0.0.1",
        "LOG_LEVEL": "ERROR",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


class InProcess:
    """Django's own client: no server, no network."""

    def __init__(self) -> None:
        from django.test import Client

        self.client = Client()

    def get(self, address: str) -> tuple[int, bytes]:
        """Status and body."""
        answer = self.client.get(address)
        return answer.status_code, b"".join(answer) if answer.streaming else answer.content

    def worked(self) -> float:
        """Seconds of processor time until now."""
        return time.process_time()


class Served:
    """One process of gunicorn with four threads, asked over one connection."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        command = ["gunicorn", "leaderboard.wsgi", "--bind", f"127.0.0.1:{self.port}"]
        command += ["--threads", "4", "--keep-alive", "60", "--no-control-socket"]
        self.process = subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for _ in range(300):
            try:
                self.get("/")
            except OSError:
                time.sleep(0.1)
                continue
            break
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        self.worker = int(children.read_text().split()[0])

    def get(self, address: str) -> tuple[int, bytes]:
        """Status and body."""
        try:
            self.connection.request("GET", address)
            answer = self.connection.getresponse()
        except OSError:
            self.connection.close()
            raise
        return answer.status, answer.read()

    def worked(self) -> float:
        """Seconds of processor time until now, to the kernel's tick (a hundredth of one)."""
        times = Path(f"/proc/{self.worker}/stat").read_text().rpartition(")")[2].split()
        return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(20)


def queries(address: str) -> int:
    """How many the page takes; counted apart in this process, since counting takes time."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as found:
        Client().get(address)
    return len(found)


def rounds_of(
    site: InProcess | Served, address: str, rounds: int, *, cached: bool
) -> tuple[float, float, bytes]:
    """Median milliseconds by the clock, mean of the processor, and the body of the last answer."""
    from django.core.cache import cache

    took, worked, body = [], 0.0, b""
    for _ in range(rounds):
        if not cached:
            cache.clear()
        start, begun = time.perf_counter(), site.worked()
        status, body = site.get(address)
        took.append(time.perf_counter() - start)
        worked += site.worked() - begun
        if status != 200:
            raise SystemExit(f"{address} answered {status}: {body[:200]!r}")
    return 1000 * float(np.median(took)), 1000 * worked / rounds, body


def measure(site: InProcess | Served, title: str, address: str, rounds: int) -> bytes:
    """Print one line of the table; the body is handed back."""
    from django.core.cache import cache

    cold, cold_worked, body = rounds_of(site, address, rounds, cached=False)
    site.get(address)
    warm, warm_worked, _ = rounds_of(site, address, 4 * rounds, cached=True)
    cache.clear()
    counts = queries(address), queries(address)
    print(
        f"| {title} | {cold:.0f} | {cold_worked:.0f} | {warm:.1f} | {warm_worked:.1f} "
        f"| {counts[0]} | {counts[1]} "
        f"| {len(body) / 1e3:.0f} | {len(gzip.compress(body, 6)) / 1e3:.0f} |",
        flush=True,
    )
    return body


def assets(html: str) -> float:
    """Kilobytes, compressed, of the style sheets and scripts that a page names before charts."""
    from django.contrib.staticfiles import finders

    names = re.findall(r'(?:href|src)="/static/([^"]+\.(?:css|js))"', html)
    found = [finders.find(name) for name in dict.fromkeys(names)]
    return sum(len(gzip.compress(Path(path).read_bytes(), 6)) for path in found if path) / 1e3


def pages(site: InProcess | Served, rounds: int) -> None:
    """Measure and print."""
    print("| page | uncached ms | of processor | cached ms | of processor | queries | cached "
          "| kB | gzip kB |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    site.get("/")  # what a process does once: imports, templates
    html = measure(site, "ranking", PAGE, rounds)
    measure(site, "ranking, sorted by a judge", f"{PAGE}?sort=-{JUDGES[0]}", rounds)
    measure(site, "ranking, all metrics", f"{PAGE}?metric=all", rounds)
    measure(site, "ranking, every row", f"{PAGE}?rows=all", rounds)
    measure(site, "one family of 60", f"{PAGE}?family=Family+7", rounds)
    measure(site, "clip", "/b/bench/1.0/clips/clip-0000/", rounds)
    measure(site, "export as CSV", f"{PAGE}export.csv", 2)
    print(f"\nstyle sheets and scripts before charts: {assets(html.decode()):.0f} kB gzip")


def main() -> None:
    """Build, measure, print."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--systems", type=int, default=1000)
    options.add_argument("--judges", type=int, default=5, choices=range(1, 6))
    options.add_argument("--clips", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--database", default="", help="address of an empty one; default: SQLite")
    options.add_argument("--keep", type=Path, help="a folder for the database")
    options.add_argument("--in-process", action="store_true", help="without gunicorn")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        set_up(folder, asked.database)
        from django.db import connection

        from leaderboard.models import Benchmark

        start = time.perf_counter()
        if not Benchmark.objects.exists():
            build(asked.systems, asked.judges, asked.clips)
        print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
              f"load {os.getloadavg()[0]:.1f}; Python {platform.python_version()}; "
              f"{connection.vendor}; {'in process' if asked.in_process else 'gunicorn'}"
              )  # fmt: skip
        print(f"{asked.systems} systems, {asked.judges} judges, {asked.clips} clips, "
              f"built in {time.perf_counter() - start:.0f} s\n")  # fmt: skip
        if asked.in_process:
            pages(InProcess(), asked.rounds)
            return
        site = Served()
        try:
            pages(site, asked.rounds)
        finally:
            site.stop()


if __name__ == "__main__":
    main()

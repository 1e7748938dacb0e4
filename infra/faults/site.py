"""A small site in a folder of its own, driven by real processes, and what is to hold of it."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg2

from infra.faults.clients import Upload, send_all
from infra.faults.servers import Server, until

ROOT = Path(__file__).resolve().parent.parent.parent
INSIDE = Path(__file__).with_name("inside.py")
SETTLE_SECONDS = 600
# The settings as they are, and a judge that takes its time.
SETTINGS = """
from leaderboard.settings import *
CELERY_IMPORTS = [*CELERY_IMPORTS, "tests.support.slow_judge"]
"""


class Site:
    """One benchmark of six clips and the judge ``char-tfidf``; nothing of it is shared.

    Times are short: a run silent for 3 seconds is taken back, and workers sweep every second.
    """

    def __init__(
        self, folder: Path, *, database: str = "", broker: str = "", made: bool = False, **more: str
    ) -> None:
        """``made`` says that database and files are there already, as a copy of another site's."""
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.database = database
        (folder / "disturbed.py").write_text(SETTINGS)
        self.environment = os.environ | {
            "DATA_DIR": str(folder),
            "API_RATE": "",
            "UPLOAD_RATE": "",
            "DATABASE_URL": database or f"sqlite:///{folder}/db.sqlite3",
            "CELERY_BROKER_URL": broker or "filesystem://",
            "DJANGO_SETTINGS_MODULE": "disturbed",
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)]),
            "RUN_SILENCE_SECONDS": "3",
            "SWEEP_SECONDS": "1",
            "OMP_NUM_THREADS": "1",
            "LOG_LEVEL": "WARNING",
        }
        self.environment |= more
        self.workers: list[subprocess.Popen[bytes]] = []
        self.servers: list[Server] = []
        self.mounted = False
        self.begun_once = False
        if not made:
            self.inside("set-up")

    def inside(self, *words: object) -> Any:
        """What ``inside.py`` answers to a command and its arguments, in a process of the site."""
        return self.together(words)[0]

    def together(self, *commands: tuple[object, ...]) -> list[Any]:
        """Several commands in one process, which is quicker."""
        words = [str(word) for command in commands for word in (*command, "+")]
        done = subprocess.run(
            [sys.executable, str(INSIDE), *words[:-1]],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{words}: {done.stderr[-3000:]}")
        return [json.loads(line) for line in done.stdout.splitlines()[-len(commands) :]]

    def worker(self, *options: str, **environment: str) -> subprocess.Popen[bytes]:
        """`cliprank-worker`, as an operator starts it."""
        command = [sys.executable, "-m", "leaderboard.worker_command", "--cpu"]
        name = ["--name", f"w{len(self.workers)}@%h"]
        with (self.folder / "worker.log").open("ab") as log:
            process = subprocess.Popen(
                [*command, "--judge", "char-tfidf", *name, *options],
                cwd=self.folder,
                env=self.environment | environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.workers.append(process)
        return process

    @contextmanager
    def working(self, *options: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
        """A worker for as long as the block runs; then all workers are ended."""
        try:
            yield self.worker(*options, **environment)
        finally:
            self.end_workers()

    def end_workers(self) -> None:
        """Ask all to stop, and end those that do not."""
        for process in self.workers:
            if process.poll() is None:
                process.terminate()
        for process in self.workers:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                kill(process)
        self.workers.clear()

    def close(self) -> None:
        """End its workers and the servers that are its own."""
        self.end_workers()
        for server in self.servers:
            server.stop()
        if self.mounted:
            subprocess.run(["umount", str(self.folder)], check=True)

    def upload(self, count: int, **options: object) -> dict[str, int]:
        """So many files by one submitter, at once; how many were accepted, and refused why."""
        chosen = [f"{name}={value}" for name, value in options.items()]
        answer: dict[str, int] = self.inside("upload", count, *chosen)
        return answer

    def send(self, count: int, *, limit: int, threads: int) -> Counter[str]:
        """So many files over HTTP, at once, by several people with a quota of ``limit`` each; how
        often each answer came.
        """
        people = self.inside("people", limit)
        tokens, texts = people["tokens"], people["texts"]
        uploads = [
            Upload(tokens[n % len(tokens)], f"sent-{n}", texts[n % len(texts)])
            for n in range(count)
        ]
        web = Web(self)
        web.start()
        try:
            return send_all(web.url, uploads, threads)
        finally:
            web.stop()

    def settled(self, seconds: float = SETTLE_SECONDS) -> dict[str, int]:
        """Wait until no run is open and no ranking behind, and say what is the case then."""
        deadline = time.monotonic() + seconds
        while self.runs("queued", "running") and time.monotonic() < deadline:
            if all(worker.poll() is not None for worker in self.workers):
                raise RuntimeError(f"no worker is left: {self.log()}")
            time.sleep(0.1)
        answer: dict[str, int] = self.inside("settled", max(5, deadline - time.monotonic()))
        return answer

    def runs(self, *states: str) -> int:
        """How many runs are in one of these states, asked behind the site's back."""
        sql = "SELECT state, count(*) FROM leaderboard_run GROUP BY state"
        try:
            if self.database:
                connection: Any = psycopg2.connect(self.database, connect_timeout=2)
            else:
                connection = sqlite3.connect(self.folder / "db.sqlite3", timeout=30)
        except psycopg2.OperationalError:
            return -1
        with closing(connection), closing(connection.cursor()) as cursor:
            cursor.execute(sql)
            return sum(count for state, count in cursor.fetchall() if state in states)

    def until(self, states: tuple[str, ...], count: int, seconds: float = 60) -> None:
        """Wait until at least so many runs are in one of these states."""
        until(lambda: self.runs(*states) >= count, seconds, self.log)

    def log(self) -> str:
        """The end of what workers have said."""
        path = self.folder / "worker.log"
        return path.read_text()[-3000:] if path.exists() else ""


class Web(Server):
    """The web process of a site, as the Procfile starts it."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.folder / "web")
        self.site = site

    @property
    def url(self) -> str:
        """Without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        """gunicorn."""
        options = ["--workers", "2", "--threads", "8", "--no-control-socket"]
        address = ["--bind", f"127.0.0.1:{self.port}"]
        return [sys.executable, "-m", "gunicorn", "leaderboard.wsgi", *address, *options]

    def environment(self) -> dict[str, str]:
        """The site's."""
        return self.site.environment

    def answers(self) -> bool:
        """A page that needs nothing."""
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as response:  # noqa: S310
                return bool(response.status == 200)
        except OSError:
            return False


def kill(process: subprocess.Popen[bytes]) -> None:
    """`kill -9` a worker with all its children."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def children(process: subprocess.Popen[bytes]) -> list[int]:
    """The processes that a worker has forked."""
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    return [int(word) for word in found.stdout.split()]

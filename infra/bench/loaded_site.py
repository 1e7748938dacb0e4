"""A site of one's own to load: in a temporary folder, on loopback, and ended after."""

# ruff: noqa: PLC0415 - Django is set up over its own database before anything of it is imported
from __future__ import annotations

import ipaddress
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
JUDGE = "char-tfidf"
CLIPS = 50
WORDS = (
    *("man", "woman", "child", "dog", "window", "door", "street", "kitchen", "table", "letter"),
    *("walks", "runs", "looks", "holds", "opens", "closes", "slowly", "quickly", "behind", "under"),
    *("a", "the", "and", "then", "while", "red", "blue", "light", "rain", "music"),
)


def loopback(url: str) -> str:
    """The address without a trailing slash; ends the program when it leads to another machine."""
    host = urlsplit(url).hostname or ""
    try:
        inside = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise SystemExit(
            f"{host or url!r} is not this machine: only 127.0.0.1, ::1 and localhost are loaded"
        )
    return url.rstrip("/")


def environment(folder: Path, *, database: str = "", broker: str = "") -> dict[str, str]:
    """What every process of the site is told; database and broker are of this machine, too."""
    for url in (database, broker):
        if "@" in url or url.startswith("redis"):
            loopback(url)
    told = {
        "DATA_DIR": str(folder),
        # What is measured is the site, not how it turns away who asks too often.
        "API_RATE": "",
        "UPLOAD_RATE": "",
        "DATABASE_URL": database or f"sqlite:///{folder / 'db.sqlite3'}",
        "CELERY_BROKER_URL": broker or "filesystem://",
        "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
        "LOG_LEVEL": "WARNING",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(ROOT),
    }
    return {**os.environ, **told}


def set_up(told: dict[str, str]) -> None:
    """Django in this process, over that site's empty database."""
    os.environ.update(told)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("flush", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def texts(seed: int, clips: int = CLIPS) -> dict[str, str]:
    """A description a clip, of six sentences; no two seeds give the same."""
    rng = np.random.default_rng(seed)
    drawn = rng.choice(WORDS, (clips, 6, 12))
    return {
        f"clip-{n:04}": " ".join(f"{' '.join(sentence).capitalize()}." for sentence in of)
        for n, of in enumerate(drawn)
    }


def small_benchmark() -> Any:
    """The release that submissions go to: 50 clips, the judge of character n-grams alone."""
    from django.utils import timezone

    from leaderboard import models

    benchmark = models.Benchmark.objects.create(slug="load", name="Load", summary="Made up.")
    release = models.Release.objects.create(
        benchmark=benchmark, version="1.0", published_at=timezone.now()
    )
    models.Track.objects.create(release=release, slug="main", name="Main", judges=[JUDGE])
    for n, (key, text) in enumerate(texts(0).items()):
        clip = models.Clip.objects.create(release=release, key=key, position=n, duration=90.0)
        models.Reference.objects.create(clip=clip, text=text)
    return release


@contextmanager
def process(*command: str, told: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Runs beside the block and is ended after it."""
    with log.open("ab") as out:
        started = subprocess.Popen(
            [str(BIN / command[0]), *command[1:]], cwd=ROOT, env=told, stdout=out, stderr=out
        )
    try:
        yield started
    finally:
        started.terminate()
        try:
            started.wait(20)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


@contextmanager
def gunicorn(told: dict[str, str], folder: Path, *, workers: int, threads: int) -> Iterator[str]:
    """The web process as the image runs it, on a free port; its address."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    command = (
        "gunicorn", "leaderboard.wsgi", "--bind", f"127.0.0.1:{port}", "--workers", str(workers),
        "--threads", str(threads), "--no-control-socket",
    )  # fmt: skip
    with process(*command, told=told, log=folder / "web.log") as running:
        site = f"http://127.0.0.1:{port}"
        _wait_for(site, running)
        yield site


def _wait_for(site: str, running: subprocess.Popen[bytes], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if running.poll() is not None:
            raise SystemExit(f"the web process ended with {running.returncode}")
        try:
            httpx2.get(f"{site}/healthz", timeout=2).raise_for_status()
        except httpx2.HTTPError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit(f"the web process did not answer within {seconds:.0f} s")


def machine() -> str:
    """What figures were measured on."""
    names = [
        line.split(":")[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return (
        f"{names[0] if names else 'unknown processor'}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}; Python {sys.version.split()[0]}"
    )

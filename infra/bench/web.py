"""Time the pages of a large board in a temporary SQLite database, through Django's own client.

    python infra/bench/web.py                         1000 systems, 5 judges, 1000 clips
    python infra/bench/web.py --systems 100 --clips 200
    python infra/bench/web.py --keep DIR              leave the database in DIR, or use that there

Systems, clips, runs and score vectors are made up and stored as a worker stores them, and the board
is ranked by the worker's own function. Of the metrics HM-CF and Coarse have values. Every page is
asked for once with an empty cache (uncached) and then again (cached); times are medians of several
such rounds in milliseconds, by the clock and of this process's processor time, middleware and
templates included, without a network.
Bytes are of gzip level 6. The first clip alone has descriptions and matches of every system.
"""

# ruff: noqa: PLC0415 - Django is set up over its own database before anything of it is imported
from __future__ import annotations

import argparse
import gzip
import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
JUDGES = [
    "nv-embed-v2",
    "kalm-embedding-gemma3-12b-2511",
    "llama-embed-nemotron-8b",
    "gte-qwen2-7b-instruct",
    "qwen3-embedding-8b",
]
SENTENCE = "A man in a red coat walks slowly past the window and looks back at the door."
PAGE = "/b/bench/1.0/main/"


def set_up(folder: Path) -> None:
    """Django over a database of its own."""
    # In place of the script's own folder, in which a file is named like a standard module.
    sys.path[0] = str(ROOT)
    os.environ |= {
        "DATA_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
        "STATICFILES_STORAGE": "django.contrib.staticfiles.storage.StaticFilesStorage",
        "ALLOWED_HOSTS": "testserver,localhost,127.0.0.1",
        "LOG_LEVEL": "ERROR",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def build(systems: int, judges: int, clips: int) -> None:
    """The rows of a scored board, and its ranking."""
    from django.utils import timezone

    from leaderboard import models
    from leaderboard.pipeline.rank import rank_track

    now = timezone.now()
    benchmark = models.Benchmark.objects.create(slug="bench", name="Bench", summary="Made up.")
    release = models.Release.objects.create(benchmark=benchmark, version="1.0", published_at=now)
    track = models.Track.objects.create(
        release=release, slug="main", name="Main", judges=JUDGES[:judges]
    )
    made_clips = models.Clip.objects.bulk_create(
        models.Clip(
            release=release, key=f"clip-{n:04}", position=n, duration=60.0 + n % 240,
            category=("Home", "Sport", "Street")[n % 3],
        )
        for n in range(clips)
    )  # fmt: skip
    models.Reference.objects.bulk_create(
        models.Reference(clip=clip, text=" ".join([SENTENCE] * 8)) for clip in made_clips
    )
    entries = models.System.objects.bulk_create(
        models.System(
            slug=f"system-{n:04}", name=f"System {n:04}", organisation=f"Laboratory {n % 40}",
            family=f"Family {n % 60}", parameters=f"{1 + n % 72}B", open_weights=n % 3 > 0,
        )
        for n in range(systems)
    )  # fmt: skip
    submissions = models.Submission.objects.bulk_create(
        models.Submission(
            release=release, system=system, file="x", original_name="x.json", format="json",
            size=1, sha256="0" * 64, published_at=now,
        )
        for system in entries
    )  # fmt: skip
    models.Description.objects.bulk_create(
        models.Description(submission=one, clip=made_clips[0], text=" ".join([SENTENCE] * 6))
        for one in submissions
    )
    runs = models.Run.objects.bulk_create(
        models.Run(
            track=track, submission=one, judge=judge, state="done", queued_at=now,
            finished_at=now,
            signature=f"cliprank:0.1|semantic:1|judge:{judge}|revision:0123456789abcdef|dtype:f32",
        )
        for one in submissions
        for judge in track.judges
    )  # fmt: skip
    vectors(runs, systems, judges, clips)
    rank_track(track.pk)


def vectors(runs: list[Any], systems: int, judges: int, clips: int) -> None:
    """Scores between 0 and 1: a clip effect, a system effect and noise."""
    from leaderboard.models import ScoreVector

    rng = np.random.default_rng(0)
    clip = 0.05 * rng.standard_normal(clips)
    for at in range(0, len(runs), 500):
        rows = []
        for n, run in enumerate(runs[at : at + 500], at):
            level = 0.48 + 0.2 * (n // judges) / systems
            for metric in ("hm_cf", "coarse"):
                own = np.clip(level + clip + 0.06 * rng.standard_normal(clips), 0, 1)
                rows.append(
                    ScoreVector(
                        run=run, metric=metric, data=own.astype("<f8").tobytes(), clips=clips,
                        mean=float(own.mean()),
                    )
                )  # fmt: skip
        ScoreVector.objects.bulk_create(rows)


def timed(ask: Callable[[], Any]) -> tuple[float, float, bytes]:
    """Milliseconds by the clock and of the processor, and the body of one answer."""
    start, begun = time.perf_counter(), time.process_time()
    response = ask()
    body = b"".join(response) if response.streaming else response.content
    took, worked = time.perf_counter() - start, time.process_time() - begun
    if response.status_code != 200:
        raise SystemExit(f"answered {response.status_code}: {body[:200]!r}")
    return 1000 * took, 1000 * worked, body


def queries(ask: Callable[[], Any]) -> int:
    """How many the answer takes; counted apart, since counting takes time."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as found:
        timed(ask)
    return len(found)


def measure(client: Any, title: str, address: str, rounds: int) -> bytes:
    """Print one line of the table; the body is handed back."""
    from django.core.cache import cache

    def ask() -> Any:
        return client.get(address)

    cold, warm = [], []
    for _ in range(rounds):
        cache.clear()
        cold.append(timed(ask))
        warm += [timed(ask) for _ in range(3)]
    cache.clear()
    counts = queries(ask), queries(ask)
    body = cold[-1][2]
    times = [np.median([made[:2] for made in of], axis=0) for of in (cold, warm)]
    print(
        f"| {title} | {times[0][0]:.0f} | {times[0][1]:.0f} | {times[1][0]:.1f} "
        f"| {times[1][1]:.1f} | {counts[0]} | {counts[1]} "
        f"| {len(body) / 1e3:.0f} | {len(gzip.compress(body, 6)) / 1e3:.0f} |"
    )
    return body


def assets(html: str) -> float:
    """Kilobytes, compressed, of the style sheets and scripts that a page names before charts."""
    from django.contrib.staticfiles import finders

    names = re.findall(r'(?:href|src)="/static/([^"]+\.(?:css|js))"', html)
    found = [finders.find(name) for name in dict.fromkeys(names)]
    return sum(len(gzip.compress(Path(path).read_bytes(), 6)) for path in found if path) / 1e3


def main() -> None:
    """Build, measure, print."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--systems", type=int, default=1000)
    options.add_argument("--judges", type=int, default=5, choices=range(1, 6))
    options.add_argument("--clips", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--keep", type=Path, help="a folder for the database")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        set_up(folder)
        from django.test import Client

        from leaderboard.models import Benchmark

        start = time.perf_counter()
        if not Benchmark.objects.exists():
            build(asked.systems, asked.judges, asked.clips)
        print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
              f"load {os.getloadavg()[0]:.1f}; Python {platform.python_version()}")  # fmt: skip
        print(f"{asked.systems} systems, {asked.judges} judges, {asked.clips} clips, "
              f"built in {time.perf_counter() - start:.0f} s\n")  # fmt: skip
        print("| page | uncached ms | of processor | cached ms | of processor | queries | cached "
              "| kB | gzip kB |")  # fmt: skip
        print("|---|---|---|---|---|---|---|---|---|")
        client = Client()
        client.get("/")  # what a process does once: imports, templates
        html = measure(client, "ranking", PAGE, asked.rounds)
        measure(client, "ranking, sorted by a judge", f"{PAGE}?sort=-{JUDGES[0]}", asked.rounds)
        measure(client, "ranking, all metrics", f"{PAGE}?metric=all", asked.rounds)
        measure(client, "ranking, every row", f"{PAGE}?rows=all", asked.rounds)
        measure(client, "one family of 60", f"{PAGE}?family=Family+7", asked.rounds)
        measure(client, "clip", "/b/bench/1.0/clips/clip-0000/", asked.rounds)
        measure(client, "export as CSV", f"{PAGE}export.csv", 2)
        print(f"\nstyle sheets and scripts before charts: {assets(html.decode()):.0f} kB gzip")


if __name__ == "__main__":
    main()

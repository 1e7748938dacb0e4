"""A real worker process and `kill -9`: on SQLite with messages as files, or on the services that
the environment names (`infra/on_services.py`).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import services

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 60

SET_UP = """
from django.core.management import call_command
from django.utils import timezone
from leaderboard.models import Benchmark, Clip, Reference, Release, Track
call_command("migrate", verbosity=0)
benchmark = Benchmark.objects.create(slug="small", name="Small", summary="Six clips.")
release = Release.objects.create(benchmark=benchmark, version="1", published_at=timezone.now())
for n, who in enumerate(["man", "woman", "dog", "cat", "driver", "child"]):
    clip = Clip.objects.create(release=release, key=f"c{n}", position=n)
    text = f"A {who} crosses the road. The {who} stops and looks around. Then it rains."
    Reference.objects.create(clip=clip, text=text)
Track.objects.create(release=release, slug="main", name="Main", judges=["char-tfidf"])
"""
UPLOAD = """
import sys
from leaderboard.intake import receive
from leaderboard.models import Release, System
name, data = sys.argv[1:]
system = System.objects.create(name=name, slug=name)
submission = receive(
    release=Release.objects.get(), user=None, system=system, data=data.encode(), filename="p.json"
)
print(submission.pk.hex)
"""
COUNT = """
import sys
from leaderboard.celery import app
with app.connection_for_write() as wire:
    queue = app.amqp.queues[sys.argv[1]](wire.default_channel)
    print(queue.queue_declare().message_count)
"""
QUEUE = "judge.char-tfidf"
TEXTS = {
    f"c{n}": f"A {who} walks over the road and looks about. It begins to rain."
    for n, who in enumerate(["man", "person", "dog", "dog", "driver", "kid"])
}


class Site:
    """A site of its own in a folder, driven from outside as its owner would."""

    def __init__(self, folder: Path, own: dict[str, str]) -> None:
        self.folder = folder
        self.environment = os.environ | own
        self.environment |= {
            "DATA_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)]),
            "JUDGE_STEPS": "600",
            "RUN_SILENCE_SECONDS": "3",
            "SWEEP_SECONDS": "1",
            "OMP_NUM_THREADS": "1",
        }
        self.workers: list[subprocess.Popen[bytes]] = []
        self.run(SET_UP)

    def run(self, code: str, *arguments: str) -> str:
        """Python inside the site."""
        done = subprocess.run(
            [sys.executable, "-c", f"import django; django.setup()\n{code}", *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def upload(self, name: str) -> str:
        """The same texts under another name; returns the submission's key."""
        return self.run(UPLOAD, name, json.dumps(TEXTS))

    def worker(self, *options: str) -> subprocess.Popen[bytes]:
        """`celery worker`, as the Procfile starts it."""
        command = [sys.executable, "-m", "celery", "-A", "leaderboard", "worker", "--pool=solo"]
        with (self.folder / "worker.log").open("ab") as log:
            process = subprocess.Popen(
                [*command, "-Q", ",".join(map(self.queue, ("default", QUEUE))), *options],
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        self.workers.append(process)
        return process

    def queue(self, name: str) -> str:
        """As the broker knows it."""
        return f"{self.environment['QUEUE_PREFIX']}{name}"

    def waiting(self) -> int:
        """Messages for the judge that the broker has and no worker."""
        return int(self.run(COUNT, self.queue(QUEUE)))

    def ask(self, sql: str, *arguments: str) -> list[tuple[Any, ...]]:
        """What the database says, read behind the site's back."""
        return services.rows(self.environment["DATABASE_URL"], sql, *arguments)

    def state(self, submission: str) -> tuple[Any, ...]:
        """State, texts done and attempts of its run."""
        sql = "SELECT state, done, attempts FROM leaderboard_run WHERE submission_id = ?"
        return self.ask(sql, submission)[0]

    def vectors(self, submission: str) -> list[tuple[Any, ...]]:
        """Metric and bytes of each score vector."""
        return self.ask(
            "SELECT v.metric, v.data FROM leaderboard_scorevector v JOIN leaderboard_run r"
            " ON r.id = v.run_id WHERE r.submission_id = ? ORDER BY v.metric",
            submission,
        )

    def ranked(self) -> set[str]:
        """The names on the newest ranking."""
        sql = "SELECT CAST(rows AS TEXT) FROM leaderboard_ranking ORDER BY id DESC LIMIT 1"
        found = self.ask(sql)
        return {row["name"] for row in json.loads(found[0][0])} if found else set()

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for it, with patience."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail((self.folder / "worker.log").read_text()[-5000:])
            time.sleep(0.05)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for the tests of this file; its workers end with it."""
    folder = tmp_path_factory.mktemp("site")
    with services.of_ones_own(folder) as own:
        made = Site(folder, own)
        yield made
        for worker in made.workers:
            worker.kill()
            worker.wait()


@pytest.fixture(scope="module")
def undisturbed(site: Site) -> str:
    """An upload that was scored by a worker which nobody disturbed."""
    submission = site.upload("undisturbed")
    assert site.state(submission) == ("queued", 0, 0)
    worker = site.worker()
    site.until(lambda: "undisturbed" in site.ranked())
    worker.terminate()
    assert worker.wait(PATIENCE) == 0
    return submission


def _begun(site: Site, submission: str) -> Callable[[], bool]:
    return lambda: site.state(submission)[0] == "running" and site.state(submission)[1] > 0


def test_from_an_upload_to_the_ranking(site: Site, undisturbed: str) -> None:
    """One vector per metric, and no message left behind."""
    state, _, attempts = site.state(undisturbed)
    assert (state, attempts) == ("done", 1)
    assert len(site.vectors(undisturbed)) == 5
    assert site.waiting() == 0


def test_killing_the_worker_in_the_middle_loses_nothing(site: Site, undisturbed: str) -> None:
    """The message is gone, or RabbitMQ has it again; the row is there: the next worker's sweep
    finds it.
    """
    worker = site.worker("--include", "tests.support.slow_judge")
    submission = site.upload("killed")
    site.until(_begun(site, submission))
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert site.state(submission)[0] == "running"
    assert site.waiting() <= 1
    worker = site.worker()
    site.until(lambda: "killed" in site.ranked())
    worker.terminate()
    worker.wait(PATIENCE)
    state, _, attempts = site.state(submission)
    assert (state, attempts) == ("done", 2)
    assert site.vectors(submission) == site.vectors(undisturbed)


def test_a_worker_that_is_asked_to_stop_hands_its_run_on(site: Site, undisturbed: str) -> None:
    """It ends at once, and the run waits for the next worker as if nothing had been."""
    worker = site.worker("--include", "tests.support.slow_judge")
    submission = site.upload("handed-on")
    site.until(_begun(site, submission))
    worker.terminate()
    assert worker.wait(10) == 0
    assert site.state(submission)[0] == "queued"
    assert site.state(submission)[2] == 0
    worker = site.worker()
    site.until(lambda: "handed-on" in site.ranked())
    worker.terminate()
    worker.wait(PATIENCE)
    assert site.vectors(submission) == site.vectors(undisturbed)

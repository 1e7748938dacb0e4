"""A whole site of its own for the browser: database, web process, worker process, Chromium.

It is the embedded one, or on the services that the environment names (`infra/on_services.py`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support import services
from tests.support.openai_server import Asked, OpenAIServer, Reaction, reply
from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 120
PATIENCE = 60_000
EMPTY: list[Path] = []
PASSWORD = "a long enough secret"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
]
# The sample benchmark with its submissions, two of its judges and its pair tests (the third judge
# and the baseline of keypoints load torch, shared words need Java, facts take their time: they tell
# a browser nothing new), reported results to stand beside, and three people.
SET_UP = f"""
from django.contrib.auth.models import User
from leaderboard.importers.sample import load_sample
from leaderboard.models import Benchmark, ReportedResult, Run, System, Track
from leaderboard.pipeline.rank import rank_reported
User.objects.create_user("visitor", password={PASSWORD!r})
User.objects.create_user("stranger", password={PASSWORD!r})
load_sample(submit=True)
curator = User.objects.create_user("curator", password={PASSWORD!r})
Benchmark.objects.get(slug="sample").curators.add(curator)
track = Track.objects.get(slug="embedded")
dropped = "all-minilm-l6-v2"
track.judges = [judge for judge in track.judges if judge != dropped]
track.save()
slow = Track.objects.filter(slug__in=["keypoints", "facts", "ngram"])
slow.update(scores_uploads=False)
Run.objects.filter(track__in=slow).delete()
Run.objects.filter(judge=dropped).delete()
for place, system in enumerate(System.objects.all()):
    for judge in track.judges:
        for metric in ("hm_cf", "coarse"):
            ReportedResult.objects.create(
                track=track, system=system, judge=judge, metric=metric, mean=0.7 - 0.05 * place,
                source="A paper",
            )
rank_reported(track.pk)
"""

# The sample scored on tracks of facts, by the baseline and by a model behind a server, twice over;
# and on one of embeddings, to stand beside. Prints the submission whose run by the model is
# incomplete, and one that is done.
FACTS_SET_UP = """
from leaderboard.importers.sample import load_sample
from leaderboard.models import Release, Run, Submission, Track
from leaderboard.pipeline.dispatch import create_runs
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
load_sample(submit=True)
Run.objects.all().delete()
release = Release.objects.get()
Track.objects.exclude(slug__in=["embedded", "facts"]).update(scores_uploads=False)
Track.objects.filter(slug="embedded").update(judges=["char-tfidf"])
Track.objects.create(
    release=release, slug="facts-model", name="Facts by a model", protocol="facts", position=9,
    judges=["endpoint"], primary_metric="llm_facts_f1", settings={"repeats": 2},
)
for submission in Submission.objects.filter(kind="descriptions"):
    create_runs(submission)
for key in Run.objects.values_list("pk", flat=True):
    score_run(key)
for key in Run.objects.values_list("track", flat=True).distinct():
    rank_track(key)
print(Run.objects.get(state="incomplete").submission_id)
print(Submission.objects.get(kind="descriptions", system__slug="larkspur-vl").pk)
"""


@dataclass
class LiveSite:
    """A site in a folder, with the processes that ``make run`` would start."""

    folder: Path
    port: int
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    more: dict[str, str] = field(default_factory=dict)
    services: ExitStack = field(default_factory=ExitStack)

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """That of every process; nothing of the developer's own site is touched."""
        return os.environ | {
            "DATA_DIR": str(self.folder),
            "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
            "SITE_URL": self.url,
            "EMAIL_URL": f"filemail:///{self.folder / 'mail'}",
            "OMP_NUM_THREADS": "1",
            "LOG_LEVEL": "INFO",
            **self.more,
        }

    def manage(self, *arguments: str) -> str:
        """``manage.py``, to its end."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def prepare(self, script: str) -> str:
        """Tables, static files, and the data that ``script`` makes; what the script prints.

        The first site makes tables and files, the others of the process take a copy of them; of
        tables only where they are a file.
        """
        self.more = self.more | self.services.enter_context(services.of_ones_own(self.folder))
        if EMPTY:
            shutil.copytree(EMPTY[0], self.folder, dirs_exist_ok=True)
        if not (self.folder / "db.sqlite3").exists():
            self.manage("migrate", "--verbosity", "0")
        if not EMPTY:
            self.manage("collectstatic", "--no-input", "--verbosity", "0")
            EMPTY.append(self.folder.with_name(f"{self.folder.name}-empty"))
            shutil.copytree(self.folder, EMPTY[0])
        return self.manage("shell", "--no-imports", "--command", script)

    @contextmanager
    def serving(self, *, worker: bool) -> Iterator[None]:
        """Served by gunicorn, and scored by a Celery worker if wanted, for as long as it lasts."""
        bind = f"127.0.0.1:{self.port}"
        try:
            self.start("web", "gunicorn", "leaderboard.wsgi", "--bind", bind, "--threads", "4")
            if worker:
                self.start("worker", "celery", "-A", "leaderboard", "worker", "--pool=solo")
            self.wait_until(self.answers)
            yield
        finally:
            self.stop()

    def start(self, name: str, *command: str) -> subprocess.Popen[bytes]:
        """A process that goes on until the tests are over; its log is ``NAME.log``."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def wait_until(self, ready: Callable[[], bool], seconds: float = START_SECONDS) -> None:
        """Wait, and fail with the logs when it does not come true."""
        deadline = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > deadline:
                logs = (f"== {p.name}\n{p.read_text()[-3000:]}" for p in self.folder.glob("*.log"))
                pytest.fail("\n".join(logs))
            time.sleep(0.2)

    def answers(self) -> bool:
        """True once the web process is up."""
        try:
            with urllib.request.urlopen(f"{self.url}/login/", timeout=5) as response:  # noqa: S310
                return bool(response.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def stop(self) -> None:
        """End every process, the web process first, and leave nothing on services of others."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.services.close()


@dataclass(frozen=True)
class FactsSite:
    """A site with facts in it, and two submissions: one whose judge failed on a clip, one done."""

    url: str
    incomplete: str
    done: str


def _one_fails(asked: Asked) -> Reaction | None:
    """The judge cannot take one description of one clip apart."""
    fails = asked.task == "extract" and "tells a charming story" in asked.text
    return reply("I <cannot> evaluate this.") if fails else None


@pytest.fixture(scope="module")
def facts_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FactsSite]:
    """The sample with its facts judged, served by gunicorn; nothing is left to a worker."""
    site = LiveSite(tmp_path_factory.mktemp("facts-site"), free_port())
    with OpenAIServer(_one_fails) as model:
        site.more = {"CHAT_BASE_URL": model.url, "CHAT_MODEL": "test-model"}
        said = site.prepare(FACTS_SET_UP)
    incomplete, done = said.split()[-2:]
    with site.serving(worker=False):
        yield FactsSite(site.url, incomplete, done)


@pytest.fixture(scope="session")
def live_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """The sample benchmark, served by gunicorn and scored by a Celery worker."""
    site = LiveSite(tmp_path_factory.mktemp("live-site"), free_port())
    site.prepare(SET_UP)
    with site.serving(worker=True):
        yield site


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without its calls home.

    It ends with the module: Playwright keeps an event loop running in this thread, and Django
    refuses its database to whoever comes after while there is one.
    """
    if CHROMIUM is None:
        pytest.skip("no Chromium (Debian: apt-get install chromium, or set CHROMIUM)")
    api = pytest.importorskip("playwright.sync_api")
    # A page that a click leads to may come late on a busy machine: what is expected of it is asked
    # again until then, and never read at once.
    api.expect.set_options(timeout=PATIENCE)
    with api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield made
        made.close()

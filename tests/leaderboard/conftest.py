"""A small site for tests: one benchmark of four clips, people, and judges that need no weights."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard.intake import receive
from leaderboard.models import Benchmark, Clip, Reference, Release, Submission, System, Track
from leaderboard.pipeline import claim, clip_map
from leaderboard.pipeline import score as score_module
from scoring.types import Progress

TEXTS = {
    "c1": "A man walks into a bar. He orders a glass of water.",
    "c2": "A red car stops at the light. The driver waves at a child.",
    "c3": "Two dogs play in the garden. One of them digs a hole.",
    "c4": "The sun sets over the sea. A boat sails home.",
}
JUDGES = ["left", "right"]
CALLED = {
    "score_run": "score",
    "rank_track": "rank",
    "work_batch": "batch",
    "mail_notice": "mail",
    "compute_table": "table",
}


@dataclass
class LetterJudge:
    """Embeds a text as its letter counts: quick, and the same text is nearest to itself.

    ``before`` is called once per encode, with the progress callback, before anything is computed.
    """

    name: str
    before: Callable[[Progress | None], None] = lambda _: None
    calls: int = 0
    entry: Any = field(init=False)

    def __post_init__(self) -> None:
        """Stand in for a catalogue entry as far as protocols look at it."""
        self.entry = type("Entry", (), {"name": self.name, "needs_fit": False})()

    def signature(self, long_text: str | None = None) -> str:
        """Enough to key a cache."""
        return f"judge:{self.name}"

    def encode(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        *,
        long_text: str | None = None,
        cache: object = None,
    ) -> LetterVectors:
        """Unit vectors of letter counts."""
        self.calls += 1
        self.before(progress)
        counts = np.array([[t.lower().count(c) + 0.1 for c in LETTERS] for t in texts])
        if progress:
            progress(len(texts), len(texts))
        return LetterVectors(counts / np.linalg.norm(counts, axis=1, keepdims=True))


LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass
class LetterVectors:
    """Dense unit vectors."""

    matrix: np.ndarray[Any, Any]
    cut: int = 0

    @property
    def encoded(self) -> int:
        """All of them."""
        return len(self.matrix)

    def __len__(self) -> int:
        return len(self.matrix)

    def cosines(self, rows: Sequence[int], columns: Sequence[int]) -> Any:
        """Cosines of rows with columns."""
        return self.matrix[list(rows)] @ self.matrix[list(columns)].T


@pytest.fixture
def judges(monkeypatch: pytest.MonkeyPatch) -> dict[str, LetterJudge]:
    """The judges of the small site, in place of the catalogue's."""
    made = {name: LetterJudge(name) for name in JUDGES}
    for module in (score_module, clip_map):
        monkeypatch.setattr(module, "ready_judge", made.__getitem__)
    return made


@pytest.fixture
def release(db: None) -> Release:
    """Four scored clips and an excluded one, one open track with two judges."""
    benchmark = Benchmark.objects.create(slug="small", name="Small", summary="Four clips.")
    made = Release.objects.create(benchmark=benchmark, version="1.0", published_at=timezone.now())
    for position, (key, text) in enumerate(TEXTS.items()):
        clip = Clip.objects.create(release=made, key=key, position=position)
        Reference.objects.create(clip=clip, text=text)
    Clip.objects.create(release=made, key="c5", position=len(TEXTS), excluded=True)
    Track.objects.create(
        release=made, slug="main", name="Main", judges=JUDGES, bootstrap_replicates=50
    )
    return made


@pytest.fixture
def track(release: Release) -> Track:
    """The small site's track."""
    return release.tracks.get()


@pytest.fixture
def ann(db: None) -> User:
    """Somebody who submits."""
    return User.objects.create_user("ann")


@pytest.fixture
def ben(db: None) -> User:
    """Somebody else."""
    return User.objects.create_user("ben")


@pytest.fixture(autouse=True)
def folders(settings: Any, tmp_path: Any) -> None:
    """Files go where the test's other files are, or below a prefix of the test's own in the bucket
    that the environment names; static ones need not be collected.
    """
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    default = settings.STORAGES["default"]
    if options := default.get("OPTIONS"):
        default = default | {"OPTIONS": options | {"location": f"test-{uuid4().hex}"}}
    settings.STORAGES = {"default": default, "staticfiles": plain}
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.CACHE_DIR = tmp_path / "cache"
    settings.EMBEDDING_CACHE = str(tmp_path / "cache" / "embeddings")
    # A cache of its own, in which nobody has tried to log in too often yet.
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": str(tmp_path)}
    settings.CACHES = {"default": memory}
    # Tests of staff pages are of what staff do there; tests/leaderboard/people has the gate.
    settings.STAFF_NEEDS_TOTP = False


@pytest.fixture
def no_links(settings: Any) -> None:
    """The site gives files out itself, also where they lie in a bucket."""
    default = settings.STORAGES["default"]
    if options := default.get("OPTIONS"):
        default = default | {"OPTIONS": options | {"links": False}}
        settings.STORAGES = settings.STORAGES | {"default": default}


@pytest.fixture(autouse=True)
def no_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maps of clips are no part of a score: tests of them draw them by themselves."""
    from leaderboard import tasks  # noqa: PLC0415

    monkeypatch.setattr(tasks.draw_map, "apply_async", lambda *_, **__: None)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[list[tuple[str, Any]]]:
    """Messages as they came out of the broker, which nobody works off: (task, key)."""
    from leaderboard import tasks  # noqa: PLC0415
    from tests.support.wire import wire  # noqa: PLC0415

    messages: list[tuple[str, Any]] = []
    send = tasks.app.send_task
    with wire(tmp_path / "broker") as queues:

        def through(*words: Any, **more: Any) -> None:
            task, key = queues.round_trip(send, *words, **more)
            messages.append((CALLED[task.rpartition(".")[2]], key))

        monkeypatch.setattr(tasks.app, "send_task", through)
        yield messages


@pytest.fixture
def submit(release: Release, ann: User, sent: list[tuple[str, Any]]) -> Callable[..., Submission]:
    """``submit("name", {"c1": "..."})``: what an upload makes, messages kept in ``sent``."""

    def made(name: str = "Model", texts: dict[str, str] | None = None, **more: Any) -> Submission:
        system = System.objects.filter(name=name).first() or System.objects.create(
            name=name, slug=System.objects.free_slug(name), owner=ann
        )
        data = json.dumps(TEXTS if texts is None else TEXTS | texts).encode()
        arguments = {"filename": "predictions.json", "user": ann, "release": release} | more
        return receive(system=system, data=data, **arguments)

    return made


@pytest.fixture
def not_stopping() -> Iterator[claim.Flag]:
    """The worker's wish to stop, taken back after the test."""
    yield claim.stopping
    claim.stopping.clear()

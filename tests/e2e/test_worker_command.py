"""`cliprank-worker` as a process: what it does first, and what is done at once."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from infra.faults.site import Site, children
from tests.support import services

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("worker-command")]

AGAIN = 30
Broker = Callable[[Path], AbstractContextManager[str]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site; each test has a copy of it."""
    return Site(tmp_path_factory.mktemp("worker-command") / "made").folder


@pytest.mark.parametrize(
    ("broker", "pool"),
    [
        pytest.param(lambda _: nullcontext(""), ("--pool", "solo"), id="files"),
        pytest.param(
            services.redis_broker,
            ("--concurrency", "2"),
            id="redis",
            marks=pytest.mark.services,
        ),
        pytest.param(
            services.rabbitmq_broker,
            ("--pool", "solo"),
            id="rabbitmq",
            marks=pytest.mark.services,
        ),
    ],
)
def test_an_upload_is_scored_before_thirty_runs_of_low_priority(
    made: Path, tmp_path: Path, broker: Broker, pool: tuple[str, ...]
) -> None:
    """It waits for what is under way and no more: no broker's priorities are needed for that."""
    prefix = f"test-{uuid.uuid4().hex[:8]}-"
    shutil.copytree(made, tmp_path / "site")
    with broker(tmp_path / "broker") as address:
        site = Site(tmp_path / "site", broker=address, made=True, QUEUE_PREFIX=prefix)
        assert site.inside("rescore", AGAIN)["waiting"] >= AGAIN
        with site.working(*pool, JUDGE_STEPS="10"):
            site.until(("done",), 2)
            assert site.upload(1) == {"accepted": 1}
            order = site.inside("overtaken")
        if address:
            services.forget_queues(address, prefix, ["char-tfidf"])
    # Whoever begins a run while the upload is being stored is not to blame.
    assert order["begun before it"] <= 1
    assert order["left"] > AGAIN // 2


def test_a_judge_with_weights_may_be_forked(made: Path, tmp_path: Path) -> None:
    """One process at a time is the choice where weights load; ``--pool prefork`` overrules it: each
    child has the judge, and two runs are scored at once.
    """
    shutil.copytree(made, tmp_path / "site")
    site = Site(tmp_path / "site", made=True, RUN_SILENCE_SECONDS="60")
    site.inside("judge", "all-minilm-l6-v2")
    done = site.runs("done")
    assert site.upload(4) == {"accepted": 4}
    judge = ("--judge", "all-minilm-l6-v2")
    with site.working(
        *judge, "--pool", "prefork", "--concurrency", "2", JUDGE_STEPS="40"
    ) as worker:
        site.until(("running",), 2, 120)
        assert len(children(worker)) >= 2
        site.until(("done", "failed"), done + 4, 120)
    assert (site.runs("done"), site.runs("failed")) == (done + 4, 0)
    said = (site.folder / "worker.log").read_text()
    assert said.count("all-minilm-l6-v2 is as the catalogue has it") >= 2

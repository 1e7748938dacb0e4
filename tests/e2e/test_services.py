"""PostgreSQL, Redis and RabbitMQ themselves, with a real worker between them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.faults.site import Site
from tests.support import services

pytestmark = [pytest.mark.e2e, pytest.mark.services, pytest.mark.xdist_group("services")]

MAY_BE = {"accepted", "done", "failed_with_reason", "attempts"}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A database with a small site in it, and the folder of its files."""
    folder = tmp_path_factory.mktemp("services")
    with services.postgres(folder / "postgres") as address:
        Site(folder, database=address)
        yield address, folder


def _site(database: tuple[str, Path], broker: str, **more: str) -> Site:
    address, folder = database
    return Site(folder, database=address, broker=broker, made=True, **more)


def _since(now: dict[str, int], before: dict[str, int]) -> dict[str, int]:
    """What may be that has come about since, having seen that nothing else is."""
    assert not {what: n for what, n in now.items() if what not in MAY_BE and n}
    return {what: now[what] - before[what] for what in sorted(MAY_BE)}


def test_wq_01_each_run_is_scored_once_however_often_it_is_delivered(
    database: tuple[str, Path], tmp_path: Path
) -> None:
    """Redis: five messages more for each run, to a worker of two processes; same digits."""
    prefix = f"test-{uuid.uuid4().hex[:8]}-"
    with services.redis_broker(tmp_path / "redis") as broker:
        site = _site(database, broker, QUEUE_PREFIX=prefix, RUN_SILENCE_SECONDS="60")
        before, *said = site.together(("counted",), ("upload", 4), ("twice", 5))
        assert said == [{"accepted": 4}, {"sent": 20}]
        with site.working("--concurrency", "2", JUDGE_STEPS="2"):
            counts = _since(site.settled(), before)
        services.forget_queues(broker, prefix, ["char-tfidf"])
    assert counts == {"accepted": 4, "done": 4, "failed_with_reason": 0, "attempts": 4}


def test_wq_02_a_submission_that_kills_its_worker_fails_and_others_go_on(
    database: tuple[str, Path], tmp_path: Path
) -> None:
    """RabbitMQ, which delivers again what a dead worker had: twice begun, then it failed and says
    why; it costs no quota.
    """
    prefix = f"test-{uuid.uuid4().hex[:8]}-"
    limits = {"RUN_SILENCE_SECONDS": "1", "RUN_MAX_ATTEMPTS": "2", "QUEUE_PREFIX": prefix}
    with services.rabbitmq_broker(tmp_path / "rabbitmq") as broker:
        site = _site(database, broker, **limits)
        before, *said = site.together(("counted",), ("poison",), ("upload", 2))
        assert said == [{"accepted": 1}, {"accepted": 2}]
        with site.working("--concurrency", "2"):
            counts = _since(site.settled(), before)
        services.forget_queues(broker, prefix, ["char-tfidf"])
    assert counts.pop("attempts") >= 4
    assert counts == {"accepted": 3, "done": 2, "failed_with_reason": 1}

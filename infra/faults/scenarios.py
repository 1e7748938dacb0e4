"""One function a fault: it is given servers and a site, disturbs it, and leaves it to recover."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from infra.faults import storage
from infra.faults.grounds import Grounds
from infra.faults.servers import Absent, RabbitMQ, Server
from infra.faults.site import Site, children, kill

FAKETIME = "/usr/lib/*/faketime/libfaketimeMT.so.1"


def workers_killed(grounds: Grounds) -> Site:
    """`kill -9` at random moments: children of a worker, and whole workers."""
    site, chance = grounds.site("workers-killed"), grounds.chance
    site.upload(grounds.submissions)
    worker = site.worker("--concurrency", "2", JUDGE_STEPS="20")
    for number in range(1, 9):
        site.until(("running",), 1)
        time.sleep(chance.uniform(0, 0.8))
        if number % 4:
            for victim in chance.sample(found := children(worker), min(1, len(found))):
                with suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                    grounds.count("children killed")
        else:
            kill(worker)
            grounds.count("workers killed")
            worker = site.worker("--concurrency", "2", JUDGE_STEPS="20")
    return site


def told_to_stop(grounds: Grounds) -> Site:
    """SIGTERM in the middle: the worker ends in seconds and hands its runs back."""
    site = grounds.site("told-to-stop")
    site.upload(grounds.submissions)
    for _ in range(2):
        worker = site.worker("--concurrency", "2", JUDGE_STEPS="200")
        site.until(("running",), 2)
        begun = time.monotonic()
        worker.terminate()
        worker.wait(30)
        grounds.count("stops")
        grounds.count("seconds to stop", round(time.monotonic() - begun))
        if site.runs("running"):
            raise RuntimeError("a stopped worker has kept a run")
    site.worker("--concurrency", "2")
    return site


def redis_lost(grounds: Grounds) -> Site:
    """The broker is killed with every message in it; uploads go on while it is away."""
    site = grounds.site("redis-lost")
    return _broker_away(grounds, site, grounds.redis, grounds.redis.kill)


def rabbitmq_restarted(grounds: Grounds) -> Site:
    """A RabbitMQ node stops and comes back; uploads go on while it is away."""
    broker = RabbitMQ(grounds.folder / "rabbitmq")
    broker.start()
    site = grounds.site("rabbitmq-restarted", broker=broker.url)
    site.servers.append(broker)
    return _broker_away(grounds, site, broker, broker.stop)


def rabbitmq_impatient(grounds: Grounds) -> Site:
    """RabbitMQ takes messages back from workers, twice in the time of a run; none of them ends."""
    broker = RabbitMQ(grounds.folder / "rabbitmq-impatient", patience=1)
    broker.start()
    site = grounds.site("rabbitmq-impatient", broker=broker.url, RUN_SILENCE_SECONDS="60")
    site.servers.append(broker)
    site.upload(grounds.submissions)
    scored = site.runs("done") + grounds.submissions
    forks = site.worker("--concurrency", "2", JUDGE_STEPS="80")
    alone = site.worker("--pool", "solo", JUDGE_STEPS="80")
    site.until(("done",), scored, 300)
    grounds.count("channels closed", broker.said("caused a channel exception precondition_failed"))
    ended = [one for one in (forks, alone) if one.poll() is not None]
    if ended or not grounds.notes["channels closed"]:
        raise RuntimeError(f"{len(ended)} workers have ended; or the broker was patient")
    site.begun_once = True
    return site


def _broker_away(grounds: Grounds, site: Site, broker: Server, end: Callable[[], None]) -> Site:
    site.upload(grounds.submissions // 2)
    site.worker("--concurrency", "2", JUDGE_STEPS="5")
    site.until(("running", "done"), 9)
    end()
    site.upload(grounds.submissions // 2)
    grounds.count("uploads without broker", grounds.submissions // 2)
    broker.start()
    return site


def database_crashed(grounds: Grounds) -> Site:
    """PostgreSQL is killed, twice, while runs are being scored."""
    site, chance = grounds.site("database-crashed"), grounds.chance
    site.upload(grounds.submissions)
    site.worker("--concurrency", "2", JUDGE_STEPS="5")
    for crash in range(2):
        site.until(("running", "done"), 9 + 4 * crash)
        time.sleep(chance.uniform(0, 0.5))
        grounds.postgres.kill()
        grounds.count("crashes")
        time.sleep(chance.uniform(0.5, 2))
        grounds.postgres.start()
    return site


def delivered_again(grounds: Grounds) -> Site:
    """Every message six times, to two workers: each run is begun once."""
    site = grounds.site("delivered-again", RUN_SILENCE_SECONDS="60")
    site.upload(grounds.submissions)
    grounds.count("messages more", site.inside("twice", 5)["sent"])
    for _ in range(2):
        site.worker("--concurrency", "2", JUDGE_STEPS="2")
    site.begun_once = True
    return site


def clock_jumps(grounds: Grounds) -> Site:
    """The clock of one of two workers jumps two hours ahead, then two back, while it scores."""
    library = next(iter(sorted(Path("/").glob(FAKETIME.lstrip("/")))), None)
    if library is None:
        raise Absent("libfaketime is not on this machine (Debian: apt-get install faketime)")
    site = grounds.site("clock-jumps")
    clock = site.folder / "clock"
    clock.write_text("+0")
    site.upload(grounds.submissions)
    faked = {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    site.worker("--pool", "solo", JUDGE_STEPS="10", **faked)
    site.worker("--pool", "solo", JUDGE_STEPS="10")
    for offset in ("+7200", "-7200", "+0"):
        site.until(("done",), site.runs("done") + 3)
        clock.write_text(offset)
        grounds.count("jumps")
    return site


def many_at_once(grounds: Grounds) -> Site:
    """500 uploads over HTTP, 32 at a time, by three people with a quota of 160 each."""
    return _many(grounds, grounds.site("many-at-once", RUN_SILENCE_SECONDS="120"), 500, 160)


def many_at_once_embedded(grounds: Grounds) -> Site:
    """200 in the same way on SQLite, with messages as files; a quota of 60 each."""
    more = {"RUN_SILENCE_SECONDS": "120"}
    return _many(grounds, grounds.site("many-embedded", embedded=True, **more), 200, 60)


def _many(grounds: Grounds, site: Site, count: int, limit: int) -> Site:
    answers = site.send(count, limit=limit, threads=32)
    over = count - 3 * limit
    if answers != {"accepted": 3 * limit, "429 quota-spent": over}:
        raise RuntimeError(f"{3 * limit} were to be accepted and {over} refused: {answers}")
    grounds.count("sent over HTTP", answers.total())
    grounds.count("refused by the quota", over)
    site.worker("--concurrency", "2")
    return site


SCENARIOS: tuple[Callable[[Grounds], Site], ...] = (
    workers_killed,
    told_to_stop,
    redis_lost,
    rabbitmq_restarted,
    rabbitmq_impatient,
    database_crashed,
    delivered_again,
    clock_jumps,
    storage.s3_away,
    storage.s3_failing,
    storage.disk_full,
    many_at_once,
    many_at_once_embedded,
)

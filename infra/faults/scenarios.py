"""One function a fault: it is given servers and a site, disturbs it, and leaves it to recover."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from infra.faults.failing_s3 import FAULTS, FailingS3
from infra.faults.servers import S3, Absent, Postgres, RabbitMQ, Redis, Server, until
from infra.faults.site import Site, children, kill

FAKETIME = "/usr/lib/*/faketime/libfaketimeMT.so.1"


@dataclass
class Grounds:
    """Servers and folders of one round of faults."""

    folder: Path
    seed: int
    submissions: int
    postgres: Postgres
    redis: Redis
    notes: dict[str, int] = field(default_factory=dict)

    @property
    def chance(self) -> random.Random:
        """The same sequence for the same seed, in each scenario."""
        return random.Random(self.seed)  # noqa: S311 - moments of faults, not secrets

    def site(self, name: str, *, broker: str = "", embedded: bool = False, **more: str) -> Site:
        """A new site, as the one that was set up: on PostgreSQL and Redis, or embedded."""
        folder = self.folder / name
        if embedded:
            shutil.copytree(self.folder / "embedded", folder, dirs_exist_ok=True)
            return Site(folder, made=True, **more)
        database = f"site_{name.replace('-', '_')}"
        self.postgres.create(database, "base")
        shutil.copytree(self.folder / "base" / "media", folder / "media")
        url = self.postgres.url(database)
        return Site(folder, database=url, broker=broker or self.redis.url, made=True, **more)


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
                    _count(grounds, "children killed")
        else:
            kill(worker)
            _count(grounds, "workers killed")
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
        _count(grounds, "stops")
        _count(grounds, "seconds to stop", round(time.monotonic() - begun))
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
    _count(
        grounds, "channels closed", broker.said("caused a channel exception precondition_failed")
    )
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
    _count(grounds, "uploads without broker", grounds.submissions // 2)
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
        _count(grounds, "crashes")
        time.sleep(chance.uniform(0.5, 2))
        grounds.postgres.start()
    return site


def delivered_again(grounds: Grounds) -> Site:
    """Every message six times, to two workers: each run is begun once."""
    site = grounds.site("delivered-again", RUN_SILENCE_SECONDS="60")
    site.upload(grounds.submissions)
    _count(grounds, "messages more", site.inside("twice", 5)["sent"])
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
        _count(grounds, "jumps")
    return site


def s3_away(grounds: Grounds) -> Site:
    """The S3 server is killed while workers score and while people upload, and comes back."""
    server = S3(grounds.folder / "s3")
    server.start()
    site = grounds.site("s3-away", **server.variables)
    site.servers.append(server)
    shutil.copytree(site.folder / "media", server.bucket / "media")  # AWS_LOCATION
    site.upload(grounds.submissions // 2)
    site.worker("--concurrency", "2", JUDGE_STEPS="10")
    site.until(("running", "done"), 9)
    server.kill()
    refused = site.upload(2, threads=2)
    _count(grounds, "uploads without storage: refused", sum(refused.values()))
    if refused.get("accepted"):
        raise RuntimeError("a file was accepted and is stored nowhere")
    time.sleep(2)
    server.start()
    site.upload(grounds.submissions // 2)
    return site


def s3_failing(grounds: Grounds) -> Site:
    """Three of five requests to the S3 server fail (errors, resets, lost answers, files cut short,
    delays), for uploads over HTTP and for workers.
    """
    server = S3(grounds.folder / "s3-behind")
    server.start()
    proxy = FailingS3(grounds.folder / "s3-failing", server, seed=grounds.seed, share=0.6)
    proxy.start()
    site = grounds.site("s3-failing", **proxy.variables)
    site.servers += [proxy, server]
    shutil.copytree(site.folder / "media", server.bucket / "media")  # AWS_LOCATION
    site.worker("--concurrency", "2", JUDGE_STEPS="2")
    answers = site.send(grounds.submissions, limit=grounds.submissions, threads=4)
    until(lambda: site.runs("queued", "running") == 0, 300, site.log)
    proxy.calm.touch()
    for fault in FAULTS:
        _count(grounds, fault, proxy.said(fault))
    accepted = answers.pop("accepted")
    refused = answers.pop("503 storage-failing", 0)
    _count(grounds, "uploads refused with 503 and sent again", refused)
    if answers or accepted != grounds.submissions:
        raise RuntimeError(f"only refusals with a reason were to come: {answers}")
    _count(
        grounds, "files of refused uploads left for the doctor", site.inside("orphans")["deleted"]
    )
    return site


def disk_full(grounds: Grounds) -> Site:
    """The embedded set-up on a disk that fills up: while scoring, and for uploads. Then it has
    room again.
    """
    folder = grounds.folder / "disk-full"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)], check=False
    )
    if mounted.returncode:
        raise Absent("no small disk can be mounted here (it takes root)")
    site = grounds.site("disk-full", embedded=True)
    site.mounted = True
    site.upload(grounds.submissions // 2)
    site.worker("--pool", "solo", JUDGE_STEPS="10")
    site.until(("running", "done"), 8)
    filler = folder / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 4096)
    refused = site.upload(grounds.submissions // 2)
    accepted = refused.pop("accepted", 0)
    _count(grounds, "uploads on a full disk: accepted", accepted)
    _count(grounds, "uploads on a full disk: refused", sum(refused.values()))
    time.sleep(2)
    filler.unlink()
    return site


def many_at_once(grounds: Grounds) -> Site:
    """500 uploads over HTTP, 32 at a time, by three people with a quota of 160 each."""
    site = grounds.site("many-at-once", RUN_SILENCE_SECONDS="120")
    answers = site.send(500, limit=160, threads=32)
    if answers != {"accepted": 480, "429 quota-spent": 20}:
        raise RuntimeError(f"480 were to be accepted and 20 refused: {answers}")
    _count(grounds, "sent over HTTP", answers.total())
    _count(grounds, "refused by the quota", answers["429 quota-spent"])
    site.worker("--concurrency", "2")
    return site


def _count(grounds: Grounds, what: str, more: int = 1) -> None:
    grounds.notes[what] = grounds.notes.get(what, 0) + more


SCENARIOS: tuple[Callable[[Grounds], Site], ...] = (
    workers_killed,
    told_to_stop,
    redis_lost,
    rabbitmq_restarted,
    rabbitmq_impatient,
    database_crashed,
    delivered_again,
    clock_jumps,
    s3_away,
    s3_failing,
    disk_full,
    many_at_once,
)

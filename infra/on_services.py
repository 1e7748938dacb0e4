"""The site's tests on managed services: PostgreSQL, an S3-compatible server and a broker.

    python infra/on_services.py redis tests/leaderboard/pipeline ...

Those that run on this machine are used, others are started. Where one is neither there nor can be
started, it says so, and what is embedded stands in for it; with `CLIPRANK_INSIST=1` it ends with 1.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from _pytest.outcomes import Failed, Skipped  # noqa: E402

from tests.support import services  # noqa: E402
from tests.support.s3_server import s3_server  # noqa: E402

BROKERS = {
    "redis": ("Redis", services.redis_broker),
    "rabbitmq": ("RabbitMQ", services.rabbitmq_broker),
}
WORTH = {"redis": "PostgreSQL", "rabbitmq": "RabbitMQ"}
"""Without this one a run would repeat what other runs have shown."""
BUCKET = "site"
PYTEST = ["-n", "auto", "--dist", "loadgroup", "-q", "-p", "no:cacheprovider"]


@contextmanager
def database(folder: Path) -> Iterator[dict[str, str]]:
    """An empty one."""
    with services.postgres(folder) as address:
        yield {"DATABASE_URL": address}


@contextmanager
def bucket(folder: Path) -> Iterator[dict[str, str]]:
    """One for all; every test keeps below a prefix of its own."""
    with s3_server(folder) as server:
        (server.folder / BUCKET).mkdir(parents=True)
        yield {"AWS_STORAGE_BUCKET_NAME": BUCKET} | server.environment


@contextmanager
def broker(name: str, folder: Path) -> Iterator[dict[str, str]]:
    """Whose queues others do not read."""
    prefix = f"test-{uuid.uuid4().hex[:8]}-"
    with BROKERS[name][1](folder) as address:
        yield {"CELERY_BROKER_URL": address, "QUEUE_PREFIX": prefix}
        services.forget_queues(address, prefix)


def main(name: str, *paths: str) -> int:
    """Run pytest in an environment that names the services."""
    with tempfile.TemporaryDirectory(prefix="cliprank-services-") as folder, ExitStack() as stack:
        place = Path(folder)
        needed = {
            "PostgreSQL": database(place / "postgres"),
            "S3": bucket(place / "buckets"),
            BROKERS[name][0]: broker(name, place / name),
        }
        environment, there = dict(os.environ), []
        for service, started in needed.items():
            try:
                environment |= stack.enter_context(started)
                there.append(service)
            except (Failed, Skipped) as absent:
                print(f"\nWithout {service}: {absent.msg}", flush=True)
                if isinstance(absent, Failed):
                    return 1
        if WORTH[name] not in there:
            print(f"Not run again on {', '.join(needed)}: {' '.join(paths)}")
            return 0
        print(f"\nOn {', '.join(there)}: {' '.join(paths)}", flush=True)
        command = [sys.executable, "-m", "pytest", *PYTEST, *paths]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

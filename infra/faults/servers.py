"""Private servers on loopback, in a folder of their own, to be stopped and killed at will."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg2
import redis

from tests.support.ports import free_port

START_SECONDS = 60


class Absent(Exception):  # noqa: N818 - a server's program is not on this machine
    """Which one, and how to get it."""


def program(name: str, package: str, *folders: str) -> str:
    """The path of a server's program; raises ``Absent``."""
    places = [found for pattern in folders for found in sorted(Path("/").glob(pattern.lstrip("/")))]
    for place in [*(folder / name for folder in places), Path(shutil.which(name) or "")]:
        if place.is_file():
            return str(place)
    raise Absent(f"{name} is not on this machine (Debian: apt-get install {package})")


class Server:
    """A process with a port; ``start``, ``kill`` and ``stop`` as often as one likes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self.prepare()

    def prepare(self) -> None:
        """Once, before the first start."""

    def command(self) -> list[str]:
        """What is run."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Whether it takes connections."""
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        """Of its process."""
        return dict(os.environ)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                cwd=self.folder,
                env=self.environment(),
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self.account(),
            )
        until(self.answers, START_SECONDS, lambda: (self.folder / "log").read_text()[-2000:])

    def account(self) -> dict[str, str]:
        """Whose process it is, where that may not be root's."""
        return {}

    def said(self, words: str) -> int:
        """How many lines of its log hold these words."""
        return (self.folder / "log").read_text(errors="replace").count(words)

    def kill(self) -> None:
        """End it at once, with all that it started."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to end."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, how)
            self.process.wait(START_SECONDS)
        except ProcessLookupError:
            pass
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None


class Postgres(Server):
    """PostgreSQL with one account that needs no password."""

    BINARIES = "/usr/lib/postgresql/*/bin"

    def prepare(self) -> None:
        """`initdb`, as another account than root, which PostgreSQL refuses."""
        self.data = self.folder / "data"
        self.data.mkdir()
        if os.geteuid() == 0:
            shutil.chown(self.data, "postgres", "postgres")
            for folder in (self.folder, self.folder.parent):  # the rest is the system's
                folder.chmod(0o711)
        initdb = program("initdb", "postgresql", self.BINARIES)
        options = ["--auth", "trust", "--username", "postgres", "--no-sync", "--encoding", "UTF8"]
        subprocess.run(
            [initdb, "--pgdata", str(self.data), *options],
            check=True,
            cwd=self.data,
            stdout=subprocess.DEVNULL,
            **self.account(),
        )

    def account(self) -> dict[str, str]:
        """Root's own server runs as ``postgres``."""
        return {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}

    def command(self) -> list[str]:
        """No socket in a folder that others share."""
        server = program("postgres", "postgresql", self.BINARIES)
        return [server, "-D", str(self.data), "-p", str(self.port), "-h", "127.0.0.1", "-k", ""]

    def answers(self) -> bool:
        """A connection to the database that is always there."""
        try:
            psycopg2.connect(self.url("postgres"), connect_timeout=2).close()
        except psycopg2.OperationalError:
            return False
        return True

    def url(self, database: str) -> str:
        """For ``DATABASE_URL``."""
        return f"postgres://postgres@127.0.0.1:{self.port}/{database}"

    def create(self, database: str, template: str = "template1") -> None:
        """A database, as a copy of another one that nobody is connected to."""
        connection = psycopg2.connect(self.url("postgres"))
        connection.autocommit = True
        with closing(connection), connection.cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}"')
            # A copied sequence logs nothing until the next checkpoint: a crash would set it back.
            cursor.execute("CHECKPOINT")

    def stop(self) -> None:
        """A fast shutdown: connections are cut, and nothing is lost."""
        self._end(signal.SIGINT)


class Redis(Server):
    """Redis that keeps nothing: a restart loses every message."""

    def command(self) -> list[str]:
        """In memory only."""
        server = program("redis-server", "redis-server")
        keep = ["--save", "", "--appendonly", "no"]
        return [server, "--port", str(self.port), "--bind", "127.0.0.1", *keep]

    def answers(self) -> bool:
        """A ping."""
        try:
            return bool(redis.Redis(port=self.port, socket_connect_timeout=2).ping())
        except redis.exceptions.RedisError:
            return False

    @property
    def url(self) -> str:
        """For ``CELERY_BROKER_URL``."""
        return f"redis://127.0.0.1:{self.port}/0"


class RabbitMQ(Server):
    """A RabbitMQ node of its own; queues and messages outlive a restart.

    It takes a message back that is not acknowledged for ``patience`` seconds, if that is given.
    """

    def __init__(self, folder: Path, patience: int = 0) -> None:
        super().__init__(folder)
        of_rabbit = {"consumer_timeout": 1000 * patience, "channel_tick_interval": 1000}
        self.more = [f"-rabbit {name} {value}" for name, value in of_rabbit.items() if patience]

    def command(self) -> list[str]:
        """The script itself, not Debian's, which changes the account."""
        return [program("rabbitmq-server", "rabbitmq-server", "/usr/lib/rabbitmq/bin")]

    def environment(self) -> dict[str, str]:
        """Everything of the node lies in the folder."""
        inside = str(self.folder)
        plugins = self.folder / "enabled_plugins"
        plugins.write_text("[].\n")
        configuration = self.folder / "rabbitmq.conf"
        configuration.write_text(f"listeners.tcp.1 = 127.0.0.1:{self.port}\n")
        return os.environ | {
            "HOME": inside,
            "RABBITMQ_NODENAME": f"faults-{self.port}@localhost",
            "RABBITMQ_CONFIG_FILE": str(configuration),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": inside,
            "RABBITMQ_LOG_BASE": inside,
            "RABBITMQ_LOGS": "-",
            "RABBITMQ_PID_FILE": str(self.folder / "pid"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(plugins),
            "RABBITMQ_FEATURE_FLAGS_FILE": str(self.folder / "feature_flags"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": " ".join(self.more),
        }

    def answers(self) -> bool:
        """The port takes connections once the node is up."""
        try:
            socket.create_connection(("127.0.0.1", self.port), 2).close()
        except OSError:
            return False
        return True

    @property
    def url(self) -> str:
        """For ``CELERY_BROKER_URL``."""
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"


class S3(Server):
    """An S3 server with one bucket, `files`, over a folder."""

    KEY, SECRET = "faults", "a-secret-of-these-faults"

    def prepare(self) -> None:
        """The bucket is a folder."""
        self.bucket = self.folder / "objects" / "files"
        self.bucket.mkdir(parents=True)

    def command(self) -> list[str]:
        """rclone, which checks signatures."""
        served = str(self.folder / "objects")
        address, keys = f"127.0.0.1:{self.port}", f"{self.KEY},{self.SECRET}"
        rclone = program("rclone", "rclone", str(Path(sys.executable).parent))
        return [rclone, "serve", "s3", "--addr", address, "--auth-key", keys, served]

    def answers(self) -> bool:
        """The port takes connections."""
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def variables(self) -> dict[str, str]:
        """What makes a site keep its files there."""
        return {
            "AWS_STORAGE_BUCKET_NAME": "files",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ACCESS_KEY_ID": self.KEY,
            "AWS_SECRET_ACCESS_KEY": self.SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
        }


def until(ready: Callable[[], bool], seconds: float, said: Callable[[], str]) -> None:
    """Wait for it; raises ``TimeoutError`` with what there is to be said."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError(said())
        time.sleep(0.1)

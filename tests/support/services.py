"""Real services for tests: those that run on this machine, else ones of the tests' own.

Where a service is neither there nor can be started, its tests are skipped, saying why; with
``CLIPRANK_INSIST=1`` (`make test-all`) they fail.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import psycopg2
import pytest
import redis
from kombu import Connection

from infra.faults.servers import Absent, Postgres, RabbitMQ, Redis, Server
from scoring.judges import catalogue, chat_catalogue

POSTGRES = os.environ.get("TEST_POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/15")
RABBITMQ = os.environ.get("TEST_RABBITMQ_URL", "amqp://guest:guest@127.0.0.1:5672//")
AnyServer = TypeVar("AnyServer", bound=Server)


def absent(why: str) -> NoReturn:
    """Skip, or fail where everything has to be there."""
    if os.environ.get("CLIPRANK_INSIST") == "1":
        pytest.fail(f"{why}, and CLIPRANK_INSIST asks for it")
    pytest.skip(why)


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The address of an empty database, which is gone afterwards."""
    with (
        _found(POSTGRES, _postgres_answers, lambda: Postgres(folder)) as server,
        empty_database(POSTGRES if server is None else server.url("postgres")) as address,
    ):
        yield address


@contextmanager
def empty_database(beside: str) -> Iterator[str]:
    """The address of a new database on the server of another one."""
    name = f"cliprank_{uuid.uuid4().hex[:12]}"
    _execute(beside, f'CREATE DATABASE "{name}"')
    yield f"{beside.rpartition('/')[0]}/{name}"
    _execute(beside, f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def of_ones_own(folder: Path) -> Iterator[dict[str, str]]:
    """Variables of a site that shares nothing with another one: a database, queues and a prefix of
    its own on the services that the environment names, and what is embedded for the others.
    """
    found, name = os.environ, f"site-{uuid.uuid4().hex[:8]}"
    broker = found.get("CELERY_BROKER_URL", "filesystem://")
    with ExitStack() as stack:
        database = found.get("DATABASE_URL", "")
        if database.startswith("postgres"):
            database = stack.enter_context(empty_database(database))
        else:
            database = f"sqlite:///{folder}/db.sqlite3"
        if not broker.startswith("filesystem"):
            stack.callback(forget_queues, broker, f"{name}-")
        yield {
            "DATABASE_URL": database,
            "CELERY_BROKER_URL": broker,
            "QUEUE_PREFIX": f"{name}-",
            "AWS_LOCATION": name,
        }


@contextmanager
def redis_broker(folder: Path) -> Iterator[str]:
    """The address of a Redis broker; use a ``QUEUE_PREFIX`` of your own."""
    with _found(REDIS, _redis_answers, lambda: Redis(folder)) as server:
        yield REDIS if server is None else server.url


@contextmanager
def rabbitmq_broker(folder: Path) -> Iterator[str]:
    """The address of a RabbitMQ broker; use a ``QUEUE_PREFIX`` of your own."""
    with _found(RABBITMQ, _rabbitmq_answers, lambda: RabbitMQ(folder)) as server:
        yield RABBITMQ if server is None else server.url


def rows(address: str, sql: str, *values: str) -> list[tuple[Any, ...]]:
    """What a database of either kind answers; values stand for ``?``, and bytes are bytes."""
    if address.startswith("sqlite"):
        connection: Any = sqlite3.connect(address.removeprefix("sqlite:///"), timeout=30)
    else:
        connection, sql = psycopg2.connect(address), sql.replace("?", "%s")
    with closing(connection), closing(connection.cursor()) as cursor:
        cursor.execute(sql, values)
        found = cursor.fetchall()
    return [tuple(bytes(v) if isinstance(v, memoryview) else v for v in row) for row in found]


def forget_queues(broker: str, prefix: str, judges: list[str] | None = None) -> None:
    """Remove the queues of a site that is no more from a broker that others use too; those of all
    judges where none are named.
    """
    judges = judges or [e.name for e in (*catalogue.entries(), *chat_catalogue.entries())]
    with Connection(broker) as wire, wire.channel() as channel:
        for name in ("default", *(f"judge.{judge}" for judge in judges)):
            with suppress(*wire.channel_errors):
                channel.queue_delete(f"{prefix}{name}")


@contextmanager
def _found(
    address: str, answers: Callable[[str], bool], own: Callable[[], AnyServer]
) -> Iterator[AnyServer | None]:
    if answers(address):
        yield None
        return
    try:
        server = own()
        server.start()
    except (Absent, OSError, TimeoutError) as error:
        absent(f"nothing answers at {address}, and none can be started: {error}")
    try:
        yield server
    finally:
        server.stop()


def _postgres_answers(address: str) -> bool:
    try:
        psycopg2.connect(address, connect_timeout=2).close()
    except psycopg2.OperationalError:
        return False
    return True


def _redis_answers(address: str) -> bool:
    try:
        return bool(redis.Redis.from_url(address, socket_connect_timeout=2).ping())
    except redis.exceptions.RedisError:
        return False


def _rabbitmq_answers(address: str) -> bool:
    with Connection(address, connect_timeout=2) as wire:
        try:
            wire.ensure_connection(max_retries=1, timeout=2)
        except (OSError, *wire.connection_errors):
            return False
    return True


def _execute(address: str, sql: str) -> None:
    connection = psycopg2.connect(address)
    connection.autocommit = True
    with closing(connection), connection.cursor() as cursor:
        cursor.execute(sql)

"""A site with one of everything, asked as strictly as the strictest database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.support.world import World, build

BIGINT = 2**63


@pytest.fixture
def world(release: Any, submit: Any, judges: Any, ann: Any) -> World:
    """One of everything."""
    return build(release, submit, ann)


@pytest.fixture
def as_role(world: World) -> Callable[[str], Client]:
    """``as_role("staff")``: a browser in which somebody in that role is logged in."""

    def made(role: str) -> Client:
        client = Client()
        if role != "anonymous":
            client.force_login(world.people[role])
        return client

    return made


def _refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
    for value in params or ():
        if isinstance(value, str) and "\0" in value:
            raise ValueError("A string literal cannot contain NUL (0x00) characters.")
        if isinstance(value, str):
            value.encode()
        if isinstance(value, int) and not -BIGINT <= value < BIGINT:
            raise ValueError("integer out of range")
    return execute(sql, params, many, context)


@contextmanager
def _strict() -> Iterator[None]:
    with connection.execute_wrapper(_refuse):
        yield


@pytest.fixture
def strict_database(db: None) -> Iterator[None]:
    """Refuses what PostgreSQL refuses: NUL and lone surrogates in texts, numbers without end."""
    with _strict():
        yield


@pytest.fixture
def as_ann(ann: Any) -> Client:
    """A browser in which ann is logged in."""
    client = Client()
    client.force_login(ann)
    return client

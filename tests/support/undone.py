"""A request whose effects are taken back, and what it wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

WRITES = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')
# What any request may do: remember its visitor, and when a token was last used.
HARMLESS = {"django_session", "leaderboard_apitoken"}


@contextmanager
def undone() -> Iterator[list[str]]:
    """The tables that are written to; afterwards all is as it was."""
    tables: list[str] = []

    def noting(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found = WRITES.match(sql)
        if found and found[1] not in HARMLESS:
            tables.append(found[1])
        return execute(sql, params, many, context)

    with transaction.atomic():
        with connection.execute_wrapper(noting):
            yield tables
        transaction.set_rollback(True)

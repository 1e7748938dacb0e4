"""The reply cache: what a judge answered once is not asked again.

Hosted judges answer differently from call to call, even at temperature 0. So an answer is kept
under a key of everything that it depends on (judge, model revision, prompt digests, parameters,
texts, repeat), and the same texts get the same verdicts whoever uploads them and when. Only
answers that could be read are kept; a failure is asked again.

One SQLite file in WAL mode, for several threads and processes of one machine. Of two writers of
one key the first wins, and the second takes what the first has stored.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

Payload = Mapping[str, Any]
"""A JSON-ready answer."""

_TABLE = """
CREATE TABLE IF NOT EXISTS reply (
    key TEXT PRIMARY KEY, judge TEXT NOT NULL, payload TEXT NOT NULL
) WITHOUT ROWID
"""
_CHUNK = 500


class Replies(Protocol):
    """Where answers are kept; `ReplyCache` is one such place."""

    def found(self, keys: Iterable[str]) -> dict[str, Payload]:
        """The answers there are for these keys."""
        ...

    def keep(self, key: str, judge: str, payload: Payload) -> Payload:
        """Keep an answer; returns the one that is kept under this key now."""
        ...


class ReplyCache:
    """Answers in one file.

    Args:
        path: of the file, made when missing; None keeps answers in memory, for one run.
        patience: seconds to wait while another process writes.
    """

    def __init__(self, path: Path | None = None, patience: float = 30.0) -> None:
        self._path = path
        self._patience = patience
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._owner = 0

    def found(self, keys: Iterable[str]) -> dict[str, Payload]:
        """See `Replies.found`."""
        wanted = list(dict.fromkeys(keys))
        rows: list[tuple[str, str]] = []
        with self._lock:
            for start in range(0, len(wanted), _CHUNK):
                chunk = wanted[start : start + _CHUNK]
                marks = ",".join("?" * len(chunk))
                query = f"SELECT key, payload FROM reply WHERE key IN ({marks})"  # noqa: S608
                rows += self._open().execute(query, chunk)
        return {key: json.loads(payload) for key, payload in rows}

    def keep(self, key: str, judge: str, payload: Payload) -> Payload:
        """See `Replies.keep`."""
        with self._lock, self._open() as transaction:
            transaction.execute(
                "INSERT OR IGNORE INTO reply VALUES (?, ?, ?)", (key, judge, json.dumps(payload))
            )
            kept = transaction.execute("SELECT payload FROM reply WHERE key = ?", (key,))
            answer: Payload = json.loads(kept.fetchone()[0])
        return answer

    def forget(self, judge: str) -> int:
        """Drop all answers of one judge, by its name; returns how many there were."""
        with self._lock, self._open() as transaction:
            return transaction.execute("DELETE FROM reply WHERE judge = ?", (judge,)).rowcount

    def close(self) -> None:
        """Close the file; the next call opens it again. An unnamed cache is then empty."""
        with self._lock:
            if self._connection is not None and self._owner == os.getpid():
                self._connection.close()
            self._connection = None

    def __len__(self) -> int:
        with self._lock:
            count: int = self._open().execute("SELECT count(*) FROM reply").fetchone()[0]
        return count

    def _open(self) -> sqlite3.Connection:
        # A forked worker must not use the connection of its parent.
        if self._connection is None or self._owner != os.getpid():
            if self._path is not None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self._path or ":memory:", timeout=self._patience, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_TABLE)
            self._connection, self._owner = connection, os.getpid()
        return self._connection


class Repetition:
    """A cache seen by one repetition of a measurement: the same file, keys of its own.

    Repetition 0 is the run that everybody sees; the others tell how far the judge's answers
    spread, so they must not find each other's.
    """

    def __init__(self, replies: Replies, index: int) -> None:
        self._replies = replies
        self._suffix = f"#{index}" if index else ""

    def found(self, keys: Iterable[str]) -> dict[str, Payload]:
        """See `Replies.found`."""
        own = {f"{key}{self._suffix}": key for key in keys}
        return {own[key]: payload for key, payload in self._replies.found(own).items()}

    def keep(self, key: str, judge: str, payload: Payload) -> Payload:
        """See `Replies.keep`."""
        return self._replies.keep(f"{key}{self._suffix}", judge, payload)


def reply_key(signature: str, task: str, language: str, *texts: str) -> str:
    """The key of one answer.

    Args:
        signature: of the judge: its name, model revision, prompt digests and parameters.
        task: `extract` or `check`.
        language: of the texts.
        texts: all that the judge reads: the text, and the facts in their order.
    """
    hashed = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    return hashlib.sha256(json.dumps([signature, task, language, hashed]).encode()).hexdigest()

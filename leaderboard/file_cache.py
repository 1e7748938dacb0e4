"""Django's cache in files, with counters that no two processes raise at once."""

from __future__ import annotations

import pickle
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache
from django.core.files import locks

LEVEL = 1


class FileCache(FileBasedCache):
    """``add`` and ``incr`` look and write in one step, as they do in Redis.

    Limits on how often somebody may try rest on both: Django's own would let two requests that
    come at the same time count as one.
    """

    _dir: str
    _key_to_file: Callable[[Any, int | None], str]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        folder = Path(self._dir)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (folder / "lock").open("a") as file:
            locks.lock(file, locks.LOCK_EX)
            yield

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Set it where there is none yet; says whether that was so."""
        with self._alone():
            return bool(super().add(key, value, timeout, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Raise a number and keep the moment at which it ends; ValueError where there is none."""
        with self._alone():
            value = self.get(key, version=version)
            if value is None:
                raise ValueError(f"Key {key!r} not found")
            self.set(key, value + delta, self._seconds_left(key, version), version)
            return int(value + delta)

    def _write_content(self, file: Any, timeout: Any, value: Any) -> None:
        """As Django's, compressed lightly: what tables keep is large, and waited for."""
        file.write(pickle.dumps(self.get_backend_timeout(timeout), self.pickle_protocol))
        file.write(zlib.compress(pickle.dumps(value, self.pickle_protocol), LEVEL))

    def _seconds_left(self, key: Any, version: int | None) -> float | None:
        with Path(self._key_to_file(key, version)).open("rb") as file:
            ends = pickle.load(file)  # noqa: S301 - a file of the site's own, in its private folder
        return None if ends is None else max(0.0, ends - time.time())

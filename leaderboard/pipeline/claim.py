"""A worker's hold on a run: taken in one statement, kept alive while it works, checked always."""

from __future__ import annotations

import logging
import mmap
import threading
import time
import uuid
from collections.abc import Callable
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from django.conf import settings
from django.db import Error, connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from leaderboard.models import Run
from leaderboard.pipeline import clock, limits, run_log

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_WRITES = 1.0
STUCK_AFTER = 10  # silences without any progress: then the worker is taken to hang


class Flag:
    """True or false in a process and in all its forks: one byte that they share.

    Without a lock, which a killed process could hold for ever.
    """

    def __init__(self) -> None:
        self._byte = mmap.mmap(-1, 1)

    def set(self) -> None:
        """Raise it."""
        self._byte[0] = 1

    def clear(self) -> None:
        """Take it down."""
        self._byte[0] = 0

    def is_set(self) -> bool:
        """Whether it is raised."""
        return bool(self._byte[0])


stopping = Flag()
"""Set when this worker is asked to stop: the run at hand then goes back to the queue."""


class ClaimLost(Exception):  # noqa: N818 - named as the fault is spoken of
    """The run has been given to another worker: stop, and leave no trace."""


class Stopping(Exception):  # noqa: N818
    """This worker is asked to stop: another one does the run."""


def claim(run_id: int, worker: str) -> Run | None:
    """The run, now this worker's; None when it is not queued (any more).

    A run of low priority is left while another one waits for its judge; the sweep sends it again.
    """
    now = clock.now()
    token = uuid.uuid4()
    taken = Run.objects.filter(_may_begin(), pk=run_id, state=Run.State.QUEUED).update(
        state=Run.State.RUNNING,
        claim=token,
        worker=worker[:200],
        attempts=F("attempts") + 1,
        done=0,
        total=0,
        started_at=now,
        heartbeat_at=now,
        error_code="",
        error="",
    )
    if not taken:
        return None
    runs = Run.objects.select_related("track", "submission__release")
    run = runs.filter(pk=run_id, claim=token).first()
    if run is not None:
        most = max(settings.RUN_MAX_ATTEMPTS, run.attempts)
        mark = run_log.worker_mark(worker)
        note(run, run_log.CLAIMED.format(worker=mark, attempt=run.attempts, most=most))
    return run


def _may_begin() -> Q:
    waiting = Run.objects.filter(state=Run.State.QUEUED, low_priority=False)
    return Q(low_priority=False) | ~Q(Exists(waiting.filter(judge=OuterRef("judge"))))


def note(run: Run, sentence: str) -> None:
    """Add a line to the run's log, if this worker's claim still stands."""
    claimed(run).update(log=logged(run, sentence))


def logged(run: Run, sentence: str) -> list[run_log.Line]:
    """The run's log with a line more, to be stored together with what it says."""
    lines = run_log.with_line(run.log, sentence)
    run.log = lines
    return lines


def claimed(run: Run) -> QuerySet[Run]:
    """The run as a query that finds it only as long as this worker's claim stands."""
    return Run.objects.filter(pk=run.pk, claim=run.claim, state=Run.State.RUNNING)


def come_to_nothing(
    run: Run, code: str, message: str, line: str, *, now: datetime
) -> dict[str, Any]:
    """What is stored of a run whose last try came to nothing: why, or, where it was being scored
    again, that it has the numbers that it had.
    """
    ended = {"state": run.given_up, "claim": None, "finished_at": now}
    if run.stands:
        log = run_log.with_line(run.log, run_log.KEPT_AS_IT_WAS, now)
        return ended | {"stands": False, "log": log}
    log = run_log.with_line(run.log, line, now)
    return ended | {"error_code": code, "error": message, "log": log}


def fail(run: Run, code: str, message: str) -> None:
    """End a run that was claimed, if the claim still stands."""
    end = come_to_nothing(run, code, message, run_log.FAILED, now=clock.now())
    claimed(run).update(**end)


class Heartbeat:
    """Keeps a claim alive within its context, and writes progress when called with it.

    A thread beats four times per silence, since weights may load and texts be split for minutes
    without any progress to report. It stops beating when there was none for ``STUCK_AFTER``
    silences: then the run is given to another worker. When the run has taken ``RUN_HARD_SECONDS``
    the thread itself ends it as failed; a judge that does not notice within ``GRACE_SECONDS``
    hangs, and ``when_hung`` is called.

    A database that does not answer for a while costs nothing but the notes that were to be made.
    """

    when_hung: Callable[[], None] | None = None

    def __init__(self, run: Run) -> None:
        self._run = run
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
        self._next_write = 0.0
        self._begun_at = self._progress_at = time.monotonic()
        self._quarter = -1

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def __call__(self, done: int, total: int) -> None:
        """Note progress; write it about once a second.

        Raises ``ClaimLost``, ``Stopping`` or ``TookTooLong`` when this worker must not go on.
        """
        if stopping.is_set():
            raise Stopping
        now = self._progress_at = time.monotonic()
        if now - self._begun_at > settings.RUN_SOFT_SECONDS:
            raise limits.TookTooLong(settings.RUN_SOFT_SECONDS)
        if now < self._next_write:
            return
        self._next_write = now + SECONDS_BETWEEN_WRITES
        values: dict[str, Any] = {"done": done, "total": total}
        if line := self._milestone(done, total):
            values["log"] = logged(self._run, line)
        if self._written(values) is False:
            raise ClaimLost

    def _milestone(self, done: int, total: int) -> str:
        """A line for the log with the first progress and about every quarter; "" between."""
        quarter = 4 * done // total if total else 0
        if quarter <= self._quarter:
            return ""
        first, self._quarter = self._quarter < 0, quarter
        line = run_log.LOADED if first else run_log.PROGRESS
        return line.format(done=done, total=total)

    def _written(self, values: dict[str, Any]) -> bool | None:
        """Note a heartbeat, and ``values``. Whether the claim still stands; None when the database
        does not say.
        """
        try:
            return bool(claimed(self._run).update(**values, heartbeat_at=clock.now()))
        except Error as error:
            if connection.in_atomic_block:
                raise
            logger.warning("run %s: nothing noted, the database: %s", self._run.pk, error)
            connection.close()
            return None

    def _beat(self) -> None:
        silence = settings.RUN_SILENCE_SECONDS
        try:
            while not self._over.wait(min(silence / 4, max(0.0, self._left()))):
                if self._left() <= 0:
                    self._give_up()
                    return
                if time.monotonic() - self._progress_at <= STUCK_AFTER * silence:
                    self._written({})
        finally:
            connection.close()  # a thread has a connection of its own

    def _left(self) -> float:
        return self._begun_at + float(settings.RUN_HARD_SECONDS) - time.monotonic()

    def _give_up(self) -> None:
        error = limits.TookTooLong(settings.RUN_HARD_SECONDS)
        logger.error("run %s: no end after %s s, given up", self._run.pk, settings.RUN_HARD_SECONDS)
        try:
            fail(self._run, error.code, str(error))
        except Error:
            logger.exception("run %s: the database cannot be told", self._run.pk)
        connection.close()
        if not self._over.wait(limits.GRACE_SECONDS) and Heartbeat.when_hung is not None:
            Heartbeat.when_hung()

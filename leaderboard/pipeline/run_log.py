"""A run's log: what its workers did, in sentences that anybody who sees the run may read.

Lines are made here and nowhere else, of numbers and of words that stand here: no text of an
exception, no name of a host, nothing of a reference gets into one.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.utils import timezone

Line = list[str]
"""Time (ISO 8601) and sentence."""

KEPT = 60
"""Lines of a run that are kept, the newest."""

LOADED = "The judge is ready and at work on {total} texts."
PROGRESS = "{done} of {total} texts done."
CLAIMED = "Taken by worker {worker}, attempt {attempt} of {most}."
HANDED_BACK = "The worker was told to stop; the run went back to the queue."
SILENT = "No sign of life from the worker; the run went back to the queue."
GIVEN_UP = "No sign of life from the worker, and no attempts are left: given up."
BROKE = "The attempt broke off with an internal error; another one follows in {seconds} s."
NO_FILE = "The storage did not give out the file; another attempt follows in {seconds} s."
FAILED = "Failed; the reason stands with the result."
INCOMPLETE = "Ended; the judge failed on {clips} clips."
DONE = "Finished."
CANCELLED = "Cancelled."
AGAIN = "Queued again."
RESCORE = "Queued to be scored again; its numbers count until the new ones are there."
KEPT_AS_IT_WAS = "Scoring it again came to nothing; the numbers that it had stay."


def with_line(log: list[Line], sentence: str, now: datetime | None = None) -> list[Line]:
    """The log with one line more, the oldest dropped when there are too many."""
    at = (now or timezone.now()).isoformat(timespec="seconds")
    return [*log, [at, sentence]][-KEPT:]


def worker_mark(worker: str) -> str:
    """Tells workers apart without naming their hosts."""
    return hashlib.sha256(worker.encode()).hexdigest()[:6]

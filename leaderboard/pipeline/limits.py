"""How long a run may take and how much memory a worker may use, and what is said beyond that.

A limit never makes a score: the run has failed, costs no quota and can be tried again.
"""

from __future__ import annotations

import resource

from django.conf import settings

from scoring.types import ScoringError

GRACE_SECONDS = 5.0
"""What a judge that was given up may still take to notice, before its worker starts anew."""

MEGABYTE = 1_048_576


class TookTooLong(ScoringError):  # noqa: N818 - named as the fault is spoken of
    """The run has used up its time."""

    code = "took-too-long"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"Scoring took longer than the {seconds:g} seconds that a run may take here, so it was "
            "stopped and nothing of it counts. The file has been accepted and is kept: have it "
            "tried again, it costs no quota."
        )


class OutOfMemory(ScoringError):  # noqa: N818 - likewise
    """The judge asked for more memory than its worker has."""

    code = "out-of-memory"

    def __init__(self) -> None:
        super().__init__(
            "Scoring ran out of memory, so it was stopped and nothing of it counts. The file has "
            "been accepted and is kept: have it tried again, it costs no quota. If it happens "
            "again, staff have to give the judge's worker more memory (WORKER_MEMORY_MB)."
        )


def is_out_of_memory(error: BaseException) -> bool:
    """True for Python's own error, torch's, and those of allocators that only say so."""
    said = str(error).lower()
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and ("out of memory" in said or "can't allocate" in said)
    )


def limit_memory() -> None:
    """Let this process, and its forks, ask for ``WORKER_MEMORY_MB`` at most; 0 is no limit.

    It is data that is counted (heap and private maps), not address space, of which CUDA and torch
    reserve far more than they use.
    """
    if settings.WORKER_MEMORY_MB:
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        wanted = settings.WORKER_MEMORY_MB * MEGABYTE
        if most != resource.RLIM_INFINITY:
            wanted = min(wanted, most)
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


def contradiction() -> str:
    """Why no worker can start with these limits, and what to set; empty when one can.

    A Redis broker delivers a message again that was not acknowledged for as long as its visibility
    timeout, so that must be longer than the longest run.
    """
    soft, hard = settings.RUN_SOFT_SECONDS, settings.RUN_HARD_SECONDS
    if not 0 < soft <= hard:
        return (
            f"RUN_SOFT_SECONDS is {soft} and RUN_HARD_SECONDS {hard}: both must be positive, and "
            "the first at most the second."
        )
    visible = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("visibility_timeout")
    if visible is not None and visible <= hard:
        return (
            f"BROKER_VISIBILITY_SECONDS is {visible}, and a run may take {hard} seconds "
            "(RUN_HARD_SECONDS): the broker would deliver its message again while it is being "
            "scored. Set it higher than that, or leave it out."
        )
    return ""


def impatience() -> str:
    """What a RabbitMQ broker does to runs as long as the limits allow; empty where it waits.

    Only the server's configuration says how long it waits (consumer_timeout), and a client cannot
    ask: ``BROKER_VISIBILITY_SECONDS`` repeats it. Nothing is lost either way, so it is no
    contradiction: the run has its row, and its message finds nothing to do the second time.
    """
    waits, hard = settings.BROKER_VISIBILITY_SECONDS, settings.RUN_HARD_SECONDS
    if waits > hard or not settings.CELERY_BROKER_URL.startswith(("amqp", "pyamqp")):
        return ""
    return (
        f"RabbitMQ waits {waits} seconds (its consumer_timeout, as BROKER_VISIBILITY_SECONDS has "
        f"it) for a message to be acknowledged, and a run may take {hard} (RUN_HARD_SECONDS): "
        "after a longer one the worker has to connect anew, and its message comes once more."
    )


def patience() -> str:
    """What to do about it."""
    wanted = settings.RUN_HARD_SECONDS + 600
    return (
        f"Set consumer_timeout = {wanted * 1000} in the server's rabbitmq.conf, and "
        f"BROKER_VISIBILITY_SECONDS={wanted}."
    )

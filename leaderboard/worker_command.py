"""`cliprank-worker`: a Celery worker that serves the judges it is given, or does not start.

    cliprank-worker                           all judges that have what they need here, and the rest
    cliprank-worker --judge NAME --judge ...  these judges alone
    cliprank-worker --cpu                     what needs no weights: rules, pairs, rankings, mails

Everything else (settings, sweeps, how a stop hands work back) is as with `celery worker`.
"""

from __future__ import annotations

import difflib
import enum
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Annotated

import django
import typer

from scoring.types import ScoringError

WRONG_USAGE, NOT_READY = 2, 1
THREADS = 8
"""Runs at once of judges that are asked over the network."""


class Pool(enum.StrEnum):
    """How a worker does several runs."""

    SOLO = "solo"
    THREADS = "threads"
    PREFORK = "prefork"


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def work(
    judge: Annotated[
        list[str] | None, typer.Option(help="A judge to serve; say it again for more.")
    ] = None,
    cpu: Annotated[bool, typer.Option("--cpu", help="Serve the general queue too.")] = False,
    pool: Annotated[
        Pool | None,
        typer.Option(help="Left out: solo where weights load, threads for servers, else prefork."),
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Runs at once; a solo worker does one.")
    ] = None,
    name: Annotated[str, typer.Option(help="NAME@HOST; %h is the host.")] = "",
    loglevel: Annotated[str, typer.Option(help="Of Celery's own log.")] = "INFO",
) -> None:
    """Score what is uploaded. Judges that are named are loaded and checked first; one that is not
    as the catalogue has it keeps the worker from starting.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    django.setup()
    from leaderboard.celery import app as celery  # noqa: PLC0415 - Django is set up by now
    from leaderboard.pipeline import limits  # noqa: PLC0415

    if wrong := limits.contradiction():
        _stop(wrong, WRONG_USAGE)
    judges = [_known(one) for one in judge or []]
    chosen = pool or _pool_for(judges, cpu=cpu)
    _check(judges, forks=chosen is Pool.PREFORK)
    options = ["--pool", chosen.value, "--loglevel", loglevel, "--optimization", "fair"]
    if queues := _queues(judges, cpu=cpu):
        options += ["--queues", ",".join(queues)]
    options += _size(chosen, concurrency)
    # Celery takes `--pool prefork` for a default, which the pool of the settings overrules.
    celery.conf.worker_pool = chosen.value
    celery.worker_main(["worker", *options, *(["--hostname", name] if name else [])])


def _known(name: str) -> str:
    """The judge's own name; ends the program with the nearest names when there is none such."""
    from leaderboard.pipeline import judges  # noqa: PLC0415

    kinds = judges.kinds()
    own = judges.own_name(name)
    if own in kinds:
        return own
    near = difflib.get_close_matches(name, kinds, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(kinds)}."
    return _stop(f"There is no judge {name!r}. {hint}", WRONG_USAGE)


def _pool_for(names: list[str], *, cpu: bool) -> Pool:
    """Weights are held once, by one process; waiting for a server takes threads."""
    from leaderboard.pipeline import judges  # noqa: PLC0415

    kinds = {judges.kinds()[name] for name in names}
    if kinds & judges.HEAVY or not (kinds or cpu):
        return Pool.SOLO
    return Pool.THREADS if kinds == {"endpoint"} and not cpu else Pool.PREFORK


def _queues(names: list[str], *, cpu: bool) -> list[str]:
    """None for all."""
    from django.conf import settings  # noqa: PLC0415

    from leaderboard.celery import queue_of  # noqa: PLC0415
    from leaderboard.pipeline import judges  # noqa: PLC0415

    general = cpu or bool(judges.RULES & set(names))
    queues = [queue_of(name) for name in names if name not in judges.RULES]
    return [*queues, *([str(settings.CELERY_TASK_DEFAULT_QUEUE)] if general else [])]


def _size(pool: Pool, concurrency: int | None) -> list[str]:
    """How many runs at once, and after how much memory and time a child of a fork is replaced."""
    from django.conf import settings  # noqa: PLC0415

    from leaderboard.pipeline import limits  # noqa: PLC0415

    if pool is Pool.SOLO:
        return []
    size = concurrency or (THREADS if pool is Pool.THREADS else os.cpu_count() or 1)
    options = ["--concurrency", str(size)]
    if pool is Pool.PREFORK:
        # Past the run's own limits, for a child that can no longer keep them itself.
        options += ["--time-limit", str(settings.RUN_HARD_SECONDS + 2 * limits.GRACE_SECONDS)]
        if settings.WORKER_MEMORY_MB:
            kibibytes = settings.WORKER_MEMORY_MB * 1024 * 3 // 4
            options += ["--max-memory-per-child", str(kibibytes)]
    return options


def _check(names: list[str], *, forks: bool) -> None:
    """Load each judge and compare it with its golden similarities; ends the program on the first
    that fails. Where the worker will fork, that is done in a process that ends with it.
    """
    for name in names:
        if forks:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
                fault = apart.submit(fault_of, name).result()
        else:
            fault = fault_of(name)
        if fault:
            _stop(f"The judge {name} cannot work here: {fault}", NOT_READY)


def fault_of(name: str) -> str:
    """Why the judge cannot work here; empty when it is as the catalogue has it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    django.setup()
    from leaderboard.pipeline import judges  # noqa: PLC0415

    try:
        judges.make_ready(name)
    except ScoringError as error:
        return str(error.__cause__ or error)
    return ""


def _stop(why: str, code: int) -> str:
    """End the program, saying why and that nothing was started."""
    typer.echo(f"cliprank-worker: {why}", err=True)
    raise typer.Exit(code)


def main() -> None:
    """Console entry point."""
    sys.exit(app())


if __name__ == "__main__":
    main()

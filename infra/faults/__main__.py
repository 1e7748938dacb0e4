"""Faults, one after the other, on private servers; counts are printed and can be recorded.

    python -m infra.faults                      all of them
    python -m infra.faults workers_killed ...   these
    python -m infra.faults --seed 7 --record    another sequence of moments; write RESULTS.md

Everything runs on loopback, in a folder that is removed at the end. It exits with 1 when after a
fault something is stuck, lost, scored twice or with other digits, or counted wrong.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import signal
import sys
import tempfile
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path

from infra.faults.grounds import Grounds
from infra.faults.scenarios import SCENARIOS
from infra.faults.servers import Absent, Postgres, Redis
from infra.faults.site import Site

RESULTS = Path(__file__).with_name("RESULTS.md")
RIGHT = ("accepted", "done", "failed_with_reason", "attempts")
"""Counts of what may be; all others are faults."""

Outcome = dict[str, object]


def main() -> int:
    """Run what was asked for; 0 when every site has recovered."""
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # servers end with it
    chosen = [one for one in SCENARIOS if not options.names or one.__name__ in options.names]
    with tempfile.TemporaryDirectory(prefix="cliprank-faults-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        postgres, redis = Postgres(folder / "postgres"), Redis(folder / "redis")
        outcomes: dict[str, Outcome] = {}
        try:
            postgres.start()
            redis.start()
            grounds = Grounds(folder, options.seed, options.submissions, postgres, redis)
            _set_up(grounds)
            for scenario in chosen:
                outcomes[scenario.__name__] = _one(scenario, grounds)
                print(f"{scenario.__name__}: {outcomes[scenario.__name__]}", flush=True)
        finally:
            postgres.stop()
            redis.stop()
    if options.record:
        RESULTS.write_text(_report(outcomes, options.seed, options.submissions))
    return int(any(one.get("faults") for one in outcomes.values()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m infra.faults", description=__doc__)
    names = [one.__name__ for one in SCENARIOS]
    parser.add_argument("names", nargs="*", choices=[*names, []], metavar="SCENARIO")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--submissions", type=int, default=24)
    parser.add_argument("--record", action="store_true", help="write RESULTS.md")
    return parser.parse_args()


def _set_up(grounds: Grounds) -> None:
    """Tables and undisturbed numbers, once for each kind of database; sites are copies of it."""
    grounds.postgres.create("base")
    url = grounds.postgres.url("base")
    Site(grounds.folder / "base", database=url, broker=grounds.redis.url)
    Site(grounds.folder / "embedded")


def _one(scenario: object, grounds: Grounds) -> Outcome:
    """Disturb a site, let it recover, try again what failed, and count."""
    grounds.notes = {}
    begun = time.monotonic()
    try:
        site: Site = scenario(grounds)  # type: ignore[operator]
        counts = site.settled()
        first = {"failed at first": counts["failed_with_reason"]}
        if counts["failed_with_reason"]:
            site.inside("again")
            counts = site.settled()
    except Absent as absent:
        return {"skipped": str(absent)}
    except Exception:
        traceback.print_exc()
        print(*(one.log() for one in grounds.sites))
        return {"faults": {"broke": 1}}
    finally:
        grounds.close()
    faults = {what: n for what, n in counts.items() if what not in RIGHT and n}
    if counts["done"] != counts["accepted"]:
        faults["not_done"] = counts["accepted"] - counts["done"]
    if site.begun_once and counts["attempts"] != counts["accepted"]:
        faults["begun_twice"] = counts["attempts"] - counts["accepted"]
    right = {what: counts[what] for what in RIGHT if what != "failed_with_reason"}
    seconds = round(time.monotonic() - begun)
    return {"seconds": seconds, **grounds.notes, **right, **first, "faults": faults}


def _report(outcomes: dict[str, Outcome], seed: int, submissions: int) -> str:
    lines = [
        "# Faults",
        "",
        f"`python -m infra.faults --record`, seed {seed}, {submissions} submissions each (500 in",
        f"`many_at_once`), on {datetime.now(UTC):%Y-%m-%d}: {os.cpu_count()} cores, "
        f"{platform.machine()}, Python {platform.python_version()}, load",
        f"average {os.getloadavg()[0]:.0f} at the end: where other work goes on, seconds are no",
        "measure of speed. Each scenario says in `scenarios.py` or `storage.py` what it does.",
        "",
        "*faults* counts what must not be: runs stuck, lost or failed without a reason, scored",
        "twice or with other digits than an undisturbed run, missing on the board, wrongly counted",
        "against the quota; files without a submission. *attempts* counts how often workers began",
        "a run, *failed at first* those that said why and were scored when tried again.",
        "",
        "| scenario | what was done | accepted | scored | failed at first | attempts | faults | s |"
        "\n|---|---|---|---|---|---|---|---|",
    ]
    for name, one in outcomes.items():
        if "skipped" in one:
            lines.append(f"| {name} | not run: {one['skipped']} | | | | | | |")
            continue
        known = ("seconds", "accepted", "done", "attempts", "failed at first", "faults")
        did = ", ".join(f"{what} {n}" for what, n in one.items() if what not in known)
        faults = one.get("faults") or 0
        cells = [one.get(what, "") for what in ("accepted", "done", "failed at first", "attempts")]
        row = " | ".join(map(str, [name, did, *cells, faults, one.get("seconds", "")]))
        lines.append(f"| {row} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    if shutil.which("ps") is None:
        sys.exit("`ps` is needed (Debian: apt-get install procps)")
    sys.exit(main())

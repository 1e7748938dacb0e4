"""How close the facts protocol comes to the time that a judge's concurrency limit allows.

    python infra/bench/facts.py [--clips 200] [--latency 0.05] [--concurrency 8]

A server that speaks the OpenAI protocol runs in a process of its own and answers each request
after the latency. Every clip needs four requests: both texts taken apart, both lists of facts
checked. The least time is requests x latency / concurrency; the last line is `ratio = N`, the time
taken over it. Reach: under 1.3. A second submission on the same references is timed as well: with
the reply cache it needs three requests a clip.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scoring.judges.chat import ChatJudge
from scoring.judges.endpoint import Endpoint
from scoring.judges.reply_cache import ReplyCache
from scoring.protocols import facts
from scoring.types import Reference

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "tests" / "support" / "openai_server.py"
THINGS = ("dog", "cat", "man", "woman", "car", "boat", "child", "bird", "train", "horse")
DOINGS = ("runs", "waits", "turns left", "stands still", "moves slowly", "is red", "is small")


def text(seed: int) -> str:
    """Five sentences that no other seed gives."""
    parts = [
        f"The {THINGS[(seed + n) % len(THINGS)]} number {seed} {DOINGS[(seed + n) % len(DOINGS)]}."
        for n in range(5)
    ]
    return " ".join(parts)


@contextmanager
def served(latency: float) -> Iterator[str]:
    """The address of a running server."""
    command = [sys.executable, str(SERVER), "--latency", str(latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip() if process.stdout else ""
        finally:
            process.kill()


def main() -> None:
    """Time both submissions and print the ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--clips", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--concurrency", type=int, default=8)
    options = parser.parse_args()
    clips = [f"clip-{n:04d}" for n in range(options.clips)]
    references = {clip: [Reference(text(2 * n))] for n, clip in enumerate(clips)}
    cache = ReplyCache()
    least = options.clips * 4 * options.latency / options.concurrency
    with served(options.latency) as url:
        endpoint = Endpoint("bench", "test-model", url, concurrency=options.concurrency)
        judge = ChatJudge(endpoint.load())
        for title, offset in (("first submission", 1), ("second, references known", 100_001)):
            descriptions = {clip: text(2 * n + offset) for n, clip in enumerate(clips)}
            start = time.perf_counter()
            result = facts.score(judge, descriptions, references, cache=cache)
            taken = time.perf_counter() - start
            if not result.complete:
                sys.exit(f"the judge failed: {dict(list(result.failures.items())[:3])}")
            allowed = result.counts["calls"] * options.latency / options.concurrency
            print(
                f"{title}: {taken:.2f} s for {result.counts['calls']} requests, "
                f"the limit allows {allowed:.2f} s ({taken / allowed:.2f}x)"
            )
            if offset == 1:
                ratio = taken / least
    print(f"ratio = {ratio:.2f}")


if __name__ == "__main__":
    main()

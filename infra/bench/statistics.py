"""Time the bootstrap of a ranking against a plain loop over replicates, and check that they agree.

    python infra/bench/statistics.py             17 systems, 5 judges, 199 clips, 1000 replicates
    python infra/bench/statistics.py --large     also 1000 systems, 1000 clips, 10,000 replicates
    python infra/bench/statistics.py --replicates 100       a shorter plain loop

The plain loop is what one writes first over files of scores: for each replicate draw clip ids,
average each judge's values of them, rank each judge's column with scipy, add up Borda, order by
total and mean. A second loop does the same with the means of a replicate taken by numpy. All three
draw the same clips, so that the places must be equal in every replicate. Scores are made up (a clip
effect, a system effect and noise), some systems nearly equal. The last line is `ratio = N`: the
plain loop's time over ours.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.stats import rankdata

from scoring.ranking import bootstrap, statistics
from scoring.ranking.bootstrap import draws

Array = np.ndarray[Any, Any]


def made_up(systems: int, judges: int, clips: int) -> Array:
    """Scores between 0 and 1, (V, J, C), whose per-clip noise is that of a long description."""
    rng = np.random.default_rng(0)
    level = np.linspace(0.48, 0.68, systems)[:, None, None]
    clip = 0.05 * rng.standard_normal((1, 1, clips))
    own = 0.06 * rng.standard_normal((systems, 1, clips))
    seen = 0.03 * rng.standard_normal((systems, judges, clips))
    return np.clip(level + clip + own + seen, 0.0, 1.0)


def drawn_clips(clips: int, replicates: int, seed: int) -> list[Array]:
    """The clips of each replicate, in no particular order: what the loops resample."""
    return [
        np.repeat(np.arange(clips), counts[0].astype(np.int64))
        for counts in draws(clips, replicates, seed).counts(1)
    ]


def plain_loop(scores: Array, index: list[Array]) -> Array:
    """Places of each replicate, (B, V): from values by system, judge and clip id, as files hold."""
    systems, judges, clips = (range(count) for count in scores.shape)
    ids = [f"clip-{c:03}" for c in clips]
    values = [[dict(zip(ids, scores[v, j].tolist(), strict=True)) for j in judges] for v in systems]

    def means_of(drawn: Array, judge: int) -> Array:
        sample = [ids[c] for c in drawn]
        return np.array([np.mean([values[v][judge][clip] for clip in sample]) for v in systems])

    return np.array([places(drawn, means_of, scores.shape) for drawn in index])


def numpy_loop(scores: Array, index: list[Array]) -> Array:
    """The same with one numpy mean a judge and replicate."""

    def means_of(drawn: Array, judge: int) -> Array:
        return scores[:, judge, drawn].mean(axis=1)

    return np.array([places(drawn, means_of, scores.shape) for drawn in index])


def places(
    drawn: Array, means_of: Callable[[Array, int], Array], shape: tuple[int, ...]
) -> list[int]:
    """The places of one replicate: ranks by judge, Borda, order by total and mean, ties shared."""
    systems, judges = shape[0], shape[1]
    total, mean = np.zeros(systems), np.zeros(systems)
    for judge in range(judges):
        means = means_of(drawn, judge)
        total += systems - rankdata(-means, method="average")
        mean += means / judges
    order = sorted(range(systems), key=lambda v: (-total[v], -mean[v]))
    found = [0] * systems
    for at, v in enumerate(order):
        before = order[at - 1]
        same = at > 0 and total[v] == total[before] and abs(mean[v] - mean[before]) < 1e-12
        found[v] = found[before] if same else at + 1
    return found


def timed(work: Callable[[], Any], times: int = 1) -> tuple[float, Any]:
    """The shortest of ``times`` runs, in seconds, and the result."""
    best, result = float("inf"), None
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result


def peak_mib() -> float:
    """Peak resident memory of this process."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 if sys.platform != "darwin" else peak / 1024**2


def large(replicates: int) -> None:
    """1000 systems, 5 judges, 1000 clips."""
    before = peak_mib()
    scores = made_up(1000, 5, 1000)
    seconds, found = timed(lambda: bootstrap(scores, replicates=replicates))
    low, high = found.rank_interval()
    first = found.first()
    print(f"large: V=1000 J=5 C=1000 B={replicates}: {seconds:.2f} s")
    print(f"large: widest rank interval {int((high - low).max())}, P(first) {first.max():.3f}")
    print(f"large: peak memory {peak_mib():.0f} MiB ({before:.0f} MiB before)")


def main() -> int:
    """Run, print, and fail if the two disagree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=17)
    parser.add_argument("--judges", type=int, default=5)
    parser.add_argument("--clips", type=int, default=199)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--large", action="store_true", help="add the case of 1000 systems")
    parser.add_argument("--large-replicates", type=int, default=10_000)
    options = parser.parse_args()
    scores = made_up(options.systems, options.judges, options.clips)
    print(f"machine: {platform.machine()}, {os.cpu_count()} CPUs, numpy {np.__version__}")
    print(f"case: V={options.systems} J={options.judges} C={options.clips} B={options.replicates}")
    ours, found = timed(lambda: bootstrap(scores, replicates=options.replicates), times=20)
    index = drawn_clips(options.clips, options.replicates, seed=0)
    plain, expected = timed(lambda: plain_loop(scores, index))
    quicker, also = timed(lambda: numpy_loop(scores, index))
    print(f"plain loop: {plain:.3f} s; with numpy means: {quicker:.3f} s")
    print(f"bootstrap:  {ours * 1e3:.2f} ms (best of 20)")
    equal = np.array_equal(found.places, expected) and np.array_equal(expected, also)
    print(f"places equal in all {options.replicates} replicates: {'yes' if equal else 'NO'}")
    names = [f"s{v}" for v in range(options.systems)]
    judges = [f"j{j}" for j in range(options.judges)]
    whole, _ = timed(lambda: statistics(names, judges, scores), times=3)
    print(f"all statistics of the reliability page: {whole * 1e3:.0f} ms (best of 3)")
    if options.large:
        large(options.large_replicates)
    print(f"ratio = {plain / ours:.0f}")
    return 0 if equal else 1


if __name__ == "__main__":
    raise SystemExit(main())

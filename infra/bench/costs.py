"""What one submission costs: seconds of processor for each judge, and bytes of what is kept.

    python infra/bench/costs.py DIR                     CLIP-CC-Bench as its authors lay it out
    python infra/bench/costs.py DIR --judge char-tfidf

The first system brings the references with it; one more is what counts: its own texts alone are
new. Runs are scored by the worker's own function in this process, on SQLite.
"""

# ruff: noqa: PLC0415 - Django is set up over its own database before anything of it is imported
from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

if not __package__:  # in place of the folder of this script
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from infra.bench import loaded_site, web

EMBEDDED = ["all-minilm-l6-v2", "use-multilingual-v3", "char-tfidf"]


def prepared(benchmark: Path, folder: Path) -> list[Any]:
    """Submissions of the first two systems of the benchmark, not yet scored."""
    from leaderboard.importers.clip_cc_bench import import_clip_cc_bench
    from leaderboard.models import Submission

    some = folder / "benchmark"
    (some / "models").mkdir(parents=True)
    (some / "clip_cc_dataset.json").symlink_to(benchmark / "clip_cc_dataset.json")
    for path in sorted((benchmark / "models").glob("*.json"))[:2]:
        (some / "models" / path.name).symlink_to(path)
    import_clip_cc_bench(some, published=None, submit=True)
    return list(Submission.objects.order_by("created_at"))


def score(submission: Any, judge: str) -> tuple[float, float]:
    """Seconds by the clock and of the processor that a run takes."""
    from leaderboard.models import Run
    from leaderboard.pipeline.score import score_run

    run = Run.objects.get(submission=submission, judge=judge)
    start, begun = time.perf_counter(), time.process_time()
    score_run(run.pk, worker="costs")
    taken = time.perf_counter() - start, time.process_time() - begun
    run.refresh_from_db()
    if run.state != Run.State.DONE:
        raise SystemExit(f"{judge}: {run.state}: {run.error}")
    return taken


def kept(submission: Any) -> dict[str, int]:
    """Bytes of what is stored of it, without keys and indexes."""
    from django.db.models import Sum, TextField
    from django.db.models.functions import Cast, Length

    from leaderboard.models import Description, Evidence, ScoreVector

    def of(rows: Any, field: Any) -> int:
        return int(rows.aggregate(bytes=Sum(Length(field)))["bytes"] or 0)

    return {
        "file": submission.size,
        "descriptions": of(Description.objects.filter(submission=submission), "text"),
        "score vectors": of(ScoreVector.objects.filter(run__submission=submission), "data"),
        "evidence": of(
            Evidence.objects.filter(run__submission=submission), Cast("data", TextField())
        ),
    }


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("benchmark", type=Path)
    options.add_argument("--judge", action="append", choices=EMBEDDED)
    asked = options.parse_args()
    judges = asked.judge or EMBEDDED
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        web.set_up(folder, "")
        first, second = prepared(asked.benchmark.resolve(), folder)
        print(loaded_site.machine())
        words = [len(text.split()) for text in second.descriptions.values_list("text", flat=True)]
        print(f"{len(words)} descriptions, {sum(words)} words\n")
        print("| judge | first system: processor s | one more: clock s | processor s |")
        print("|---|---|---|---|")
        for judge in judges:
            _, cold = score(first, judge)
            clock, processor = score(second, judge)
            print(f"| {judge} | {cold:.1f} | {clock:.1f} | {processor:.1f} |", flush=True)
        print(f"\nbytes: {kept(second)}")
        cached = [path for path in folder.glob("cache/embeddings/**/*") if path.is_file()]
        print(f"vectors in the cache, of both systems and the references: "
              f"{sum(path.stat().st_size for path in cached) / 1e6:.1f} MB")  # fmt: skip


if __name__ == "__main__":
    main()

"""Time our engine against a plain pair-by-pair loop: same judge, same data, same machine.

The plain loop does what a benchmark script does: for every system and clip it encodes the whole
reference, the whole description, the reference's sentences and the description's sentences, in
batches of 8, and the references again for each system. Ours scores system after system with an
embedding cache that begins empty. Both take all their time into account: splitting sentences,
tokenising, encoding, similarities.

    python infra/bench/semantic.py --data ../shared/data/clip-cc-bench

prints both times, the time of a system added when the references are cached, the time of scoring
everything again, and the largest difference of any value; the last line is `ratio = N`, plain over
cold. `--profile` adds where the engine's time goes, operator by operator.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from scoring.cache import EmbeddingCache, FileStore
from scoring.judges import catalogue
from scoring.judges.base import EmbeddingJudge
from scoring.protocols import semantic
from scoring.text import split_sentences
from scoring.types import JudgeResult, Reference

BATCH = 8
TOLERANCE = 1e-5

Descriptions = Mapping[str, str]
Reader = Callable[[list[str]], Any]


def main() -> int:
    """Run, print, and say by the exit code whether the values agree."""
    options = arguments()
    references, systems = read(options.data, options.clips, options.systems)
    judge = catalogue.load(options.judge)
    shown = {clip: [Reference(text)] for clip, text in references.items()}
    if judge.entry.needs_fit:
        judge = judge.fit([s for text in references.values() for s in split_sentences(text)])
    few = dict(list(references.items())[:2])
    plain_loop(reader(judge), next(iter(systems.values())), few)  # warms up what loads late
    print(f"judge {judge.signature('truncate')}")
    print(f"{len(systems)} systems x {len(references)} clips, {os.cpu_count()} cores, {machine()}")

    plain, plain_times = timed(
        "plain", systems, lambda texts: plain_loop(reader(judge), texts, references)
    )
    with tempfile.TemporaryDirectory() as folder:
        cache = EmbeddingCache(FileStore(folder))

        def engine(texts: Descriptions) -> JudgeResult:
            return semantic.score(judge, texts, shown, long_text="truncate", cache=cache)

        cold, cold_times = timed("engine", systems, engine)
        semantic.forget_sentences()
        again, again_times = timed("again", systems, engine)
        if options.profile:
            profile(judge, systems, shown)

    worst = max(
        difference(values, [result.metrics[name] for name in semantic.METRICS])
        for results in (cold, again)
        for values, result in zip(plain, results, strict=True)
    )
    report(plain_times, cold_times, again_times, worst)
    return 0 if worst <= TOLERANCE else 1


def report(
    plain: Sequence[float], cold: Sequence[float], again: Sequence[float], worst: float
) -> None:
    """All figures; the last line is the ratio."""
    print(f"pair by pair               {sum(plain):9.2f} s")
    print(f"engine, cold               {sum(cold):9.2f} s   {sum(plain) / sum(cold):7.2f} x")
    if len(plain) > 1:
        name = f"added system (mean of {len(plain) - 1})"
        one, ours = np.mean(plain[1:]), np.mean(cold[1:])
        print(f"{name:26} {ours:9.2f} s   {one / ours:7.2f} x  (plain {one:.2f} s)")
    print(f"everything scored again    {sum(again):9.2f} s   {sum(plain) / sum(again):7.2f} x")
    print(f"largest difference of any value: {worst:.1e} (tolerance {TOLERANCE:.0e})")
    print(f"ratio = {sum(plain) / sum(cold):.2f}")


def plain_loop(
    encode: Reader, descriptions: Descriptions, references: Mapping[str, str]
) -> list[np.ndarray]:
    """The five values per clip, pair by pair: nothing is kept from one pair to the next."""
    rows = []
    for clip, reference in references.items():
        description = descriptions[clip]
        whole = encode([reference]), encode([description])
        fine = encode(split_sentences(reference)), encode(split_sentences(description))
        coarse = float((whole[1] @ whole[0].T)[0, 0])
        cosines = fine[1] @ fine[0].T
        precision, recall = float(cosines.max(1).mean()), float(cosines.max(0).mean())
        f1 = harmonic(precision, recall)
        rows.append((coarse, precision, recall, f1, harmonic(coarse, f1)))
    return list(np.array(rows).T)


def harmonic(first: float, second: float) -> float:
    """Harmonic mean, 0 unless both are > 0."""
    return 2 * first * second / (first + second) if first > 0 and second > 0 else 0.0


def reader(judge: Any) -> Reader:
    """How a script without an engine has this judge read texts: in batches of 8."""
    if judge.entry.kind == "sentence-transformers":
        return lambda texts: judge._model.encode(
            texts, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
        )
    if judge.entry.needs_fit:
        return lambda texts: judge._model.transform(texts).toarray()

    def in_batches(texts: list[str]) -> np.ndarray:
        parts = [judge.forward(texts[i : i + BATCH]) for i in range(0, len(texts), BATCH)]
        matrix = np.concatenate(parts)
        return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True))

    return in_batches


def difference(values: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> float:
    """The largest difference of any value."""
    return float(np.abs(np.array(values) - np.array(others)).max())


def timed(
    what: str, systems: Mapping[str, Descriptions], work: Callable[[Descriptions], Any]
) -> tuple[list[Any], list[float]]:
    """Do the work system by system; results and seconds."""
    results, seconds = [], []
    for name, descriptions in systems.items():
        start = time.perf_counter()
        results.append(work(descriptions))
        seconds.append(time.perf_counter() - start)
        print(f"{what:7} {name:20} {seconds[-1]:8.2f} s", file=sys.stderr, flush=True)
    return results, seconds


def profile(
    judge: EmbeddingJudge,
    systems: Mapping[str, Descriptions],
    references: Mapping[str, Sequence[Reference]],
) -> None:
    """Where the engine's time goes on the first system."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as found:
        semantic.score(judge, next(iter(systems.values())), references, long_text="truncate")
    print(found.key_averages().table(sort_by="self_cpu_time_total", row_limit=12))


def read(folder: Path, clips: int, systems: int) -> tuple[dict[str, str], dict[str, Descriptions]]:
    """References and descriptions, over the clips that every system described."""
    dataset = json.loads((folder / "clip_cc_dataset.json").read_text())
    found = {
        file.stem: json.loads(file.read_text())
        for file in sorted((folder / "models").glob("*.json"))[:systems]
    }
    everywhere = set.intersection(*(set(texts) for texts in found.values()))
    rows = [row for row in dataset if row["id"] in everywhere and row["id"] != "126"][:clips]
    return {row["id"]: row["summary"] for row in rows}, found


def machine() -> str:
    """The processor, in words."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor()


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="a folder like CLIP-CC-Bench's")
    parser.add_argument("--judge", default="all-minilm-l6-v2")
    parser.add_argument("--clips", type=int, default=1_000_000)
    parser.add_argument("--systems", type=int, default=1_000_000)
    parser.add_argument("--profile", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

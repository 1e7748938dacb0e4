"""A folder shaped like CLIP-CC-Bench, small and of our own words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

METRICS = ("coarse", "fine_precision", "fine_recall", "fine_f1", "hm_cf")
CLIPS = ("001", "002", "126")


def published_system(display: str, *means: float, **card: Any) -> dict[str, Any]:
    """A system of a results file, with one mean for all metrics of each published judge."""
    aliases = ("gte-qwen2-7b", "kalm", "nemo", "nv-embed", "qwen3-8b")
    return {
        "display": display,
        "params": "7B",
        "family": "Test",
        "max_frames": 8,
        "judges": {
            name: {"clips": 2, **{metric: {"mean": mean, "std": 0.1} for metric in METRICS}}
            for name, mean in zip(aliases, means, strict=True)
        },
    } | card


@pytest.fixture
def write() -> Callable[[Path, Any], Path]:
    """``write(path, value)``: a JSON file."""

    def written(path: Path, value: Any) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
        return path

    return written


@pytest.fixture
def folder(tmp_path: Path, write: Callable[[Path, Any], Path]) -> Path:
    """Three clips, one of them the excluded one, and two systems."""
    root = tmp_path / "bench"
    dataset = [
        {
            "id": clip,
            "file_link": f"https://example.org/watch?v={clip}",
            "summary": f" A man opens door {clip}. He looks around.",
        }
        for clip in CLIPS
    ]
    write(root / "clip_cc_dataset.json", dataset)
    texts = {clip: f"A man opens a door with the number {clip}." for clip in CLIPS[:2]}
    write(root / "models" / "Big2.5-72B.json", texts)
    write(root / "models" / "small_one.json", texts | {"001": "A dog sleeps."})
    return root


@pytest.fixture
def results(tmp_path: Path, write: Callable[[Path, Any], Path]) -> Path:
    """Published results of both systems, and of a third whose file is not in the folder."""
    systems = {
        "Big2.5-72B": published_system("Big 72B", 0.9, 0.8, 0.7, 0.6, 0.5, params="72B"),
        "small_one": published_system("Small One", 0.6, 0.6, 0.6, 0.5, 0.4),
        "absent": published_system("Absent", 0.1, 0.1, 0.1, 0.1, 0.1, max_frames=None),
    }
    return write(tmp_path / "published.json", {"source": "A paper", "systems": systems})

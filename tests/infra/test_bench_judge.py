"""The GPU benchmark runs without a GPU, and counts what it says it counts."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "infra" / "gpu" / "bench_judge.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_judge", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_judge"] = module
    spec.loader.exec_module(module)
    return module


def test_a_tiny_run_on_the_cpu() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--device", "cpu", "--size", "tiny"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    for figure in (
        r"^bf16 matrix product: \S+ TFLOP/s$",
        r"^encoded \d+ texts, \d+ tokens in ",
        r"^\d+\.\d texts/s$",
        r"^\d+ tokens/s$",
        r"^\S+ TFLOP/s, \d+% of the matrix product's$",
        r"^fp32 against bf16, small model: 1 - cosine of the same text at most \d\.\de-\d+;",
    ):
        assert re.search(figure, done.stdout, re.MULTILINE), (figure, done.stdout)


def test_the_lengths_are_those_of_the_whole_run(bench: ModuleType) -> None:
    lengths = bench.draw(bench.SIZES["8b"], np.random.default_rng(0))
    assert len(lengths) == 43_837
    assert 2.3e6 < lengths.sum() < 2.8e6


def test_operations_are_twice_the_weights_a_token_meets(bench: ModuleType) -> None:
    """Qwen3-Embedding-8B has 6.95B weights outside its vocabulary."""
    short = bench.SIZES["8b"].flops(np.array([1]))
    assert short / 2 == pytest.approx(6.95e9, rel=0.01)


def test_batches_hold_every_text_once_within_the_budget(bench: ModuleType) -> None:
    lengths = bench.draw(bench.SIZES["tiny"], np.random.default_rng(0))
    batches = bench.in_batches(lengths, 2048)
    assert sorted(np.concatenate(batches)) == list(range(len(lengths)))
    assert all(len(b) * lengths[b].max() <= 2048 or len(b) == 1 for b in batches)


def test_padding_does_not_change_a_vector(bench: ModuleType) -> None:
    """Left padding: the same text alone and beside a longer one."""
    torch = pytest.importorskip("torch")
    device, size = torch.device("cpu"), bench.SIZES["tiny"]
    torch.manual_seed(0)
    model = bench.build(size, device, torch.float32)
    texts = bench.sequences(np.array([5, 40]), size, np.random.default_rng(0))
    together = bench.vectors(model, texts, device)
    alone = bench.vectors(model, texts[:1], device)
    assert torch.allclose(together[0], alone[0], atol=1e-5)

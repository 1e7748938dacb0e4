"""The engine on encoders made for the test: order, batches, memory, long texts, failures."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from scoring import engine
from scoring.cache import EmbeddingCache, FileStore
from scoring.engine import Pieces
from scoring.judges.base import JudgeFailed

LIMIT = 8


class Letters:
    """Reads words as tokens, at most `LIMIT` of them; a vector counts letters."""

    dimension = 26

    def __init__(self, budget: int = 64) -> None:
        self.budget = budget
        self.batches: list[list[str]] = []

    def pieces(self, texts: Sequence[str], long_text: str) -> Pieces:
        items, owners, cut = [], [], []
        for owner, text in enumerate(texts):
            words = text.split()
            windows = [words[i : i + LIMIT] for i in range(0, len(words), LIMIT)]
            cut.append(len(windows) > 1)
            for window in windows if long_text == "windows" else windows[:1]:
                items.append(" ".join(window))
                owners.append(owner)
        lengths = np.array([len(item.split()) for item in items])
        return Pieces(items, lengths, np.array(owners), np.array(cut))

    def forward(self, items: Sequence[Any]) -> np.ndarray:
        self.batches.append(list(items))
        return np.array([self.count(item) for item in items], np.float32)

    @staticmethod
    def count(text: str) -> list[int]:
        return [text.count(chr(97 + place)) for place in range(26)]


def unit(text: str) -> np.ndarray:
    vector = np.array(Letters.count(text), float)
    return vector / np.linalg.norm(vector)


def run(encoder: Any, texts: Sequence[str], **options: Any) -> engine.DenseVectors:
    return engine.encode(
        encoder, texts, **({"signature": "letters", "long_text": "truncate"} | options)
    )


def of(found: engine.DenseVectors) -> np.ndarray:
    return found.matrix[found.rows]


WORDS = st.lists(st.sampled_from(["ab", "cde", "f", "gh", "zz"]), min_size=1, max_size=20)
TEXTS = st.lists(WORDS.map(" ".join), min_size=1, max_size=30)


@given(TEXTS, st.integers(1, 100))
def test_results_come_back_in_order_whatever_the_batches(texts: list[str], budget: int) -> None:
    found = of(run(Letters(budget), texts))
    for vector, text in zip(found, texts, strict=True):
        np.testing.assert_allclose(vector, unit(" ".join(text.split()[:LIMIT])), atol=1e-6)


@given(TEXTS, st.integers(1, 100))
def test_each_distinct_text_is_read_once_within_the_budget(texts: list[str], budget: int) -> None:
    encoder = Letters(budget)
    found = run(encoder, texts)
    read = list(itertools.chain.from_iterable(encoder.batches))
    assert len(read) == len(set(texts)) == found.encoded
    for batch in encoder.batches:
        longest = max(len(item.split()) for item in batch)
        assert longest * len(batch) <= budget or len(batch) == 1


def test_batches_go_from_long_to_short() -> None:
    """What may not fit into memory fails at once, and little is padded."""
    encoder = Letters(6)
    run(encoder, ["ab", "ab cde f", "gh zz", "f", "cde ab", "zz zz zz"])
    lengths = [[len(item.split()) for item in batch] for batch in encoder.batches]
    assert lengths == [[3, 3], [2, 2, 1], [1]]


def test_windows_are_averaged_and_normalised_again() -> None:
    text = "ab ab ab ab ab ab ab ab zz zz zz zz"
    truncated, whole = (run(Letters(), [text], long_text=rule) for rule in ("truncate", "windows"))
    mean = (unit("ab") + unit("zz")) / 2
    np.testing.assert_allclose(of(truncated)[0], unit("ab"), atol=1e-6)
    np.testing.assert_allclose(of(whole)[0], mean / np.linalg.norm(mean), atol=1e-6)
    assert (truncated.cut, whole.cut) == (1, 1)


def test_progress_counts_distinct_texts_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    texts = ["ab cde", "f", "ab cde", " ".join(["gh"] * 30), "zz"]
    run(Letters(8), texts, long_text="windows", progress=lambda *told: seen.append(told))
    assert seen[0] == (0, 4)
    assert seen[-1] == (4, 4)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


class Narrow(Letters):
    """A device that holds few texts at a time."""

    def __init__(self, room: int, error: Exception) -> None:
        super().__init__(budget=1_000)
        self.room = room
        self.error = error

    def forward(self, items: Sequence[Any]) -> np.ndarray:
        if len(items) > self.room:
            raise self.error
        return super().forward(items)


def torch_error() -> Exception:
    return torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(torch_error, id="torch"),
        pytest.param(lambda: RuntimeError("CUDA error: out of memory"), id="runtime"),
        pytest.param(MemoryError, id="python"),
        pytest.param(lambda: RuntimeError("DefaultCPUAllocator: can't allocate memory"), id="cpu"),
    ],
)
def test_out_of_memory_halves_the_batch_and_goes_on(error: Any) -> None:
    texts = [f"{word} {'x' * place}" for place, word in enumerate(["ab", "f", "zz"] * 7)]
    encoder = Narrow(3, error())
    np.testing.assert_array_equal(of(run(encoder, texts)), of(run(Letters(), texts)))
    assert max(map(len, encoder.batches)) <= 3
    assert len(encoder.batches) < 15, "later batches keep the smaller budget, and are not too small"


def test_one_text_that_does_not_fit_fails_loudly() -> None:
    with pytest.raises(JudgeFailed, match="2 tokens alone"):
        run(Narrow(0, MemoryError()), ["ab zz"])


def test_another_error_of_the_model_is_not_taken_for_memory() -> None:
    with pytest.raises(RuntimeError, match="device-side assert"):
        run(Narrow(0, RuntimeError("device-side assert triggered")), ["ab"])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_vector_that_is_not_finite_fails_loudly(value: float, tmp_path: Path) -> None:
    """EM-01: it is neither averaged nor kept."""

    class Broken(Letters):
        def forward(self, items: Sequence[Any]) -> np.ndarray:
            found = super().forward(items)
            found[-1, 3] = value
            return found

    cache = EmbeddingCache(FileStore(tmp_path))
    with pytest.raises(JudgeFailed, match="not finite"):
        run(Broken(), ["ab", "zz"], cache=cache)
    assert cache.stats().segments == 0


def test_what_the_cache_knows_is_not_read_again(tmp_path: Path) -> None:
    cache = EmbeddingCache(FileStore(tmp_path))
    long = " ".join(["gh"] * 9)
    first = run(Letters(), ["ab", "zz", long], cache=cache)
    encoder = Letters()
    second = run(encoder, [long, "f", "zz"], cache=cache)
    assert encoder.batches == [["f"]]
    assert (first.encoded, second.encoded) == (3, 1)
    assert (first.cut, second.cut) == (1, 1), "a text known from before is still counted as cut"
    np.testing.assert_array_equal(of(second)[[0, 2]], of(first)[[2, 1]])


def test_another_signature_knows_nothing(tmp_path: Path) -> None:
    cache = EmbeddingCache(FileStore(tmp_path))
    run(Letters(), ["ab"], cache=cache)
    assert run(Letters(), ["ab"], signature="other", cache=cache).encoded == 1


def test_a_killed_job_keeps_what_it_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups are kept as they are done."""
    monkeypatch.setattr(engine, "GROUP", 4)
    cache = EmbeddingCache(FileStore(tmp_path))
    texts = ["f " * (place + 1) for place in range(8)]

    def stop(done: int, total: int) -> None:
        if done > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Letters(4), texts, cache=cache, progress=stop)
    assert run(Letters(), texts, cache=cache).encoded == 4


def test_many_vectors_lie_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded for a submission of any size; values are the same."""
    texts = ["ab", "zz f", "cde"]
    expected = run(Letters(), texts)
    monkeypatch.setattr(engine, "IN_MEMORY", 10)
    found = run(Letters(), texts)
    assert isinstance(found.matrix, np.memmap)
    np.testing.assert_array_equal(of(found), of(expected))
    np.testing.assert_array_equal(found.cosines([0, 1], [2]), expected.cosines([0, 1], [2]))


def test_cosines() -> None:
    found = run(Letters(), ["ab", "zz", "ab"])
    np.testing.assert_allclose(found.cosines([0, 1], [0, 1, 2]), [[1, 0, 1], [0, 1, 0]], atol=1e-6)
    assert found.cosines([0, 1], [0, 1, 2]).dtype == np.float64
    assert len(found) == 3


def test_a_text_without_a_vector_has_cosine_0() -> None:
    """Never 0/0."""
    found = run(Letters(), ["123", "ab"])
    np.testing.assert_array_equal(found.cosines([0], [0, 1]), [[0, 0]])


def test_no_texts() -> None:
    found = run(Letters(), [])
    assert (len(found), found.encoded, found.cut) == (0, 0, 0)

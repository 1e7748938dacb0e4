"""The embedding cache: what is kept is found again, by any process, and never more than allowed."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from scoring.cache import EmbeddingCache, FileStore

DIMENSION = 6


def vectors(texts: Sequence[str], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.random((len(texts), DIMENSION), np.float32), random.random(len(texts)) < 0.5


def ask(
    cache: EmbeddingCache, texts: Sequence[str], signature: str = "judge:a"
) -> tuple[list[int], np.ndarray, np.ndarray]:
    matrix, cut = np.zeros((len(texts), DIMENSION), np.float32), np.zeros(len(texts), np.bool_)
    missing = cache.fill(signature, texts, matrix, cut)
    return missing.tolist(), matrix, cut


@pytest.fixture
def cache(tmp_path: Path) -> EmbeddingCache:
    return EmbeddingCache(FileStore(tmp_path / "cache"))


TEXTS = [f"text {place}" for place in range(300)]


def test_what_was_put_is_found_by_another_process(cache: EmbeddingCache) -> None:
    matrix, cut = vectors(TEXTS)
    cache.put("judge:a", TEXTS, matrix, cut)
    other = EmbeddingCache(cache.store)
    asked = [TEXTS[7], "new", TEXTS[299], TEXTS[0], "also new"]
    missing, found, found_cut = ask(other, asked)
    assert missing == [1, 4]
    np.testing.assert_array_equal(found[[0, 2, 3]], matrix[[7, 299, 0]])
    np.testing.assert_array_equal(found_cut[[0, 2, 3]], cut[[7, 299, 0]])
    assert not found[[1, 4]].any()


def test_texts_spread_over_segments_are_gathered(cache: EmbeddingCache) -> None:
    matrix, cut = vectors(TEXTS)
    for start in range(0, 300, 100):
        part = slice(start, start + 100)
        cache.put("judge:a", TEXTS[part], matrix[part], cut[part])
    missing, found, _ = ask(cache, TEXTS[::-1])
    assert not missing
    np.testing.assert_array_equal(found, matrix[::-1])


def test_rows_far_apart_are_read_apart(
    cache: EmbeddingCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoring.cache._GAP", 40)
    matrix, cut = vectors(TEXTS)
    cache.put("judge:a", TEXTS, matrix, cut)
    asked = [TEXTS[place] for place in (5, 250, 6, 100, 299)]
    missing, found, _ = ask(cache, asked)
    assert not missing
    np.testing.assert_array_equal(found, matrix[[5, 250, 6, 100, 299]])


def test_signatures_and_dimensions_are_apart(cache: EmbeddingCache) -> None:
    cache.put("judge:a", ["x"], *vectors(["x"]))
    assert ask(cache, ["x"], "judge:b")[0] == [0]
    cache.put("judge:c", ["x"], np.ones((1, 3), np.float32), np.zeros(1, np.bool_))
    assert ask(cache, ["x"], "judge:c")[0] == [0], "a vector of another length is no vector of it"


@pytest.mark.parametrize("damage", ["short", "whole rows lack", "other", "empty"])
def test_a_damaged_segment_counts_as_unknown(
    damage: str, cache: EmbeddingCache, tmp_path: Path
) -> None:
    cache.put("judge:a", TEXTS, *vectors(TEXTS))
    segment = next((tmp_path / "cache").rglob("*.seg"))
    data = segment.read_bytes()
    rows = 2 * 4 * DIMENSION
    damaged = {"short": data[:-30], "whole rows lack": data[:-rows], "other": b"x" * 500}
    segment.write_bytes(damaged.get(damage, b""))
    missing, _, _ = ask(EmbeddingCache(cache.store), TEXTS)
    assert missing == list(range(300))


def test_a_segment_deleted_under_our_feet_counts_as_unknown(
    cache: EmbeddingCache, tmp_path: Path
) -> None:
    cache.put("judge:a", ["x"], *vectors(["x"]))
    assert ask(cache, ["x"])[0] == []
    segment = next((tmp_path / "cache").rglob("*.seg"))

    class Late(FileStore):
        def blobs(self, prefix: str = "") -> list[object]:  # type: ignore[override]
            found = super().blobs(prefix)
            segment.unlink(missing_ok=True)
            return found  # type: ignore[return-value]

    cache.store = Late(tmp_path / "cache")
    assert ask(cache, ["x"])[0] == [0]


def test_a_full_disk_is_logged_and_fails_nothing(
    cache: EmbeddingCache, caplog: pytest.LogCaptureFixture
) -> None:
    class Full(FileStore):
        def write(self, name: str, data: bytes) -> None:
            raise OSError(28, "No space left on device")

    full = EmbeddingCache(Full(Path("/nonexistent")))
    full.put("judge:a", ["x"], *vectors(["x"]))
    assert "No space left" in caplog.text


def test_two_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each with its own view of the same folder, on overlapping texts."""
    matrix, cut = vectors(TEXTS)

    def work(start: int) -> None:
        own = EmbeddingCache(FileStore(tmp_path))
        for place in range(start, 300, 2):
            part = slice(max(0, place - 3), place + 1)
            own.put("judge:a", TEXTS[part], matrix[part], cut[part])
            missing, found, _ = ask(own, TEXTS[part])
            assert not missing
            np.testing.assert_array_equal(found, matrix[part])

    failures: list[BaseException] = []

    def guarded(start: int) -> None:
        try:
            work(start)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(start,)) for start in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    missing, found, _ = ask(EmbeddingCache(FileStore(tmp_path)), TEXTS)
    assert not missing
    np.testing.assert_array_equal(found, matrix)
    assert not list(tmp_path.rglob("draft-*"))


def put_aged(cache: EmbeddingCache, root: Path, names: Sequence[str]) -> None:
    """One segment per name, each last used later than the one before."""
    for age, name in enumerate(names):
        before = set(root.rglob("*.seg"))
        cache.put("judge:a", [name], *vectors([name]))
        (made,) = set(root.rglob("*.seg")) - before
        os.utime(made, (1_000 + age, 1_000 + age))


def test_pruning_drops_what_was_not_used_for_longest(tmp_path: Path) -> None:
    cache = EmbeddingCache(FileStore(tmp_path))
    put_aged(cache, tmp_path, ["old", "older used again", "new"])
    ask(cache, ["old"])  # counts as a use
    size = cache.stats().size
    freed = cache.prune(size - 1)
    assert 0 < freed < size
    known = [name for name in ("old", "older used again", "new") if not ask(cache, [name])[0]]
    assert known == ["old", "new"]


def test_size_is_bounded_by_every_write(tmp_path: Path) -> None:
    cache = EmbeddingCache(FileStore(tmp_path), max_bytes=4_000)
    for place in range(50):
        texts = [f"{place} {text}" for text in TEXTS[:20]]
        cache.put("judge:a", texts, *vectors(texts))
        assert sum(file.stat().st_size for file in tmp_path.rglob("*.seg")) <= 4_000
    assert not ask(cache, texts)[0], "the newest stays"


def test_stats_say_whose_it_is(cache: EmbeddingCache) -> None:
    assert cache.stats().segments == 0
    cache.put("judge:a|rev:1", ["x"], *vectors(["x"]))
    cache.put("judge:b|rev:1", TEXTS, *vectors(TEXTS))
    stats = cache.stats()
    assert stats.segments == 2
    assert set(stats.judges) == {"judge:a|rev:1", "judge:b|rev:1"}
    assert sum(stats.judges.values()) == stats.size
    assert cache.prune(0) > 0
    assert cache.stats().size == 0

"""The reply cache: the first answer stays, whoever asks."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scoring.judges.reply_cache import Repetition, ReplyCache, reply_key


def test_an_answer_is_found_again_in_another_process_s_cache(tmp_path: Path) -> None:
    """One file; folders are made."""
    path = tmp_path / "deep" / "replies.sqlite"
    ReplyCache(path).keep("k", "judge", {"facts": ["a man", "ein Mädchen 😀"], "raw": "{}"})
    other = ReplyCache(path)
    assert other.found(["k", "unknown", "k"]) == {
        "k": {"facts": ["a man", "ein Mädchen 😀"], "raw": "{}"}
    }
    assert len(other) == 1


def test_case_lj_11_of_two_writers_the_first_wins(tmp_path: Path) -> None:
    """The second takes what is there, so both show the same score."""
    first, second = (ReplyCache(tmp_path / "r.sqlite") for _ in range(2))
    assert first.keep("k", "judge", {"v": 1}) == {"v": 1}
    assert second.keep("k", "judge", {"v": 2}) == {"v": 1}
    assert first.found(["k"]) == {"k": {"v": 1}}


def _write(path: Path, worker: int) -> list[int]:
    cache = ReplyCache(path)
    return [int(cache.keep(f"k{n}", "judge", {"v": worker})["v"]) for n in range(50)]


def test_processes_and_threads_write_at_once(tmp_path: Path) -> None:
    """All agree on every answer, also when they make the file at the same moment."""
    path = tmp_path / "r.sqlite"
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        seen = pool.starmap(_write, [(path, worker) for worker in range(3)])
    assert seen[0] == seen[1] == seen[2]
    cache = ReplyCache(path)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: cache.keep(f"t{n % 20}", "judge", {"v": n}), range(200)))
    assert len(cache) == 70


def test_many_keys_are_looked_up_at_once() -> None:
    """More than SQLite takes in one statement; an unnamed cache lives in memory."""
    cache = ReplyCache()
    for n in range(1200):
        cache.keep(str(n), "judge", {"v": n})
    found = cache.found(str(n) for n in range(2000))
    assert [found[str(n)]["v"] for n in range(1200)] == list(range(1200))
    assert len(found) == 1200


def test_answers_of_a_judge_can_be_forgotten() -> None:
    """By its name."""
    cache = ReplyCache()
    cache.keep("a", "one", {})
    cache.keep("b", "two", {})
    assert cache.forget("one") == 1
    assert set(cache.found(["a", "b"])) == {"b"}


def test_repetitions_do_not_find_each_other_s_answers() -> None:
    """The first one is the plain cache."""
    cache = ReplyCache()
    for index in range(3):
        Repetition(cache, index).keep("k", "judge", {"v": index})
    assert cache.found(["k"]) == {"k": {"v": 0}}
    assert [Repetition(cache, n).found(["k"])["k"]["v"] for n in range(3)] == [0, 1, 2]


def test_case_lj_10_everything_an_answer_depends_on_is_in_its_key() -> None:
    """Judge, prompt and parameters by the signature; task, language; every text in its order."""
    keys = [
        reply_key("judge:a|rev:1", "check", "en", "text", "fact 1", "fact 2"),
        reply_key("judge:a|rev:2", "check", "en", "text", "fact 1", "fact 2"),
        reply_key("judge:a|rev:1", "extract", "en", "text", "fact 1", "fact 2"),
        reply_key("judge:a|rev:1", "check", "de", "text", "fact 1", "fact 2"),
        reply_key("judge:a|rev:1", "check", "en", "other", "fact 1", "fact 2"),
        reply_key("judge:a|rev:1", "check", "en", "text", "fact 2", "fact 1"),
        reply_key("judge:a|rev:1", "check", "en", "text", "fact 1fact 2"),
        reply_key("judge:a|rev:1", "check", "en", "textfact 1", "fact 2"),
    ]
    assert len(set(keys)) == len(keys)
    assert keys[0] == reply_key("judge:a|rev:1", "check", "en", "text", "fact 1", "fact 2")

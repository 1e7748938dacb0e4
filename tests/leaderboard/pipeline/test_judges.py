"""A judge is loaded and checked once in a worker, and keeps what it has read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from leaderboard.pipeline import judges
from scoring.judges import catalogue
from scoring.judges.base import JudgeDrifted
from scoring.protocols.keypoint_baseline import KeypointBaseline


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """No judge is loaded yet."""
    judges.ready_judge.cache_clear()
    yield
    judges.ready_judge.cache_clear()


def test_a_judge_is_loaded_and_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading takes long; so it happens once in a worker's life."""
    calls: list[str] = []
    load, check = catalogue.load, catalogue.check
    monkeypatch.setattr(catalogue, "load", lambda name: calls.append("load") or load(name))
    monkeypatch.setattr(catalogue, "check", lambda judge: calls.append("check") or check(judge))
    first = judges.ready_judge("char-tfidf")
    assert judges.ready_judge("char-tfidf") is first
    assert calls == ["load", "check"]


def test_a_drifted_judge_takes_no_work_and_blames_nobodys_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its code is kept; when it has been set right the next run tries anew."""

    def drifted(_: Any) -> float:
        raise JudgeDrifted("judge char-tfidf has drifted")

    with monkeypatch.context() as patched:
        patched.setattr(catalogue, "check", drifted)
        with pytest.raises(judges.JudgeNotReady, match="Your file is not the cause") as caught:
            judges.ready_judge("char-tfidf")
    assert caught.value.code == "judge-drifted"
    assert judges.ready_judge("char-tfidf").entry.name == "char-tfidf"


def test_an_unknown_judge_is_told_with_the_known_ones() -> None:
    """A curator's typing error."""
    with pytest.raises(judges.JudgeNotReady, match="char-tfidf") as caught:
        judges.ready_judge("char-tdidf")
    assert caught.value.code == "unknown-judge"


def test_the_cache_is_below_its_folder_and_can_be_emptied(
    settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command says what is left for which judge."""
    cache = judges.embedding_cache()
    vectors = np.ones((2, 4), np.float32)
    cache.put("judge:x", ["one", "two"], vectors, np.zeros(2, np.bool_))
    assert any((settings.CACHE_DIR / "embeddings").rglob("*.seg"))
    call_command("prune_cache")
    assert "judge:x" in capsys.readouterr().out
    call_command("prune_cache", "--max-bytes", "0")
    assert "0\xa0bytes left" in capsys.readouterr().out
    assert len(cache.fill("judge:x", ["one"], vectors[:1], np.zeros(1, np.bool_))) == 1


def test_the_baseline_of_keypoints_reads_with_a_checked_encoder_that_remembers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(judges, "ready_judge", lambda name: name)
        made = judges.keypoint_judge("keypoint-baseline")
    assert made.baseline
    assert isinstance(made, KeypointBaseline)
    assert made.encoder == judges.Remembering("all-minilm-l6-v2")  # type: ignore[arg-type]


def test_a_judge_of_keypoints_that_nobody_knows_is_told_with_the_known_ones() -> None:
    with pytest.raises(judges.JudgeNotReady, match=r"gpt-4\.1") as caught:
        judges.keypoint_judge("gpt-41")
    assert caught.value.code == "unknown-judge"

"""METEOR as one long-lived process that may die, stall or be asked anything."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from scoring import java
from scoring.java.meteor import Meteor, shared
from scoring.judges.base import JudgeFailed, JudgeUnavailable

pytestmark = [
    pytest.mark.skipif(not java.available(), reason="needs Java"),
    pytest.mark.xdist_group("java"),
]

REFERENCE = ["a", "small", "dog", "runs", "over", "the", "green", "grass"]
TEXT = ["a", "dog", "is", "running", "on", "grass"]


@pytest.fixture(scope="module")
def meteor() -> Iterator[Meteor]:
    """One process for this module, started in another locale."""
    before = os.environ.get("LC_ALL")
    os.environ["LC_ALL"] = "C"
    one = Meteor()
    one.score(TEXT, [REFERENCE])
    if before is None:
        del os.environ["LC_ALL"]
    else:
        os.environ["LC_ALL"] = before
    yield one
    one.close()


def _process_id(meteor: Meteor) -> int:
    assert meteor._process is not None
    return meteor._process.pid


def test_the_best_reference_counts_and_identity_is_1(meteor: Meteor) -> None:
    """In [0, 1]."""
    alone = meteor.score(TEXT, [REFERENCE])
    assert 0 < alone < 1
    assert meteor.score(TEXT, [["nothing", "shared"], REFERENCE]) == alone
    assert meteor.score(TEXT, [TEXT]) == pytest.approx(1.0)


def test_a_text_without_words_scores_0_and_takes_nothing_from_the_next(meteor: Meteor) -> None:
    """The jar itself would take the reference for the text, and give the full score."""
    alone = meteor.score(TEXT, [REFERENCE])
    assert meteor.score([], [REFERENCE]) == 0
    assert meteor.score(TEXT, [[]]) == 0
    assert meteor.score(TEXT, [[], REFERENCE]) == alone


def test_accents_count_in_any_locale(meteor: Meteor) -> None:
    """NG-07: read as ASCII, all accented letters would be one."""
    assert meteor.score(["café"], [["cafè"]]) == 0
    assert meteor.score(["café"], [["café"]]) > 0.5
    assert meteor.score(["一只狗"], [["一只猫"]]) < meteor.score(["一只狗"], [["一只狗"]])


def test_what_would_break_the_line_protocol_is_refused(meteor: Meteor) -> None:
    """The tokenizer never makes such tokens; the process is not even asked."""
    before = meteor.score(TEXT, [REFERENCE])
    for token in ("|||", "a\nb", "a\rb"):
        with pytest.raises(ValueError, match="METEOR"):
            meteor.score([token], [REFERENCE])
    assert meteor.score(TEXT, [REFERENCE]) == before


def test_a_dead_process_is_replaced(meteor: Meteor) -> None:
    """The question that met the dead process gets its answer."""
    before, starts = meteor.score(TEXT, [REFERENCE]), meteor.starts
    os.kill(_process_id(meteor), signal.SIGKILL)
    assert meteor.score(TEXT, [REFERENCE]) == before
    assert meteor.starts == starts + 1


def test_a_silent_process_is_given_up_and_its_late_reply_reaches_nobody(meteor: Meteor) -> None:
    """Both the stalled process and a new one that is not ready in time are killed."""
    before = meteor.score(TEXT, [REFERENCE])
    stalled = _process_id(meteor)
    os.kill(stalled, signal.SIGSTOP)
    meteor.timeout = 0.05
    with pytest.raises(JudgeFailed, match="METEOR gave no score: it was silent"):
        meteor.score(REFERENCE, [REFERENCE])
    meteor.timeout = 120
    assert meteor.score(TEXT, [REFERENCE]) == before
    assert _process_id(meteor) != stalled


def test_a_worker_has_one() -> None:
    """Started by the first question only."""
    assert shared() is shared()
    assert shared().starts in {0, 1}


def test_without_java_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The remedy is in the message."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(JudgeUnavailable, match="needs Java"):
        Meteor().score(TEXT, [REFERENCE])

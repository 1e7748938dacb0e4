"""An OpenAI-compatible server as a judge, against a real HTTP server with faults."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest

from scoring.judges.base import JudgeDrifted, JudgeFailed, JudgeUnavailable
from scoring.judges.chat import ChatJudge
from scoring.judges.endpoint import Endpoint
from scoring.judges.fact_judge import Answer, Facts, Question, Usage
from scoring.judges.verdicts import UnreadableReply
from tests.support.openai_server import Asked, OpenAIServer, Reaction, error, reply

TEXT = "A man walks. A dog barks."
FACTS = ("A man walks.", "A dog barks.")
CUT = '{"facts": ["A man walks.", "A do'


def _endpoint(server: OpenAIServer, **settings: Any) -> Endpoint:
    return Endpoint(
        **{"name": "test", "model": "test-model", "base_url": server.url, "timeout": 5.0} | settings
    )


def _extract(server: OpenAIServer, text: str = TEXT, **settings: Any) -> Answer[Facts]:
    judge = ChatJudge(_endpoint(server, **settings).load())
    ((place, answer),) = judge.extract([text], "en")
    assert place == 0
    return answer


def test_facts_and_verdicts_come_back_in_place() -> None:
    """Many questions at once, answers by the place of their question."""
    texts = [f"Man {n} walks. Dog {n} barks." for n in range(20)]
    with OpenAIServer() as server:
        judge = ChatJudge(_endpoint(server).load())
        answers = dict(judge.extract(texts, "en"))
        for n in range(20):
            assert answers[n].value == (f"Man {n} walks.", f"Dog {n} barks.")
        questions = [Question((f"Dog {n} barks.", "A cat."), text) for n, text in enumerate(texts)]
        for _, answer in judge.check(questions, "en"):
            assert isinstance(answer.value, tuple)
            assert [verdict.label for verdict in answer.value] == ["entailment", "neutral"]
            assert answer.value[0].reason == "words"


def test_what_is_sent() -> None:
    """Model, seed, temperature, limit and schema; the description between two marked lines."""
    with OpenAIServer() as server:
        _extract(server, seed=7, max_tokens=100, thinking_tokens=50)
        body = server.asked[-1].body
        user = body["messages"][-1]["content"].splitlines()
    assert (body["model"], body["seed"], body["temperature"]) == ("test-model", 7, 0.0)
    assert body["max_tokens"] == 150
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["schema"]["required"] == ["facts"]
    assert body["response_format"]["json_schema"]["strict"] is True
    assert user[0].replace("BEGIN", "END") == user[-1]
    assert user[1:-1] == [TEXT]


def test_the_schema_fixes_the_number_of_verdicts() -> None:
    """A model under a schema would otherwise go on to facts that nobody asked about."""
    with OpenAIServer() as server:
        judge = ChatJudge(_endpoint(server).load())
        list(judge.check([Question(FACTS, TEXT)], "en"))
        schema = server.asked[-1].body["response_format"]["json_schema"]["schema"]
    verdicts = schema["properties"]["verdicts"]
    assert (verdicts["minItems"], verdicts["maxItems"]) == (2, 2)


def test_what_a_server_refuses_can_be_left_out() -> None:
    """Newer models take another name for the limit, and no temperature."""
    with OpenAIServer() as server:
        _extract(server, seed=None, temperature=None, limit_field="max_completion_tokens")
        body = server.asked[-1].body
    assert not {"seed", "temperature", "max_tokens"} & set(body)
    assert body["max_completion_tokens"] == 4096


@pytest.mark.parametrize(
    ("formats", "taken"),
    [
        (("json_schema", "json_object"), "json_schema"),
        (("json_object",), "json_object"),
        ((), "text"),
    ],
)
def test_structured_output_falls_back_to_what_the_server_takes(
    formats: tuple[str, ...], taken: str
) -> None:
    """Found out once, on load, and named in the signature."""
    with OpenAIServer(formats=formats) as server:
        judge = ChatJudge(_endpoint(server).load())
        assert f"|format:{taken}|" in judge.signature("en")
        assert [a.value for _, a in judge.extract([TEXT, "A cat."], "en")]
        assert {
            a.body.get("response_format", {}).get("type", "text") for a in server.asked[-2:]
        } == {taken}


def test_the_key_comes_from_the_environment_or_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read on load and shows nowhere."""
    monkeypatch.setenv("SOME_KEY", "from-environment")
    with OpenAIServer(key="from-environment") as server:
        assert _extract(server, key_variable="SOME_KEY").value == FACTS
        assert _extract(server, key="from-environment").value == FACTS
        with pytest.raises(JudgeUnavailable, match="HTTP 401") as failure:
            _endpoint(server, key="secret-of-mine").load()
    assert "secret-of-mine" not in str(failure.value)
    assert "SOME_KEY" not in str(failure.value)
    assert "OPENAI_API_KEY" in str(failure.value)
    assert "secret" not in repr(_endpoint(server, key="secret-of-mine"))


def test_a_server_that_is_not_there_is_named() -> None:
    """With the address to check."""
    with OpenAIServer() as server:
        gone = _endpoint(server, retries=0)
    with pytest.raises(JudgeUnavailable, match=r"cannot be reached.*127\.0\.0\.1"):
        gone.load()
    with OpenAIServer(lambda _: error(404, "no such model")) as server:  # noqa: SIM117
        with pytest.raises(JudgeUnavailable, match=r"HTTP 404 \(.*no such model"):
            _endpoint(server).load()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_errors_that_pass_are_waited_out_and_counted(status: int) -> None:
    """Two failures, then an answer."""

    def react(asked: Asked) -> Reaction | None:
        return error(status) if asked.task == "extract" and asked.attempt < 3 else None

    with OpenAIServer(react) as server:
        answer = _extract(server, price_in=2.0, price_out=10.0)
    assert answer.value == FACTS
    assert answer.usage.retries == 2
    assert answer.usage.calls == 3
    assert answer.usage.prompt_tokens == 100
    assert answer.usage.cost_micros == 200 + 10 * answer.usage.completion_tokens


@pytest.mark.parametrize("status", [429, 500, 404])
def test_case_lj_05_errors_that_do_not_pass_are_failures(status: int) -> None:
    """After bounded retries (none for 404), with the raw answer kept and no number made."""

    def react(asked: Asked) -> Reaction | None:
        return error(status, "still broken") if asked.task == "extract" else None

    with OpenAIServer(react) as server:
        answer = _extract(server, retries=2)
        assert server.tasks["extract"] == (1 if status == 404 else 3)
    assert isinstance(answer.value, JudgeFailed)
    assert str(answer.value) == f"the server answered HTTP {status}"
    assert "still broken" in answer.raw


def test_a_server_that_hangs_is_given_up() -> None:
    """And the others of the batch are answered meanwhile."""

    def react(asked: Asked) -> Reaction | None:
        return Reaction(hang=30) if "hang" in asked.text else None

    with OpenAIServer(react) as server:
        judge = ChatJudge(_endpoint(server, timeout=0.3, retries=1).load())
        start = time.monotonic()
        answers = dict(judge.extract(["Please hang.", *(f"Dog {n}." for n in range(5))], "en"))
        assert time.monotonic() - start < 10
    assert "no answer within 0.3 seconds" in str(answers[0].value)
    assert [answers[n + 1].value for n in range(5)] == [(f"Dog {n}.",) for n in range(5)]


@pytest.mark.parametrize(
    "broken",
    [
        Reaction(content="{}", cut_body=True),
        Reaction(body=b"{}"),
        Reaction(body=b"<html>busy</html>"),
        Reaction(body=b'{"choices": []}'),
        Reaction(body=b'{"choices": [{"message": {"content": 5}, "finish_reason": "stop"}]}'),
        Reaction(body=b"[1]"),
        Reaction(body=b""),
    ],
)
def test_what_is_no_chat_completion_is_a_failure(broken: Reaction) -> None:
    """Half a body, another object, a page of a proxy."""

    def react(asked: Asked) -> Reaction | None:
        return broken if asked.task == "extract" else None

    with OpenAIServer(react) as server:
        answer = _extract(server, retries=0)
    assert isinstance(answer.value, JudgeFailed)


@pytest.mark.parametrize(
    "first", ["I cannot evaluate this", '{"events": []}', "", None, '{"facts": [1]}', CUT]
)
def test_case_lj_05_an_unreadable_reply_gets_one_corrective_call(first: str | None) -> None:
    """It holds the bad reply and what was wrong with it; both calls are counted."""

    def react(asked: Asked) -> Reaction | None:
        return reply(first) if asked.task == "extract" and not asked.corrected else None

    with OpenAIServer(react) as server:
        answer = _extract(server)
        roles = [message["role"] for message in server.asked[-1].messages]
        problem = server.asked[-1].messages[-1]["content"]
        assert server.tasks["extract"] == 2
    assert answer.value == FACTS
    assert answer.usage.calls == 2
    assert roles == ["system", "user", "assistant", "user"]
    assert "cannot be used: " in problem


def test_case_lj_05_a_second_unreadable_reply_is_a_failure_with_the_reply_kept() -> None:
    """There is no third call."""

    def react(asked: Asked) -> Reaction | None:
        return reply("I cannot evaluate this") if asked.task == "extract" else None

    with OpenAIServer(react) as server:
        answer = _extract(server)
        assert server.tasks["extract"] == 2
    assert isinstance(answer.value, UnreadableReply)
    assert answer.raw == "I cannot evaluate this"
    assert answer.usage.calls == 2


def test_case_lj_04_a_reply_at_the_token_limit_gets_more_room() -> None:
    """The same question again, and not a reply mended by closing its brackets."""

    def react(asked: Asked) -> Reaction | None:
        small = asked.task == "extract" and asked.body["max_tokens"] < 400
        return reply(CUT, finish_reason="length") if small else None

    with OpenAIServer(react) as server:
        answer = _extract(server, max_tokens=100)
        assert server.asked[-1].body["max_tokens"] == 400
        assert not server.asked[-1].corrected
    assert answer.value == FACTS
    with OpenAIServer(react) as server:
        answer = _extract(server, max_tokens=10)
    assert isinstance(answer.value, UnreadableReply)
    assert "limit of tokens" in str(answer.value)
    assert answer.raw == CUT


def test_case_lj_04_whole_json_at_the_token_limit_is_not_trusted() -> None:
    """A server may close the brackets itself when it stops."""

    def react(asked: Asked) -> Reaction | None:
        closed = reply({"facts": ["A man walks."]}, finish_reason="length")
        return closed if asked.task == "extract" else None

    with OpenAIServer(react) as server:
        assert isinstance(_extract(server).value, UnreadableReply)


def test_case_lj_11_a_model_that_changes_under_its_alias_is_noticed() -> None:
    """The snapshot that answers is part of the signature; another one is not mixed in."""
    turn = itertools.count()

    def react(asked: Asked) -> Reaction | None:
        if asked.task != "extract":
            return reply({"verdicts": []}, model="m-2026-01-01")
        return reply({"facts": ["x"]}, model="m-2026-01-01" if next(turn) == 0 else "m-2026-02-02")

    with OpenAIServer(react) as server:
        judge = ChatJudge(_endpoint(server, model="m", concurrency=1).load())
        assert "|served:m-2026-01-01|" in judge.signature("en")
        # Which of the two texts is asked about first is left to the threads.
        values = [answer.value for _, answer in judge.extract(["A.", "B."], "en")]
        values.remove(("x",))
        (refused,) = values
        assert "'m-2026-02-02' instead of 'm-2026-01-01'" in str(refused)
        with pytest.raises(JudgeDrifted, match="m-2026-01-01"):
            _endpoint(server, model="m", revision="2025-12-31").load()
        assert _endpoint(server, model="m", revision="2026-01-01").load()


def test_no_more_requests_are_under_way_than_the_limit() -> None:
    """And no fewer, while there is enough to do."""
    with OpenAIServer(latency=0.02) as server:
        judge = ChatJudge(_endpoint(server, concurrency=4).load())
        list(judge.extract([f"Dog {n}." for n in range(40)], "en"))
        assert server.busiest == 4


def test_stopping_early_stops_asking() -> None:
    """A worker that is told to end does not send the rest first."""
    with OpenAIServer(latency=0.01) as server:
        judge = ChatJudge(_endpoint(server, concurrency=2).load())
        answers = judge.extract([f"Dog {n}." for n in range(200)], "en")
        next(answers)
        answers.close()  # type: ignore[attr-defined]
        assert len(server.asked) < 20


def test_costs_add_up() -> None:
    """Field by field."""
    assert Usage(1, 2, 3, 4, 5) + Usage(1, 1, 1, 1, 1) == Usage(2, 3, 4, 5, 6)

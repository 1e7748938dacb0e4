"""A language model behind any server that speaks the OpenAI protocol, like vLLM or llama.cpp."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from scoring.judges.base import JudgeDrifted, JudgeUnavailable
from scoring.judges.chat import CallFailed, Reply, Request
from scoring.judges.fact_judge import Usage
from scoring.judges.verdicts import storable, verdicts_schema
from scoring.prompts import Message
from scoring.signature import joined

if TYPE_CHECKING:
    from httpx2 import Response
    from openai import OpenAI

Format = Literal["json_schema", "json_object", "text"]
_FORMATS: tuple[Format, ...] = ("json_schema", "json_object", "text")
_SHOWN = 200
_SPARE = 4
_NO_KEY = "no-key-needed"
_PROBE = Request(
    (
        Message("system", "You reply with one JSON object and nothing else."),
        Message("user", 'Give one verdict, on fact 1, "A dog is an animal": entailment.'),
    ),
    "verdicts",
    verdicts_schema(1),
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How to reach and ask a model.

    Args:
        name: the judge's name in tables.
        model: what the server calls the model; a dated snapshot where the server has those.
        base_url: address of the API, up to `/v1`.
        revision: commit or date of the weights, for the signature.
        key: the API key; when None it is read on load from the variable `key_variable`. Many
            servers of one's own need none.
        seed, temperature: sent with every request; None leaves them out, for servers that refuse.
        max_tokens: room for a reply. `thinking_tokens` come on top, for models that think first.
        limit_field: what the server calls this limit.
        concurrency: requests under way at once.
        timeout: seconds to wait for a reply; `retries` are sent after a time-out, a broken
            connection, 408, 409, 429 and 5xx, with growing pauses or those the server asks for.
        price_in, price_out: price of a million tokens read and written.
    """

    name: str
    model: str
    base_url: str
    revision: str = ""
    key: str | None = field(default=None, repr=False)
    key_variable: str = "OPENAI_API_KEY"
    seed: int | None = 0
    temperature: float | None = 0.0
    max_tokens: int = 4096
    thinking_tokens: int = 0
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    concurrency: int = 8
    timeout: float = 120.0
    retries: int = 4
    price_in: float = 0.0
    price_out: float = 0.0

    def load(self) -> EndpointModel:
        """Reach the server: is the key good, which snapshot answers, does it take a JSON schema?

        Raises:
            JudgeUnavailable: the server cannot be reached, or refuses key, model or request.
            JudgeDrifted: another model than the one asked for answers.
        """
        from httpx2 import Limits, Timeout
        from openai import DefaultHttpxClient, OpenAI

        client = OpenAI(
            base_url=self.base_url,
            api_key=self.key or os.environ.get(self.key_variable) or _NO_KEY,
            timeout=Timeout(self.timeout, pool=None),
            max_retries=self.retries,
            http_client=DefaultHttpxClient(
                limits=Limits(
                    max_connections=self.concurrency, max_keepalive_connections=self.concurrency
                )
            ),
        )
        refused: CallFailed | None = None
        for taken in _FORMATS:
            try:
                served = EndpointModel(self, client, taken).ask(_PROBE)[1]
            except _RefusedError as failure:
                refused = failure
            except CallFailed as failure:
                raise self._unavailable(failure, client.api_key) from failure
            else:
                self._meet(served)
                return EndpointModel(self, client, taken, served)
        raise self._unavailable(refused, client.api_key) from refused

    def _unavailable(self, failure: CallFailed | None, key: str) -> JudgeUnavailable:
        said = failure.raw[:_SHOWN].replace(key, "***") if failure else ""
        return JudgeUnavailable(
            f"judge {self.name} is not available: {failure}{said and f' ({said})'}. Check the "
            f"address {self.base_url}, the model name {self.model!r} and the key in "
            f"{self.key_variable}"
        )

    def _meet(self, served: str) -> None:
        if self.revision and served not in {"", self.model} and self.revision not in served:
            raise JudgeDrifted(
                f"judge {self.name}: the server answers with {served!r} for {self.model!r}, which "
                f"is not revision {self.revision!r}"
            )


class EndpointModel:
    """A model that answered once; `ChatModel` over HTTP."""

    def __init__(self, settings: Endpoint, client: OpenAI, taken: Format, served: str = "") -> None:
        self.settings = settings
        self.name = settings.name
        self.format = taken
        self.served = served
        self._client = client

    def signature(self) -> str:
        """See `ChatModel.signature`; the address does not enter, the snapshot that answers does."""
        asked = self.settings
        return joined(
            {
                "judge": asked.name,
                "model": asked.model,
                "served": self.served or "unnamed",
                "rev": asked.revision or "none",
                "seed": str(asked.seed),
                "temp": str(asked.temperature),
                "max": f"{asked.max_tokens}+{asked.thinking_tokens}",
                "format": self.format,
            }
        )

    def complete(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply | CallFailed]]:
        """See `ChatModel.complete`; up to `concurrency` requests are under way at once."""
        # The pool of connections keeps the limit; a few threads more get requests ready and take
        # replies apart meanwhile, so that no connection waits for that.
        with ThreadPoolExecutor(self.settings.concurrency + _SPARE, "endpoint") as pool:
            places = {pool.submit(self._attempt, r): place for place, r in enumerate(requests)}
            try:
                for done in as_completed(places):
                    yield places[done], done.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _attempt(self, request: Request) -> Reply | CallFailed:
        try:
            reply, served = self.ask(request)
        except CallFailed as failure:
            return failure
        if served != self.served:
            return CallFailed(
                f"the server answered with model {served!r} instead of {self.served!r}: the two "
                "must not be mixed; load the judge again"
            )
        return reply

    def ask(self, request: Request) -> tuple[Reply, str]:
        """One request, with the client's retries; the reply, and the model that gave it.

        Raises:
            CallFailed: no reply, or none that is a chat completion.
        """
        import openai
        from httpx2 import Response

        try:
            # The client's way for bodies that are ready: `chat.completions.create` spends twice
            # as long on checking them against its types as on sending them.
            response = self._client.post(
                "/chat/completions", cast_to=Response, body=self._body(request)
            )
        except openai.APIStatusError as error:
            kind = _RefusedError if error.status_code in {400, 422} else CallFailed
            raise kind(
                f"the server answered HTTP {error.status_code}", _text(error.response)
            ) from error
        except openai.APITimeoutError as error:
            seconds = f"{self.settings.timeout:g} seconds"
            raise CallFailed(f"the server gave no answer within {seconds}") from error
        except openai.APIConnectionError as error:
            raise CallFailed("the server cannot be reached, or broke the connection") from error
        return self._reply(response)

    def _body(self, request: Request) -> dict[str, Any]:
        asked = self.settings
        body: dict[str, Any] = {
            "model": asked.model,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            asked.limit_field: (asked.max_tokens + asked.thinking_tokens) * request.room,
        }
        if asked.seed is not None:
            body["seed"] = asked.seed
        if asked.temperature is not None:
            body["temperature"] = asked.temperature
        if self.format == "json_object":
            body["response_format"] = {"type": "json_object"}
        elif self.format == "json_schema":
            schema = {"name": request.schema_name, "strict": True, "schema": dict(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def _reply(self, response: Response) -> tuple[Reply, str]:
        retries = int(response.request.headers.get("x-stainless-retry-count", 0))
        try:
            completion = response.json()
            choice = completion["choices"][0]
            text = storable(choice["message"].get("content") or "")
            whole = choice.get("finish_reason") != "length"
            usage = self._usage(completion.get("usage") or {}, retries)
            return Reply(text, whole, usage), str(completion.get("model") or "")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise CallFailed(
                "the server's answer is not a chat completion", _text(response)
            ) from error

    def _usage(self, counted: Mapping[str, Any], retries: int) -> Usage:
        read = int(counted.get("prompt_tokens") or 0)
        written = int(counted.get("completion_tokens") or 0)
        cost = read * self.settings.price_in + written * self.settings.price_out
        return Usage(1 + retries, retries, read, written, round(cost))


def _text(response: Response) -> str:
    return storable(response.text)


class _RefusedError(CallFailed):
    """The server does not take the request as it is."""

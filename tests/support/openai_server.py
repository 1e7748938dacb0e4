"""A real HTTP server that speaks the OpenAI chat protocol, with an honest simple judge behind it.

It reads the project's prompts as a model would, answers by plain word matching, and can be told to
react otherwise: errors, silence, cut-off and wrong replies. Run as a program it prints its address:

    python tests/support/openai_server.py --latency 0.05
"""

from __future__ import annotations

import argparse
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_BLOCK = re.compile(
    r"^BEGIN (?P<what>DESCRIPTION |FACTS |)(?P<mark>data-[0-9a-f]+)\n(?P<data>.*?)\n"
    r"END (?P=what)(?P=mark)$",
    re.DOTALL | re.MULTILINE,
)
_SENTENCE = re.compile(r"[^.!?]+[.!?]?")
_DENIAL = {"no", "not", "never", "without"}


@dataclass(frozen=True)
class Asked:
    """A request as the server understood it: its task, its data, and how often it has come."""

    body: dict[str, Any]
    text: str
    facts: tuple[str, ...]
    attempt: int

    @property
    def messages(self) -> list[dict[str, str]]:
        """The conversation."""
        return self.body["messages"]

    @property
    def task(self) -> str:
        """`extract`, `check`, or `probe` for a request without data."""
        if self.facts:
            return "check"
        return "extract" if self.text else "probe"

    @property
    def corrected(self) -> bool:
        """True when the conversation holds an earlier reply."""
        return any(message["role"] == "assistant" for message in self.messages)


@dataclass(frozen=True)
class Reaction:
    """What the server does with a request."""

    content: str | None = None
    status: int = 200
    finish_reason: str = "stop"
    hang: float = 0.0
    cut_body: bool = False
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    model: str | None = None


def error(status: int, message: str = "try again") -> Reaction:
    """An HTTP error; the client may come back at once."""
    body = json.dumps({"error": {"message": message, "code": status}}).encode()
    return Reaction(status=status, body=body, headers={"retry-after-ms": "1"})


def reply(value: object, **more: Any) -> Reaction:
    """A chat completion with this text, or this value as JSON."""
    content = value if isinstance(value, str) or value is None else json.dumps(value)
    return Reaction(content=content, **more)


def honest(asked: Asked) -> Reaction:
    """Facts are sentences; all words of a fact in one text entail it, a lone denial contradicts."""
    if asked.task == "probe":
        return reply({"verdicts": []})
    if asked.task == "extract":
        return reply({"facts": [s.strip() for s in _SENTENCE.findall(asked.text) if s.strip()]})
    verdicts = []
    for number, fact in enumerate(asked.facts, 1):
        verdicts.append({"fact": number, "reason": "words", "label": _label(fact, asked.text)})
    return reply({"verdicts": verdicts})


def _label(fact: str, text: str) -> str:
    words, there = _words(fact), _words(text)
    if words - _DENIAL <= there:
        return "contradiction" if words & _DENIAL != there & _DENIAL else "entailment"
    return "neutral"


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


class OpenAIServer:
    """The server, running in a thread between `with` and its end.

    Args:
        react: gets every request first; None leaves the request to `honest`.
        latency: seconds from the request to any reply, the making of the reply included.
        formats: values of `response_format.type` that are taken; others get HTTP 400.
        key: the only API key accepted, any when None.
        model: the name that answers come from.
    """

    def __init__(
        self,
        react: Callable[[Asked], Reaction | None] | None = None,
        *,
        latency: float = 0.0,
        formats: tuple[str, ...] = ("json_schema", "json_object"),
        key: str | None = None,
        model: str = "test-model",
        port: int = 0,
    ) -> None:
        self.react = react
        self.latency = latency
        self.formats = formats
        self.key = key
        self.model = model
        self.asked: list[Asked] = []
        self.busiest = 0
        self.closing = threading.Event()
        self._busy = 0
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", port), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """What clients call the base URL."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def tasks(self) -> Counter[str]:
        """How many requests of each task came, probes and repeated ones included."""
        return Counter(asked.task for asked in self.asked)

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def serve_forever(self) -> None:
        """Serve in this thread."""
        self._http.serve_forever()

    def answer(self, body: dict[str, Any], authorization: str) -> Reaction:
        """The reaction to one request."""
        asked = self._note(body)
        if self.key is not None and authorization != f"Bearer {self.key}":
            return error(401, f"wrong key: {authorization}")
        wanted = body.get("response_format", {}).get("type", "text")
        if wanted not in (*self.formats, "text"):
            return error(400, f"response_format {wanted} is not supported")
        return (self.react(asked) if self.react else None) or honest(asked)

    def enter(self) -> None:
        """A request is under way."""
        with self._lock:
            self._busy += 1
            self.busiest = max(self.busiest, self._busy)

    def leave(self) -> None:
        """It is done."""
        with self._lock:
            self._busy -= 1

    def _note(self, body: dict[str, Any]) -> Asked:
        user = "\n".join(m["content"] for m in body["messages"] if m["role"] == "user")
        blocks = {m["what"].strip(): m["data"] for m in _BLOCK.finditer(user)}
        facts = tuple(line.partition(". ")[2] for line in blocks.get("FACTS", "").splitlines())
        text = blocks.get("DESCRIPTION", blocks.get("", ""))
        with self._lock:
            self._seen[user] += 1
            asked = Asked(body, text, facts, self._seen[user])
            self.asked.append(asked)
        return asked


class SteeredServer:
    """A server whose ``react`` may be changed at any time; ``http`` is the server itself."""

    def __init__(self, **settings: Any) -> None:
        self.react: Callable[[Asked], Reaction | None] = lambda _: None
        self.http = OpenAIServer(self._react, **settings)

    def _react(self, asked: Asked) -> Reaction | None:
        return self.react(asked)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that give up waiting break the connection; that is what tests are about."""


def _handler(server: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_POST(self) -> None:
            due = time.monotonic() + server.latency
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path != "/v1/chat/completions":
                missing = error(404, f"no {self.path}")
                self._send(missing, missing.body or b"")
                return
            server.enter()
            try:
                reaction = server.answer(body, self.headers.get("Authorization", ""))
                written = _written(reaction, server.model)
                server.closing.wait(max(0.0, due + reaction.hang - time.monotonic()))
            finally:
                server.leave()
            self._send(reaction, written)

        def _send(self, reaction: Reaction, body: bytes) -> None:
            self.send_response(reaction.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            for name, value in reaction.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if reaction.cut_body else body)
            self.wfile.flush()
            self.close_connection = reaction.cut_body

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Stay quiet."""

    return Handler


def _written(reaction: Reaction, model: str) -> bytes:
    if reaction.body is not None:
        return reaction.body
    return json.dumps(_completion(reaction, model)).encode()


def _completion(reaction: Reaction, model: str) -> dict[str, Any]:
    written = len((reaction.content or "").split())
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": reaction.model or model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": reaction.content},
                "finish_reason": reaction.finish_reason,
            }
        ],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": written,
            "total_tokens": 100 + written,
        },
    }


def main() -> None:
    """Serve until ended; the address is printed first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    server = OpenAIServer(latency=options.latency, port=options.port)
    print(server.url, flush=True)  # noqa: T201
    server.serve_forever()


if __name__ == "__main__":
    main()

